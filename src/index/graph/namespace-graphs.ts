import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Namespace } from "../../core/model/namespace.js";
import type { Log } from "../../core/ports/log.js";
import type { Store } from "../../core/ports/store.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { createGraphWorker, type GraphWorker } from "./graph-worker.js";
import { graphBytes, NamespaceGraph } from "./namespace-graph.js";

/**
 * A namespace below this share of the threshold loses its graph. Without this margin, adding and
 * deleting one memory at the threshold would rebuild the graph each time.
 */
const keptShare = 1 / 2;

/** A number that no graph of the worker has. */
const noGraph = -1;

const notDeleted = "an obsolete saved graph could not be deleted";

export interface GraphOptions {
  /**
   * Folder for saved graphs, so that a restart does not rebuild them. Everything in it is derived
   * from the store. Default: graphs are not saved.
   */
  readonly folder?: string;
  /** Number of memories from which a namespace gets a graph. */
  readonly threshold: number;
  readonly log: Log;
  /** The worker to use. Default: a new one. */
  readonly worker?: GraphWorker;
}

/** Decides which namespaces have a graph. */
export class NamespaceGraphs {
  readonly #worker: GraphWorker;
  readonly #log: Log;
  readonly #folder: string | undefined;
  readonly #threshold: number;

  constructor({ folder, threshold, log, worker = createGraphWorker({ log }) }: GraphOptions) {
    this.#worker = worker;
    this.#log = log;
    this.#folder = folder;
    this.#threshold = threshold;
  }

  /**
   * Creates, updates or releases the graph of a namespace. Returns the graph that the namespace
   * should have from now on, or `undefined` for none.
   *
   * @param graph The current graph.
   * @param maxBytes Limit for index and graph together.
   */
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
      this.#worker.hasEnded ||
      index.bytes + graphBytes(size, profile.dimension) > maxBytes
    ) {
      graph?.close();
      return undefined;
    }
    const followed = graph ?? this.#create(namespace, index, profile);
    followed.tend();
    return followed;
  }

  /** Deletes the saved graph of a namespace that is now too small for a graph. */
  forget(namespace: Namespace, { size }: HotNamespaceIndex): void {
    if (this.#folder === undefined || size >= this.#threshold * keptShare) return;
    try {
      rmSync(folderOf(this.#folder, namespace), { recursive: true, force: true });
    } catch (error) {
      this.#log("warn", notDeleted, { error });
    }
  }

  /**
   * Deletes the saved graph of a namespace that was emptied. Requires: its graph was closed. Never
   * rejects.
   */
  async forgetEmptied(namespace: Namespace): Promise<void> {
    if (this.#folder === undefined) return;
    // The worker answers requests in order. So once it has answered this one, a save that was under
    // way has ended.
    if (this.#worker.isBusy)
      await this.#worker.request("drop", { graph: noGraph }).catch(() => undefined);
    await rm(folderOf(this.#folder, namespace), { recursive: true, force: true }).catch(
      (error: unknown) => this.#log("warn", notDeleted, { error }),
    );
  }

  /** Whether a namespace has a saved graph. */
  async isSaved(namespace: Namespace): Promise<boolean> {
    if (this.#folder === undefined) return false;
    const saved = await readdir(folderOf(this.#folder, namespace)).catch(() => []);
    return saved.length > 0;
  }

  /** Deletes the saved graphs of empty namespaces. */
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

  /** Ends the worker thread. Later searches run without graphs. */
  async end(): Promise<void> {
    await this.#worker.end();
  }

  #create(
    namespace: Namespace,
    index: HotNamespaceIndex,
    profile: { modelId: string; dimension: number },
  ): NamespaceGraph {
    const folder = this.#folder === undefined ? undefined : folderOf(this.#folder, namespace);
    return new NamespaceGraph({ worker: this.#worker, log: this.#log }, index, { profile, folder });
  }
}

function folderOf(folder: string, namespace: Namespace): string {
  return join(folder, nameOf(namespace));
}

/** Returns a hash, because ids may contain characters that file names may not contain. */
function nameOf({ userId, agentId, tenant }: Namespace): string {
  const names = tenant === undefined ? [userId, agentId] : [userId, agentId, tenant];
  return createHash("sha256").update(JSON.stringify(names)).digest("hex");
}
