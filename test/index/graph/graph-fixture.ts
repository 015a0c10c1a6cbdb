import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Memory } from "../../../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import type { Log } from "../../../src/core/ports/log.js";
import type { Candidates, NearestQuery, Row } from "../../../src/core/ports/search-index.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createGraphWorker } from "../../../src/index/graph/graph-worker.js";
import { createSearchIndex, type HotSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { putMemory } from "../../contract/search-index/context.js";
import { unitVectors } from "./unit-vectors.js";
import { type WatchedThread, watchThread } from "./watched-thread.js";

export const notes: Namespace = { userId: "kim", agentId: "notes" };
export const others: Namespace = { userId: "lee", agentId: "notes" };
export const dimension = 16;
export const vectors = unitVectors(400, dimension, 1);
export const queries = unitVectors(40, dimension, 2);

/** Number of memories from which a namespace gets a graph in these tests. */
export const threshold = 50;

/** A limit, in bytes, that no index in these tests reaches. */
export const roomy = 2 ** 30;
const signal = new AbortController().signal;

/** Options of a search. */
interface Wanted {
  /** Number of nearest memories to search for. Default 30. */
  readonly count?: number;
  /** Whether the search accepts the memory with an id. Default: the search accepts all. */
  readonly accepts?: (id: string) => boolean;
}

/** Results of a search for a vector. */
export interface Found {
  /** `graph` if a graph found the candidates, and `exact` if all vectors were compared. */
  readonly tier: Candidates["tier"];
  /** Ids of the accepted rows, nearest first. */
  readonly ids: readonly string[];
  readonly scores: ReadonlyMap<string, number>;
}

/** A store and indexes over it that keep graphs in a folder. */
export class GraphFixture {
  store: Store = createInMemoryStore("epoch");
  readonly folder = mkdtempSync(join(tmpdir(), "vademecum-graphs-"));
  /** The warnings and errors in the log. */
  readonly logged: string[] = [];
  thread: WatchedThread = this.#createThread();
  readonly #opened: HotSearchIndex[] = [];

  readonly log: Log = (level, message, fields) => {
    const reason = fields?.["reason"];
    if (level !== "info")
      this.logged.push(`${level}: ${message}${typeof reason === "string" ? ` (${reason})` : ""}`);
  };

  openIndex(maxBytes = roomy, folder = this.folder): HotSearchIndex {
    const { store, log, thread } = this;
    const index = createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes,
      graphs: { folder, threshold, log, worker: thread },
    });
    this.#opened.push(index);
    return index;
  }

  /** Starts a new worker for the indexes opened next, as after a restart. */
  restart(): void {
    this.thread = this.#createThread();
  }

  async end(): Promise<void> {
    for (const index of this.#opened) await index.close();
    await this.thread.end();
    rmSync(this.folder, { recursive: true });
  }

  /** Writes memories `m0`, `m1`, … with the given vectors in one commit. */
  async write(
    given: readonly (Float32Array | undefined)[],
    {
      namespace = notes,
      from = 0,
      more,
    }: { namespace?: Namespace; from?: number; more?: (number: number) => Partial<Memory> } = {},
  ): Promise<void> {
    await this.store.update(scopeOf(namespace), async (tx) => {
      for (const [i, vector] of given.entries()) {
        const number = from + i;
        putMemory(
          tx,
          namespace,
          sampleMemory(`m${number}`, `text ${number}`, more?.(number)),
          vector,
        );
      }
    });
  }

  async remove(...ids: readonly string[]): Promise<void> {
    await this.store.update(scopeOf(notes), async (tx) => {
      for (const id of ids) {
        tx.delete("memories", notes, id);
        tx.delete("vectors", notes, id);
      }
    });
  }

  async clear(namespace: Namespace): Promise<void> {
    await this.store.update(scopeOf(namespace), async (tx) => tx.clear(namespace));
  }

  /** Reads the namespace, so that its graph begins to catch up. */
  async touch(index: HotSearchIndex, namespace = notes): Promise<void> {
    await index.read(namespace, signal, () => undefined);
  }

  /** Reads the namespace, and waits until its graph has caught up. */
  async settle(index: HotSearchIndex, namespace = notes): Promise<void> {
    await this.touch(index, namespace);
    await index.settled();
  }

  async find(
    index: HotSearchIndex,
    vector: Float32Array,
    { count = 30, accepts = () => true }: Wanted = {},
    namespace = notes,
  ): Promise<Found> {
    const wanted: NearestQuery = {
      vector,
      count,
      accepts: (current, row) => accepts(current.at(row).memory.id),
    };
    return index.read(
      namespace,
      signal,
      (current, nearest) => {
        const {
          tier,
          count: candidates,
          rows,
          vector: scores,
        } = current.candidates({ text: "", vector, ...(nearest && { nearest }) });
        const found = Array.from({ length: candidates }, (_, i) => ({
          memory: current.at((rows[i] ?? -1) as Row).memory,
          score: scores[i] ?? 0,
        }));
        found.sort((a, b) => b.score - a.score || (a.memory.id < b.memory.id ? -1 : 1));
        return {
          tier,
          ids: found.flatMap(({ memory }) => (accepts(memory.id) ? [memory.id] : [])),
          scores: new Map(found.map(({ memory, score }) => [memory.id, score])),
        };
      },
      wanted,
    );
  }

  /**
   * Expects the search to find the same ten nearest vectors for each query as a comparison of all
   * vectors.
   *
   * @param tier the expected tier; `undefined` allows every tier
   */
  async expectNearest(
    index: HotSearchIndex,
    tier: Found["tier"] | undefined,
    changes: Wanted = {},
    namespace = notes,
  ): Promise<void> {
    const exact = createSearchIndex({ codec: memoryRecords, store: this.store, maxBytes: roomy });
    for (const query of queries) {
      const found = await this.find(index, query, changes, namespace);
      const all = await this.find(exact, query, changes, namespace);
      expect(found.tier).toBe(tier ?? found.tier);
      expect(found.ids.slice(0, 10)).toEqual(all.ids.slice(0, 10));
    }
  }

  /** Delays changes of graphs until `letGo` is called. */
  holdChanges(): { letGo(): void } {
    let open = (): void => undefined;
    this.thread.gate = new Promise((resolve) => {
      open = resolve;
    });
    return {
      letGo: () => {
        this.thread.gate = undefined;
        open();
      },
    };
  }

  #createThread(): WatchedThread {
    return watchThread(createGraphWorker({ log: this.log }));
  }
}

export function idsOf(rows: readonly number[]): string[] {
  return rows.map((row) => `m${row}`);
}

export function rowOf(id: string): number {
  return Number(id.slice(1));
}
