import { VademecumError } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, type Scope, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { type Embedder, embedEach } from "../ports/embedder.js";
import type { Change, Snapshot, Store, Transaction, VectorTable } from "../ports/store.js";
import { touchedKeys } from "../requests/touched-keys.js";
import { type Collection, otherVectorTable } from "../vectors/collection.js";
import { isKnown } from "../vectors/vectors.js";
import type { WriteGate } from "../vectors/write-gate.js";
import type { ReindexPhase } from "./reindex.js";

/** Most texts that are embedded at once and written in one transaction, and most UTF-16 units that they have together unless one alone has more: what keeps others waiting for milliseconds only. */
const batchMaxTexts = 64;
const batchMaxLength = 64 * 1024;

/** Vectors that one transaction removes. */
const removedPerStep = 256;

/** Writers are held back when so few records are left, or when so many rounds of catching up did not lead there. */
const gatedMax = 16;
const catchUpRounds = 8;

/** How often writers are held back because the embedder took too long the time before. */
const gatingsMax = 3;

/** How often the walk begins anew because the change log has gone on without it. */
const walksMax = 3;

/** What a namespace is reindexed with. */
export interface NamespaceReindexParts {
  readonly store: Store;
  readonly gate: WriteGate;
  /** How long the embedder may take while writers are held back, in milliseconds. */
  readonly gatedMaxMs: number;
  readonly embedder: Embedder;
  readonly collection: Collection;
  /** Called before each step: ends the run if it throws. */
  readonly throwIfEnded: () => void;
}

/** How far it is. */
export interface NamespaceProgress {
  readonly phase: ReindexPhase;
  readonly memoriesDone: number;
  readonly memoriesTotal: number;
}

/** What came of it. */
export interface NamespaceOutcome {
  /** Texts that were embedded. */
  readonly embedded: number;
  /** Records that have no vector because the embedder does not take their texts. */
  readonly refused: readonly string[];
}

/** What became of a step: `again` when the namespace was reset or the change log did not reach back, so that the walk has to begin anew; `late` when the embedder takes longer than writers may be held back. */
type StepOutcome = "done" | "more" | "again" | "late";

/** Gives the records of a collection in a namespace new vectors. */
export async function* reindexNamespace(
  parts: NamespaceReindexParts,
  namespace: Namespace,
  call: Call,
): AsyncGenerator<NamespaceProgress, NamespaceOutcome> {
  const run = new NamespaceReindex(parts, namespace, call);
  for (let walk = 1; ; walk++) {
    yield* run.clear("CLEARING");
    if (yield* run.exchange()) break;
    if (walk === walksMax) throw overtaken(namespace);
  }
  yield* run.clear("REMOVING");
  yield run.progress("DONE");
  return run.outcome();
}

/** Removes the vectors of a namespace that are not in use any more. */
export async function* removeOldVectors(
  parts: NamespaceReindexParts,
  namespace: Namespace,
  call: Call,
): AsyncGenerator<NamespaceProgress> {
  yield* new NamespaceReindex(parts, namespace, call).clear("REMOVING");
}

/**
 * One walk over a namespace's records, and over what the change log tells of since. The new vectors go to the table that is not in use; nobody reads it before the profile names it.
 *
 * Each step looks at a snapshot, embeds outside of any transaction, and then writes a vector only where the record still has the text that was embedded; whatever happened meanwhile is in the change log behind that snapshot.
 * The last transaction sees all of the log, so the profile is only changed when nothing is missing.
 */
class NamespaceReindex {
  readonly #parts: NamespaceReindexParts;
  readonly #namespace: Namespace;
  readonly #scope: Scope;
  readonly #call: Call;
  /** The table that is being filled. */
  #table: VectorTable;
  /** Greatest id that the walk has met, in the order of their bytes. */
  #cursor = "";
  #walked = false;
  /** Records that the walk will not meet any more and that were added, changed or deleted since they were embedded. */
  #stale = new Set<string>();
  /** The commit up to which the change log was read. */
  #seq = 0;
  #total = 0;
  #done = 0;
  #embedded = 0;
  readonly #refused = new Set<string>();

  constructor(parts: NamespaceReindexParts, namespace: Namespace, call: Call) {
    this.#parts = parts;
    this.#namespace = namespace;
    this.#scope = scopeOf(namespace);
    this.#call = call;
    this.#table = otherVectorTable(undefined, parts.collection);
  }

  progress(phase: ReindexPhase): NamespaceProgress {
    return { phase, memoriesDone: Math.min(this.#done, this.#total), memoriesTotal: this.#total };
  }

  outcome(): NamespaceOutcome {
    return { embedded: this.#embedded, refused: [...this.#refused] };
  }

  /** Empties the table that is not in use, step by step. */
  async *clear(phase: ReindexPhase): AsyncGenerator<NamespaceProgress> {
    for (let after = ""; ; ) {
      this.#parts.throwIfEnded();
      const { result, head } = await this.#parts.store.update(this.#scope, (tx) =>
        this.#removeSome(tx, after),
      );
      this.#table = result.table;
      this.#seq = head.seq;
      if (result.last === undefined) return;
      after = result.last;
      yield this.progress(phase);
    }
  }

  /** Fills the other table and puts it in use. Returns false if the walk has to begin anew. */
  async *exchange(): AsyncGenerator<NamespaceProgress, boolean> {
    this.#cursor = "";
    this.#walked = false;
    this.#stale.clear();
    this.#refused.clear();
    this.#done = 0;
    for (let gatings = 0; gatings < gatingsMax; gatings++) {
      let rounds = 0;
      do {
        if ((await this.#step()) === "again") return false;
        if (this.#walked) rounds += 1;
        yield this.progress("EMBEDDING");
      } while (!this.#walked || (this.#stale.size > gatedMax && rounds < catchUpRounds));
      const outcome = await this.#finish();
      if (outcome !== "late") return outcome === "done";
    }
    throw overtaken(this.#namespace);
  }

  /** Catches up to the end with writers held back, and puts the new vectors in use. Late: it did not, and the walk goes on where it was. */
  async #finish(): Promise<StepOutcome> {
    const { gate, gatedMaxMs } = this.#parts;
    const late = AbortSignal.timeout(gatedMaxMs);
    const open = gate.close(this.#namespace);
    try {
      for (;;) {
        let caughtUp: StepOutcome;
        do caughtUp = await this.#step(late);
        while (caughtUp === "more");
        if (caughtUp !== "done") return caughtUp;
        const { result } = await this.#parts.store.update(this.#scope, (tx) => this.#cutOver(tx));
        // More: writers that were under way. This wrote nothing, so it has waited until what they wrote is in the next snapshot.
        if (result !== "more") return result;
      }
    } finally {
      open();
    }
  }

  async #removeSome(
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

  /** Embeds one batch. Done: nothing was left at the time of the snapshot. Late: the signal aborted before. */
  async #step(late?: AbortSignal): Promise<StepOutcome> {
    const { store, throwIfEnded } = this.#parts;
    throwIfEnded();
    const batch = await this.#takeBatch();
    if (batch === undefined) return "again";
    if (batch.size === 0) return "done";
    const vectors = await this.#embedUnless(late, batch);
    if (vectors === undefined) return "late";
    throwIfEnded();
    const { result: written } = await store.update(this.#scope, (tx) =>
      this.#write(tx, batch, vectors),
    );
    return written ? "more" : "again";
  }

  /** What to embed next, of the state as it is now; `undefined` where the walk has to begin again. */
  async #takeBatch(): Promise<Map<string, Memory | undefined> | undefined> {
    const { store, collection } = this.#parts;
    await using snapshot = await store.snapshot(this.#scope);
    if (!this.#takeChanges(await store.changes(snapshot, this.#seq))) return undefined;
    this.#seq = snapshot.head.seq;
    this.#total = await snapshot.count(collection.table, this.#namespace);
    return await this.#nextBatch(snapshot);
  }

  /** As `#embed`; `undefined` if the signal aborts before: then the batch, which is behind the walk, is still to be done. */
  async #embedUnless(
    late: AbortSignal | undefined,
    batch: ReadonlyMap<string, Memory | undefined>,
  ): Promise<Map<string, Float32Array> | undefined> {
    const { signal } = this.#call;
    if (late === undefined) return this.#embed(batch, signal);
    try {
      const either = AbortSignal.any([late, signal]);
      either.throwIfAborted();
      return await this.#embed(batch, either);
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error;
      for (const id of batch.keys()) this.#stale.add(id);
      return undefined;
    }
  }

  /** The vectors of a batch's records, but of those whose texts the embedder does not take. */
  async #embed(
    batch: ReadonlyMap<string, Memory | undefined>,
    signal: AbortSignal,
  ): Promise<Map<string, Float32Array>> {
    const records = [...batch.values()].filter((record) => record !== undefined);
    const made = await embedTaken(
      this.#parts.embedder,
      records.map(({ content }) => content),
      signal,
    );
    for (const id of batch.keys()) this.#refused.delete(id);
    const vectors = new Map<string, Float32Array>();
    for (const [i, { id }] of records.entries()) {
      const vector = made[i];
      if (vector === undefined) this.#refused.add(id);
      else vectors.set(id, vector);
    }
    this.#embedded += vectors.size;
    return vectors;
  }

  /** Notes what has changed where the walk has been. False: the namespace was reset, or the log does not tell. */
  #takeChanges(changes: readonly Change[] | undefined): boolean {
    if (
      changes === undefined ||
      changes.some(({ cleared }) => cleared.includes(this.#namespace.agentId))
    )
      return false;
    const cursor = Buffer.from(this.#cursor);
    for (const id of touchedKeys(changes, this.#parts.collection.table, this.#namespace)) {
      if (this.#walked || Buffer.from(id).compare(cursor) <= 0) this.#stale.add(id);
    }
    return true;
  }

  /** The next records of the walk, or stale ones once it has ended; `undefined` stands for one that was deleted. */
  async #nextBatch(snapshot: Snapshot): Promise<Map<string, Memory | undefined>> {
    const { collection } = this.#parts;
    const batch = new Map<string, Memory | undefined>();
    let length = 0;
    const isFull = () => batch.size >= batchMaxTexts || length >= batchMaxLength;
    if (!this.#walked) {
      let metEnd = true;
      for await (const [id, record] of collection.scan(snapshot, this.#namespace, {
        after: this.#cursor,
      })) {
        batch.set(id, record);
        length += record.content.length;
        this.#cursor = id;
        metEnd = !isFull();
        if (!metEnd) break;
      }
      this.#walked = metEnd;
      this.#done += batch.size;
    }
    for (const id of this.#stale) {
      if (isFull()) break;
      const record = await collection.get(snapshot, this.#namespace, id);
      batch.set(id, record);
      length += record?.content.length ?? 0;
      this.#stale.delete(id);
    }
    return batch;
  }

  /** The table that is not in use. */
  async #unusedTable(tx: Transaction): Promise<VectorTable> {
    const { collection } = this.#parts;
    return otherVectorTable(
      await tx.get("profiles", this.#namespace, collection.profileKey),
      collection,
    );
  }

  /** Writes what still holds. False: the table is in use by now, because the namespace was reset. */
  async #write(
    tx: Transaction,
    batch: ReadonlyMap<string, Memory | undefined>,
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
    const changes = tx.changes(this.#seq);
    if (
      changes === undefined ||
      changes.some(({ cleared }) => cleared.includes(this.#namespace.agentId))
    )
      return "again";
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

/** One vector a text, in their order; none for a text that the embedder does not take. */
async function embedTaken(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (Float32Array | undefined)[]> {
  const outcomes = await embedEach(embedder, texts, signal);
  return outcomes.map((outcome) => (outcome instanceof Error ? undefined : outcome));
}

function overtaken({ userId, agentId }: Namespace): VademecumError {
  return new VademecumError(
    "ABORTED",
    "REINDEX_OVERTAKEN",
    `user '${userId}', agent '${agentId}' is reset again and again, or written to faster than its texts can be embedded, or the embedder is too slow; the old vectors stay in use, repeat the call when less is written or the embedder is faster`,
  );
}
