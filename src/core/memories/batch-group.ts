import { VademecumError } from "../model/errors.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Head } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { isReusedKey } from "../requests/idempotency.js";
import { type MutationParts, mutateWithin } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { type PreparedMemories, prepareMemories, standsWhileStored } from "./add.js";
import { mutateGrowing } from "./namespace-growth.js";
import type { AddInput, AddParts, NewMemory, StoredItem } from "./service.js";
import { type WrittenMemory, withDefaults, writeDraft } from "./write-draft.js";

/** Name of the RPC, for idempotency keys. Add and AddBatch share their keys. */
const rpc = "Add";

/** A memory that waits to be stored. */
export interface Item {
  readonly input: AddInput;
  readonly resolve: (stored: StoredItem) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores memories of one namespace in their order and settles each item's promise. Never rejects.
 *
 * Returns an upper bound of the number of memories of the namespace; `Infinity` if unknown.
 */
export async function storeGroup(
  parts: AddParts,
  items: readonly Item[],
  call: Call,
): Promise<number> {
  try {
    const { namespace } = (items[0] as Item).input;
    const memories: NewMemory[] = items.map(({ input }) => input);
    const prepared = await prepareMemories(parts, namespace, memories, call);
    return await new Group(parts, items, prepared, call).store(0, items.length);
  } catch (error) {
    for (const { reject } of items) reject(error);
    return Number.POSITIVE_INFINITY;
  }
}

/** The transaction of a part of a group. */
interface PartTransaction {
  /**
   * The last error that the callback of `store.update` threw; the store may call it several times.
   * If the part fails with this error, the transaction has written nothing. After any other
   * failure, the outcome may be unknown, or an embedder has failed.
   */
  thrown?: unknown;
}

/** The outcome of storing a part of a group. */
interface StoredPart {
  /** The memories in their order. */
  readonly stored: readonly StoredItem[];
  /** An upper bound of the number of memories of the namespace. */
  readonly size: number;
}

/** A group of memories. Its parts share the counts of tokens and the vectors. */
class Group {
  /**
   * The error of a memory that exceeded the maximum number of memories of the namespace or the
   * user. Absent until there is one.
   */
  #full: VademecumError | undefined;

  constructor(
    private readonly parts: AddParts,
    private readonly items: readonly Item[],
    private readonly prepared: PreparedMemories,
    private readonly call: Call,
  ) {}

  /**
   * Stores the memories from `start` up to, but not including, `end`, and settles each of them. If
   * the callback of the transaction throws, for example because a memory cannot be stored, the
   * transaction writes nothing. The two halves of the part then get transactions of their own, one
   * after the other. After any other error, all memories of the part fail. If the call has ended,
   * none is stored. Never rejects.
   *
   * Returns what `storeGroup` returns.
   */
  async store(start: number, end: number): Promise<number> {
    const items = this.items.slice(start, end);
    const transaction: PartTransaction = {};
    try {
      this.call.throwIfEnded();
      if (this.#full !== undefined) {
        await this.#answerRepetitions(items, this.#full);
        return Number.POSITIVE_INFINITY;
      }
      const { stored, size } = await this.#write(start, end, transaction);
      for (const [at, { resolve }] of items.entries()) resolve(stored[at] as StoredItem);
      return size;
    } catch (error) {
      if (error === transaction.thrown && items.length > 1) {
        const middle = (start + end) >>> 1;
        await this.store(start, middle);
        return this.store(middle, end);
      }
      if (isFull(error)) this.#full = error;
      for (const { reject } of items) reject(error);
      return Number.POSITIVE_INFINITY;
    }
  }

  /** Writes memories in their order, all or none. */
  async #write(start: number, end: number, transaction: PartTransaction): Promise<StoredPart> {
    const { parts, items, call } = this;
    const { namespace } = (items[start] as Item).input;
    const { result, head } = await this.prepared.withDrafts(
      (drafts, nowMs) => {
        const whole = { rpc, target: namespace, nowMs, input: {}, allowance: call.allowance };
        const store = noting(parts.store, transaction);
        return mutateGrowing({ ...parts, store }, whole, async (tx) => {
          const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
          const pause = createPause();
          const written: ItemReply[] = [];
          for (const [at, draft] of drafts.entries()) {
            const { input } = items[start + at] as Item;
            const mutation = repeatable(namespace, input, nowMs);
            const reply = await mutateWithin(parts, tx, mutation, async () => {
              const { id, outcome } = await writeDraft(tx, namespace, parts, draft, times, call);
              return { id, outcome, seq: tx.head.seq + 1, nearDuplicates: [] };
            });
            written.push(reply);
            await pause();
          }
          return { written, size: tx.countAtMost("memories", namespace) };
        });
      },
      start,
      end,
    );
    const stored = result.written.map((reply) => storedItem(reply, head, namespace));
    return { stored, size: result.size };
  }

  /**
   * Settles memories after the maximum number of memories was reached. Only a memory that was
   * stored earlier, with the same idempotency key, succeeds.
   */
  async #answerRepetitions(items: readonly Item[], full: VademecumError): Promise<void> {
    const { store, clock } = this.parts;
    const { namespace } = (items[0] as Item).input;
    const nowMs = clock.nowMs();
    const refuse = (): Promise<ItemReply> => Promise.reject(full);
    const { result, head } = await store.update(scopeOf(namespace), async (tx) => {
      const pause = createPause();
      const outcomes: (ItemReply | VademecumError)[] = [];
      for (const { input } of items) {
        const reply = mutateWithin(this.parts, tx, repeatable(namespace, input, nowMs), refuse);
        outcomes.push(await reply.catch(errorOfItem(full)));
        await pause();
      }
      return outcomes;
    });
    for (const [at, { resolve, reject }] of items.entries()) {
      const outcome = result[at] as ItemReply | VademecumError;
      if (outcome instanceof VademecumError) reject(outcome);
      else resolve(storedItem(outcome, head, namespace));
    }
  }
}

/** The stored reply of one memory of a group. `seq` is the number of its commit. */
type ItemReply = WrittenMemory & { readonly seq: number };

function storedItem(
  { id, outcome, seq }: ItemReply,
  { epoch, seq: lastSeq }: Head,
  { userId }: Namespace,
): StoredItem {
  // A transaction that only keeps memories commits nothing. Then `seq` is one too high.
  return { id, outcome, commitSeq: commitSeqOf({ epoch, seq: Math.min(seq, lastSeq) }, userId) };
}

/** Returns the mutation of one memory of a group. */
function repeatable(namespace: Namespace, input: AddInput, nowMs: number) {
  return {
    ...{ rpc, target: namespace, nowMs, input: withDefaults(input) },
    stands: standsWhileStored(namespace, nowMs),
  };
}

/**
 * Returns a handler of errors. It returns an error that concerns a single memory, and rethrows any
 * other error.
 */
function errorOfItem(full: VademecumError): (error: unknown) => VademecumError {
  return (error) => {
    if (error instanceof VademecumError && (error === full || isReusedKey(error))) return error;
    throw error;
  };
}

/** Whether the error of one memory says that no other memory can be added either. */
function isFull(error: unknown): error is VademecumError {
  if (!(error instanceof VademecumError)) return false;
  const { reason, metadata } = error;
  // A smaller memory may fit into the bytes of a quota that are left.
  return (
    reason === "NAMESPACE_TOO_LARGE" ||
    (reason === "QUOTA_EXCEEDED" && metadata["quota"] === "memories")
  );
}

/** Returns a store that notes in `transaction` what the function of an update throws. */
function noting(
  store: MutationParts["store"],
  transaction: PartTransaction,
): MutationParts["store"] {
  return {
    reserve: (allowance) => store.reserve(allowance),
    update: (scope, transact) =>
      store.update(scope, async (tx) => {
        try {
          return await transact(tx);
        } catch (error) {
          transaction.thrown = error;
          throw error;
        }
      }),
  };
}
