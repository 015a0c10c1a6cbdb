import type { SearchIndex } from "../core/ports/search-index.js";
import type { Store } from "../core/ports/store.js";
import { memoryCollection, skillCollection } from "../core/vectors/collection.js";
import { type GraphOptions, NamespaceGraphs } from "./graph/namespace-graphs.js";
import { createAnalyzer } from "./keyword/analyzer.js";
import { giveUpGraph, type HotNamespace, HotNamespaces } from "./loading/hot-namespaces.js";
import { NamespaceCache } from "./loading/namespace-cache.js";
import type { IndexParts } from "./rows/index-rows.js";
import { contextWeights } from "./thread/context-weights.js";
import { loadKernelModule } from "./vector/kernel.js";

export interface SearchIndexOptions {
  readonly store: Store;
  /** About how much memory the indexes may take together. Of those that are larger by themselves the one used last is kept beside all others. */
  readonly maxBytes: number;
  /** How large namespaces get graphs. Absent: they get none, and all vectors are compared. */
  readonly graphs?: GraphOptions;
}

/** A search index of memories that also works in the background, and beside it one of skills. */
export interface HotSearchIndex extends SearchIndex {
  /** The index of skills: rows by the ids of skills. All vectors are compared, however many there are. */
  readonly skills: SearchIndex;
  /** Resolves when nothing is left to do in the background for what was read so far. */
  settled(): Promise<void>;
  /** Ends all work in the background, also the loading of namespaces that nobody waits for, and resolves when the store is not used any more. What is read afterwards is read without graphs. */
  close(): Promise<void>;
}

/** Indexes in this process' memory: those of all collections share the room. */
export function createSearchIndex({
  store,
  maxBytes,
  graphs: graphOptions,
}: SearchIndexOptions): HotSearchIndex {
  const parts: IndexParts = {
    analyzer: createAnalyzer(),
    context: contextWeights,
    kernel: loadKernelModule(),
  };
  const graphs = graphOptions && new NamespaceGraphs(graphOptions);
  const swept = graphs?.sweep(store);
  const hot = new NamespaceCache<HotNamespace>(maxBytes, giveUpGraph);
  const common = { store, parts, hot, maxBytes };
  const memories = new HotNamespaces({
    ...common,
    collection: memoryCollection,
    ...(graphs && { graphs }),
  });
  const skills = new HotNamespaces({ ...common, collection: skillCollection });
  return {
    profileOf: (namespace) => memories.profileOf(namespace),
    read: (namespace, signal, read, wanted) => memories.read(namespace, signal, read, wanted),
    skills,
    async settled() {
      await Promise.all([swept, memories.settled(), skills.settled()]);
      for (const { graph } of hot.values()) await graph?.settled();
    },
    async close() {
      memories.close();
      skills.close();
      const ended = graphs?.end();
      hot.clear();
      await Promise.all([ended, swept, memories.settled(), skills.settled()]);
    },
  };
}
