import type { Jobs } from "../core/jobs/jobs.js";
import type { Namespace } from "../core/model/namespace.js";
import type { Log } from "../core/ports/log.js";
import { type Meter, noMeter } from "../core/ports/meter.js";
import type { RecordCodec } from "../core/ports/record-codec.js";
import type { DerivedFiles, SearchIndex } from "../core/ports/search-index.js";
import type { Store } from "../core/ports/store.js";
import type { Timer } from "../core/ports/timer.js";
import { memoryCollection, skillCollection } from "../core/vectors/collection.js";
import { type GraphOptions, NamespaceGraphs } from "./graph/namespace-graphs.js";
import type { ImageFiles } from "./image/image-files.js";
import { createAnalyzer } from "./keyword/analyzer.js";
import type { HotNamespace } from "./loading/hot-namespace.js";
import { giveUpGraph, HotNamespaces } from "./loading/hot-namespaces.js";
import { ImageSaving } from "./loading/image-saving.js";
import { NamespaceCache } from "./loading/namespace-cache.js";
import { NamespaceImages } from "./loading/namespace-images.js";
import type { IndexParts } from "./rows/index-rows.js";
import { contextWeights } from "./thread/context-weights.js";
import { KernelMemory } from "./vector/kernel-memory.js";

/** How images of indexes are kept. */
export interface ImageOptions {
  readonly files: ImageFiles;
  readonly timer: Timer;
  /** The most time that saving takes when the index is closed, in milliseconds. */
  readonly closingMs: number;
}

export interface SearchIndexOptions {
  readonly store: Store;
  /** Packs the records of the indexes. */
  readonly codec: RecordCodec;
  /**
   * Limit of resident bytes for all indexes together. One index that is itself larger
   * than this limit is kept in addition to the others. The next such index replaces it.
   */
  readonly maxBytes: number;
  /**
   * Settings of the graphs that speed up the vector searches of large namespaces. Absent: no
   * namespace has a graph, and every search compares all vectors.
   */
  readonly graphs?: GraphOptions;
  /** Where images of the indexes are kept. Absent: every index is derived from the records. */
  readonly images?: ImageOptions;
  /** See `IndexParts.wordPieces`. */
  readonly wordPieces?: IndexParts["wordPieces"];
  /** See `IndexParts.isKnownWord`. */
  readonly isKnownWord?: IndexParts["isKnownWord"];
  /** See `IndexParts.signedFrom`. */
  readonly signedFrom?: number;
  /** See `createAnalyzer`. Default: nothing is logged. */
  readonly log?: Log;
  /** Gets a job for each load of an index. Absent: nobody does. */
  readonly jobs?: Jobs | undefined;
  /** Default: nobody notes figures. */
  readonly meter?: Meter;
  /** Called after the memories of a namespace were loaded, with their number. */
  readonly onLoaded?: (namespace: Namespace, memories: number) => void;
}

/**
 * A search index of memories that also works in the background: it loads indexes and builds graphs.
 * It includes an index of skills.
 */
export interface HotSearchIndex extends SearchIndex {
  /**
   * The index of skills, with skills as rows. It has no graphs: searches always compare all
   * vectors.
   */
  readonly skills: SearchIndex;
  /** The RAM of all indexes, and the number of collections that have one. */
  usage(): { readonly bytes: number; readonly collections: number };
  /** Resolves when all background work for earlier reads is done. */
  settled(): Promise<void>;
  /** Saves the images that are due. Runs regularly by itself. */
  saveImages(): Promise<void>;
  /**
   * Stops all background work, including loads that no caller waits for. Resolves when the indexes
   * no longer use the store. Later reads have no graphs.
   */
  close(): Promise<void>;
}

/** Creates the indexes of memories and of skills, in RAM. Both share the byte limit. */
export function createSearchIndex({
  store,
  codec,
  maxBytes,
  graphs: graphOptions,
  images: imageOptions,
  wordPieces,
  isKnownWord,
  signedFrom,
  log = () => undefined,
  jobs,
  meter = noMeter,
  onLoaded,
}: SearchIndexOptions): HotSearchIndex {
  const parts: IndexParts = {
    analyzer: createAnalyzer(log),
    codec,
    context: contextWeights,
    kernel: new KernelMemory(),
    ...(wordPieces && { wordPieces }),
    ...(isKnownWord && { isKnownWord }),
    ...(signedFrom !== undefined && { signedFrom }),
  };
  const graphs = graphOptions && new NamespaceGraphs(graphOptions);
  const swept = graphs?.sweep(store);
  const images = imageOptions && new NamespaceImages(imageOptions.files, parts, log);
  const hot = new NamespaceCache<HotNamespace>(maxBytes, (removed, isEvicted) => {
    if (isEvicted) meter("indexEvictions", 1);
    giveUpGraph(removed);
    images?.evict(removed);
  });
  const optional = { ...(jobs && { jobs }), ...(images && { images }) };
  const common = { store, parts, hot, maxBytes, meter, ...optional };
  const memories = new HotNamespaces({
    ...common,
    collection: memoryCollection,
    ...(graphs && { graphs }),
    ...(onLoaded && { onLoaded }),
  });
  const skills = new HotNamespaces({ ...common, collection: skillCollection });
  const readers = { [memoryCollection.table]: memories, [skillCollection.table]: skills };
  const saving =
    imageOptions && images && new ImageSaving({ ...imageOptions, images, hot, readers });
  return {
    saveImages: async () => saving?.saveDue(),
    profileOf: (namespace) => memories.profileOf(namespace),
    read: (namespace, signal, read, wanted) => memories.read(namespace, signal, read, wanted),
    readLoaded: (namespace, signal, read) => memories.readLoaded(namespace, signal, read),
    async release(namespace) {
      await Promise.all([memories.release(namespace), skills.release(namespace)]);
    },
    derivedFiles: (namespace) => derivedFiles([memories, skills], namespace),
    skills,
    usage: () => ({ bytes: hot.bytes, collections: hot.size }),
    async settled() {
      await Promise.all([swept, memories.settled(), skills.settled()]);
      for (const { graph } of hot.values()) await graph?.settled();
    },
    async close() {
      await saving?.close();
      memories.close();
      skills.close();
      const ended = graphs?.end();
      hot.clear();
      await Promise.all([ended, swept, memories.settled(), skills.settled()]);
    },
  };
}

async function derivedFiles(
  readers: readonly HotNamespaces[],
  namespace: Namespace,
): Promise<DerivedFiles> {
  let [images, graphs] = [0, 0];
  for (const reader of readers) {
    const files = await reader.derivedFiles(namespace);
    images += files.images;
    graphs += files.graphs;
  }
  return { images, graphs };
}
