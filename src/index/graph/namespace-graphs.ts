import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Namespace } from "../../core/model/namespace.js";
import type { Log } from "../../core/ports/log.js";
import type { Store } from "../../core/ports/store.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { createGraphThread, type GraphThread } from "./graph-worker.js";
import { graphBytes, NamespaceGraph } from "./namespace-graph.js";

/** A graph is given up below this share of the threshold: one memory more or less must not build it again and again. */
const keptShare = 1 / 2;

const notDeleted = "a saved graph that is needed no more could not be deleted";

export interface GraphOptions {
  /** Where graphs are saved, so that a restart does not build them again; all in it is derived from the store. Default: they are not saved. */
  readonly folder?: string;
  /** Memories from which on a namespace gets a graph. */
  readonly threshold: number;
  readonly log: Log;
  /** The thread to use. Default: one of its own. */
  readonly thread?: GraphThread;
}

/** Decides which namespaces get a graph. */
export class NamespaceGraphs {
  readonly #thread: GraphThread;
  readonly #log: Log;
  readonly #folder: string | undefined;
  readonly #threshold: number;

  constructor({ folder, threshold, log, thread = createGraphThread({ log }) }: GraphOptions) {
    this.#thread = thread;
    this.#log = log;
    this.#folder = folder;
    this.#threshold = threshold;
  }

  /** The graph that a namespace should have from now on, following its index; `undefined`: none. `graph`: the one that it has. `maxBytes`: what index and graph may take together. */
  attend(
    namespace: Namespace,
    index: HotNamespaceIndex,
    graph: NamespaceGraph | undefined,
    maxBytes: number,
  ): NamespaceGraph | undefined {
    const { profile, size } = index;
    const least = graph === undefined ? this.#threshold : this.#threshold * keptShare;
    if (
      profile === undefined ||
      size < least ||
      this.#thread.hasEnded ||
      index.bytes + graphBytes(size, profile.dimension) > maxBytes
    ) {
      graph?.close();
      return undefined;
    }
    const followed = graph ?? this.#create(namespace, index, profile);
    followed.tend();
    return followed;
  }

  /** Deletes the saved graph of a namespace that has become too small for one. */
  forget(namespace: Namespace, { size }: HotNamespaceIndex): void {
    if (this.#folder === undefined || size >= this.#threshold * keptShare) return;
    try {
      rmSync(folderOf(this.#folder, namespace), { recursive: true, force: true });
    } catch (error) {
      this.#log("warn", notDeleted, { error });
    }
  }

  /** Deletes the saved graphs of namespaces that hold nothing any more. */
  async sweep(store: Store): Promise<void> {
    if (this.#folder === undefined) return;
    try {
      const saved = new Set(await readdir(this.#folder).catch(() => []));
      if (saved.size === 0) return;
      for await (const namespace of store.namespaces()) {
        saved.delete(nameOf(namespace));
        if (saved.size === 0) return;
      }
      for (const name of saved) await rm(join(this.#folder, name), { recursive: true });
    } catch (error) {
      this.#log("warn", notDeleted, { error });
    }
  }

  /** Ends the thread. Namespaces are searched without graphs from then on. */
  async end(): Promise<void> {
    await this.#thread.end();
  }

  #create(
    namespace: Namespace,
    index: HotNamespaceIndex,
    profile: { modelId: string; dimension: number },
  ): NamespaceGraph {
    const folder = this.#folder === undefined ? undefined : folderOf(this.#folder, namespace);
    return new NamespaceGraph({ thread: this.#thread, log: this.#log }, index, { profile, folder });
  }
}

function folderOf(folder: string, namespace: Namespace): string {
  return join(folder, nameOf(namespace));
}

/** Ids may have any characters, file names may not. */
function nameOf({ userId, agentId }: Namespace): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, agentId]))
    .digest("hex");
}
