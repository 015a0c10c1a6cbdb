import { VademecumError } from "../model/errors.js";
import { type Namespace, type Scope, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { type Embedder, embedEach } from "../ports/embedder.js";
import type { Store, Transaction, VectorTable } from "../ports/store.js";
import { touchedKeys } from "../requests/touched-keys.js";
import { type Collection, otherVectorTable } from "../vectors/collection.js";
import { isKnown } from "../vectors/vectors.js";
import type { WriteGate } from "../vectors/write-gate.js";
import { isCleared, type RecordBatch, RecordWalk } from "./record-walk.js";
import type { ReindexPhase } from "./reindex.js";

/** Number of vectors that one transaction removes. */
const removedPerStep = 256;

/** Writers are held back when at most this many records are left. */
const gatedMax = 16;
/** Writers are held back after this many rounds of catching up, even if more records are left. */
const catchUpRounds = 8;

/**
 * Maximum number of times that writers are held back. If the embedder is too slow, writers continue
 * and the Reindex tries again. After the last time, the Reindex fails.
 */
const gatingsMax = 3;

/**
 * Maximum number of walks. A walk starts over when the namespace was reset, or when the change log
 * no longer reaches back to the last step.
 */
const walksMax = 3;

/** Dependencies of the Reindex of one collection. */
export interface NamespaceReindexParts {
  readonly store: Store;
  readonly gate: WriteGate;
  /** Maximum time for the embedder while writers are held back, in milliseconds. */
  readonly gatedMaxMs: number;
  readonly embedder: Embedder;
  readonly collection: Collection;
  /** Called before each step, and again before the step writes. If it throws, the run ends. */
  readonly throwIfEnded: () => void;
}

/** Progress of the Reindex of one collection. */
export interface NamespaceProgress {
  readonly phase: ReindexPhase;
  readonly memoriesDone: number;
  readonly memoriesTotal: number;
}

/** The outcome for one collection. */
export interface NamespaceOutcome {
  /** Number of embedded texts. */
  readonly embedded: number;
  /** Ids of the records without a vector, because the embedder refused their texts. */
  readonly refused: readonly string[];
}

/**
 * The outcome of a step.
 * - `done`: no record is left.
 * - `more`: there may be more records.
 * - `again`: the walk must start over. The namespace was reset, or the change log does not reach
 *   back to the last step.
 * - `late`: the embedder took longer than writers may be held back.
 */
type StepOutcome = "done" | "more" | "again" | "late";

/**
 * Makes new vectors for the records of a collection, and puts them in use.
 *
 * @throws ABORTED (REINDEX_OVERTAKEN) when writes to the namespace outrun the embedder, or the
 *   namespace is reset again and again
 */
export async function* reindexNamespace(
  parts: NamespaceReindexParts,
  namespace: Namespace,
  call: Call,
): AsyncGenerator<NamespaceProgress, NamespaceOutcome> {
  const run = new NamespaceReindex(parts, namespace, call);
  for (let walk = 1; ; walk++) {
    yield* run.clear("CLEARING");
    if (yield* run.exchange()) break;
    if (walk === walksMax) throw reindexOvertaken(namespace);
  }
  yield* run.clear("REMOVING");
  yield run.progress("DONE");
  return run.outcome();
}

/** Removes the unused vectors of a collection. */
export async function* removeOldVectors(
  parts: NamespaceReindexParts,
  namespace: Namespace,
  call: Call,
): AsyncGenerator<NamespaceProgress> {
  yield* new NamespaceReindex(parts, namespace, call).clear("REMOVING");
}

/**
 * Walks over the records of a collection once. Afterwards, the change log tells which records have
 * changed since. New vectors go to the table that is not in use. Nothing reads this table until the
 * profile names it.
 *
 *   old table    in use ------------------------------> removed
 *   new table    cleared -> filled by the walk -> caught up -> in use
 *   writers      free ----------------------------> held -> free
 *
 * A step has three parts:
 * 1. Reads records from a snapshot.
 * 2. Embeds their texts, outside of any transaction.
 * 3. Writes the vectors of records that still have the embedded texts.
 *
 * Any change after the snapshot is in the change log. The last transaction sees the whole log, so
 * it changes the profile only when no vector is missing.
 */
class NamespaceReindex {
  readonly #parts: NamespaceReindexParts;
  readonly #namespace: Namespace;
  readonly #scope: Scope;
  readonly #call: Call;
  readonly #walk: RecordWalk;
  /** The table that this run fills. */
  #table: VectorTable;
  /** The commit up to which the change log has been read. */
  #seq = 0;
  #total = 0;
  #embedded = 0;
  readonly #refused = new Set<string>();

  constructor(parts: NamespaceReindexParts, namespace: Namespace, call: Call) {
    this.#parts = parts;
    this.#namespace = namespace;
    this.#scope = scopeOf(namespace);
    this.#call = call;
    this.#walk = new RecordWalk(parts.collection, namespace);
    this.#table = otherVectorTable(undefined, parts.collection);
  }

  progress(phase: ReindexPhase): NamespaceProgress {
    return {
      phase,
      memoriesDone: Math.min(this.#walk.recordsDone, this.#total),
      memoriesTotal: this.#total,
    };
  }

  outcome(): NamespaceOutcome {
    return { embedded: this.#embedded, refused: [...this.#refused] };
  }

  /** Empties the table that is not in use, step by step. */
  async *clear(phase: ReindexPhase): AsyncGenerator<NamespaceProgress> {
    for (let after = ""; ; ) {
      this.#parts.throwIfEnded();
      const { result, head } = await this.#parts.store.update(this.#scope, (tx) =>
        this.#removeChunk(tx, after),
      );
      this.#table = result.table;
      this.#seq = head.seq;
      if (result.last === undefined) return;
      after = result.last;
      yield this.progress(phase);
    }
  }

  /**
   * Fills the table that is not in use, and puts it in use. Returns false if the walk must start
   * over.
   */
  async *exchange(): AsyncGenerator<NamespaceProgress, boolean> {
    this.#walk.restart();
    this.#refused.clear();
    for (let gatings = 0; gatings < gatingsMax; gatings++) {
      let rounds = 0;
      do {
        if ((await this.#step()) === "again") return false;
        if (this.#walk.isEnded) rounds += 1;
        yield this.progress("EMBEDDING");
      } while (!this.#walk.isEnded || (this.#walk.staleCount > gatedMax && rounds < catchUpRounds));
      const outcome = await this.#finish();
      if (outcome !== "late") return outcome === "done";
    }
    throw reindexOvertaken(this.#namespace);
  }

  /**
   * Catches up completely while writers are held back, and puts the new vectors in use. After
   * `late` the walk continues where it stopped.
   */
  async #finish(): Promise<StepOutcome> {
    const { gate, gatedMaxMs } = this.#parts;
    const late = AbortSignal.timeout(gatedMaxMs);
    const open = gate.close(this.#namespace);
    try {
      for (;;) {
        let outcome: StepOutcome;
        do outcome = await this.#step(late);
        while (outcome === "more");
        if (outcome !== "done") return outcome;
        const { result } = await this.#parts.store.update(this.#scope, (tx) => this.#cutOver(tx));
        // `more`: some writers had passed the gate before it closed. The transaction wrote nothing,
        // so `update` has waited for their writes, and the next snapshot has them.
        if (result !== "more") return result;
      }
    } finally {
      open();
    }
  }

  async #removeChunk(
    tx: Transaction,
    after: string,
  ): Promise<{ table: VectorTable; last: string | undefined }> {
    const table = await this.#unusedTable(tx);
    if ((await tx.count(table, this.#namespace)) === 0) return { table, last: undefined };
    const ids: string[] = [];
    for await (const [id] of tx.scan(table, this.#namespace, { after })) {
      ids.push(id);
      if (ids.length === removedPerStep) break;
    }
    for (const id of ids) tx.delete(table, this.#namespace, id);
    return { table, last: ids.at(-1) };
  }

  /**
   * Embeds one batch. Returns `done` when the snapshot had nothing left. Returns `late` when the
   * signal aborted first.
   */
  async #step(late?: AbortSignal): Promise<StepOutcome> {
    const { store, throwIfEnded } = this.#parts;
    throwIfEnded();
    const batch = await this.#takeBatch();
    if (batch === undefined) return "again";
    if (batch.size === 0) return "done";
    const vectors = await this.#embedUnless(late, batch);
    if (vectors === undefined) return "late";
    throwIfEnded();
    const { result: isWritten } = await store.update(this.#scope, (tx) =>
      this.#write(tx, batch, vectors),
    );
    return isWritten ? "more" : "again";
  }

  /** Returns the next batch from the present state; `undefined` if the walk must start over. */
  async #takeBatch(): Promise<RecordBatch | undefined> {
    const { store, collection } = this.#parts;
    await using snapshot = await store.snapshot(this.#scope);
    if (!this.#walk.takeChanges(await store.changes(snapshot, this.#seq))) return undefined;
    this.#seq = snapshot.head.seq;
    this.#total = await snapshot.count(collection.table, this.#namespace);
    return await this.#walk.nextBatch(snapshot);
  }

  /**
   * Embeds a batch. Returns `undefined` if the signal aborts first. Then the ids of the batch count
   * as stale, because the walk has passed them.
   */
  async #embedUnless(
    late: AbortSignal | undefined,
    batch: RecordBatch,
  ): Promise<Map<string, Float32Array> | undefined> {
    const { signal } = this.#call;
    if (late === undefined) return this.#embed(batch, signal);
    try {
      const either = AbortSignal.any([late, signal]);
      either.throwIfAborted();
      return await this.#embed(batch, either);
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error;
      this.#walk.markStale(batch.keys());
      return undefined;
    }
  }

  /** Returns the vectors of a batch by id. A refused text has no vector. */
  async #embed(batch: RecordBatch, signal: AbortSignal): Promise<Map<string, Float32Array>> {
    const records = [...batch.values()].filter((record) => record !== undefined);
    const outcomes = await embedAccepted(
      this.#parts.embedder,
      records.map(({ content }) => content),
      signal,
    );
    for (const id of batch.keys()) this.#refused.delete(id);
    const vectors = new Map<string, Float32Array>();
    for (const [i, { id }] of records.entries()) {
      const vector = outcomes[i];
      if (vector === undefined) this.#refused.add(id);
      else vectors.set(id, vector);
    }
    this.#embedded += vectors.size;
    return vectors;
  }

  /** Returns the table that is not in use. */
  async #unusedTable(tx: Transaction): Promise<VectorTable> {
    const { collection } = this.#parts;
    return otherVectorTable(
      await tx.get("profiles", this.#namespace, collection.profileKey),
      collection,
    );
  }

  /**
   * Writes the vectors of records that have not changed. Returns false if the table is in use by
   * now, because the namespace was reset.
   */
  async #write(
    tx: Transaction,
    batch: RecordBatch,
    vectors: ReadonlyMap<string, Float32Array>,
  ): Promise<boolean> {
    if ((await this.#unusedTable(tx)) !== this.#table) return false;
    for (const [id, record] of batch) {
      const current = await this.#parts.collection.get(tx, this.#namespace, id);
      const vector = vectors.get(id);
      if (current !== undefined && current.content !== record?.content) continue;
      if (current === undefined || vector === undefined || !isKnown(vector))
        tx.delete(this.#table, this.#namespace, id);
      else tx.put(this.#table, this.#namespace, id, vector);
    }
    return true;
  }

  /** Puts the new vectors in use if none is missing. */
  async #cutOver(tx: Transaction): Promise<StepOutcome> {
    const changes = await tx.changes(this.#seq);
    if (changes === undefined || isCleared(changes, this.#namespace)) return "again";
    const { table, profileKey } = this.#parts.collection;
    const ids = touchedKeys(changes, table, this.#namespace);
    for (const id of ids) {
      if ((await tx.get(table, this.#namespace, id)) !== undefined) return "more";
    }
    for (const id of ids) {
      tx.delete(this.#table, this.#namespace, id);
      this.#refused.delete(id);
    }
    const { modelId, dimension } = this.#parts.embedder;
    tx.put("profiles", this.#namespace, profileKey, { modelId, dimension, table: this.#table });
    return "done";
  }
}

/** Returns one vector for each text, in the order of the texts; `undefined` for a refused text. */
async function embedAccepted(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (Float32Array | undefined)[]> {
  const outcomes = await embedEach(embedder, texts, signal);
  return outcomes.map((outcome) => (outcome instanceof Error ? undefined : outcome));
}

function reindexOvertaken({ userId, agentId }: Namespace): VademecumError {
  return new VademecumError(
    "ABORTED",
    "REINDEX_OVERTAKEN",
    `user '${userId}', agent '${agentId}' was reset again and again, or its writes outran the embedder; ` +
      "the old vectors stay in use, repeat the call when there are fewer writes or the embedder is faster",
  );
}
