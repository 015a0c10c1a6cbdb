import { type Namespace, namespaceMapKey } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { mutateWithin } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { insertDraft, withDrafts } from "./add.js";
import { mutateGrowing } from "./namespace-growth.js";
import type { AddInput, AddParts, MemoryBatch, NewMemory, StoredItem } from "./service.js";

/** Name of the RPC, for idempotency keys. Add and AddBatch share them. */
const rpc = "Add";

/** Maximum number of memories in one transaction. */
const groupSizeMax = 256;

/**
 * Approximate maximum size of a group, in bytes. A group beyond this size takes no further memory.
 * There is a limit because a store may encode and send all records of a transaction in one step.
 */
const groupBytes = 1024 * 1024;

/**
 * The index of a namespace with at most this many memories is loaded if necessary. The load takes
 * less than a tenth of a second. A larger index would displace others that searches use.
 */
const loadedSizeMax = 4096;

/** The transaction of a group. */
interface GroupTransaction {
  /**
   * The last error that the callback of `store.update` threw; the store may call it several times.
   * If the group fails with this error, the transaction has written nothing. After any other
   * failure, the outcome may be unknown, or an embedder has failed.
   */
  thrown?: unknown;
}

/** A memory that waits to be stored. */
interface Item {
  readonly input: AddInput;
  readonly resolve: (stored: StoredItem) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a batch, which stores the memories of a namespace in groups. A group is one transaction.
 * The memories that arrive while a group is being stored become the next group.
 */
export function openBatch(parts: AddParts, call: Call): MemoryBatch {
  /** The waiting memories of each namespace. An entry exists while a group is being stored. */
  const waiting = new Map<string, Item[]>();
  const storeAll = async (namespace: Namespace, mapKey: string, items: Item[]): Promise<void> => {
    while (items.length > 0) {
      const size = await storeGroup(parts, items.splice(0, groupLength(items)), call);
      bringIndexUp(parts, namespace, size, call);
    }
    waiting.delete(mapKey);
  };
  return {
    add: (input) =>
      new Promise((resolve, reject) => {
        const item = { input, resolve, reject };
        const { namespace } = input;
        const mapKey = namespaceMapKey(namespace);
        const items = waiting.get(mapKey);
        if (items !== undefined) {
          items.push(item);
          return;
        }
        const begun = [item];
        waiting.set(mapKey, begun);
        void storeAll(namespace, mapKey, begun);
      }),
  };
}

/** Returns how many of the waiting memories become the next group, at least one. */
function groupLength(items: readonly Item[]): number {
  let bytes = 0;
  for (const [at, { input }] of items.entries()) {
    if (at === groupSizeMax || bytes > groupBytes) return at;
    bytes += 2 * input.content.length + (input.embedding?.byteLength ?? 0);
  }
  return items.length;
}

/**
 * Brings the index up to the last commit in the background, so that the next search does not have
 * to. If this fails, the next search reports why.
 *
 * @param size an upper bound of the number of memories of the namespace
 */
function bringIndexUp(
  { index }: AddParts,
  namespace: Namespace,
  size: number,
  { signal }: Call,
): void {
  const read = () => undefined;
  const isUp =
    size <= loadedSizeMax
      ? index.read(namespace, signal, read)
      : index.readLoaded(namespace, signal, read);
  isUp.catch(() => undefined);
}

/**
 * Stores the memories of a group and settles each of them. If the callback of the transaction
 * throws, for example because a memory cannot be stored, the transaction writes nothing. The two
 * halves of the group then get transactions of their own, one after the other. After any other
 * error, all memories of the group fail, and if the call has ended, none is stored. Never rejects.
 *
 * Returns an upper bound of the number of memories of the namespace; `Infinity` if unknown.
 */
async function storeGroup(parts: AddParts, group: readonly Item[], call: Call): Promise<number> {
  const transaction: GroupTransaction = {};
  try {
    call.throwIfEnded();
    const inputs = group.map(({ input }) => input);
    const { ids, size } = await addTogether(parts, inputs, transaction, call);
    for (const [at, { resolve }] of group.entries()) resolve({ id: ids[at] as string });
    return size;
  } catch (error) {
    if (error === transaction.thrown && group.length > 1) {
      const half = group.length >>> 1;
      await storeGroup(parts, group.slice(0, half), call);
      return storeGroup(parts, group.slice(half), call);
    }
    for (const { reject } of group) reject(error);
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns a store that notes in `transaction` what the function of an update throws. */
function noting(
  store: Pick<Store, "update">,
  transaction: GroupTransaction,
): Pick<Store, "update"> {
  return {
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

/** The outcome of storing a group. */
interface StoredGroup {
  /** The ids of the memories, in their order. */
  readonly ids: readonly string[];
  /** An upper bound of the number of memories of the namespace. */
  readonly size: number;
}

/** Stores memories of one namespace in their order, all or none. */
async function addTogether(
  parts: AddParts,
  inputs: readonly AddInput[],
  transaction: GroupTransaction,
  call: Call,
): Promise<StoredGroup> {
  const { namespace } = inputs[0] as AddInput;
  const memories = inputs.map((input): NewMemory => {
    const { namespace: _, idempotencyKey: __, ...memory } = input;
    return memory;
  });
  const { result } = await withDrafts(parts, namespace, memories, call, (drafts, nowMs) => {
    const common = { rpc, target: namespace, nowMs };
    const group = { ...common, input: {}, quota: call.quota };
    const store = noting(parts.store, transaction);
    return mutateGrowing({ ...parts, store }, group, async (tx) => {
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const pause = createPause();
      const ids: string[] = [];
      for (const [at, draft] of drafts.entries()) {
        const mutation = { ...common, input: inputs[at] as AddInput };
        const reply = await mutateWithin(parts, tx, mutation, async () => {
          await insertDraft(tx, namespace, parts.embedders, draft, times);
          return { id: draft.id, seq: tx.head.seq + 1, nearDuplicates: [] };
        });
        ids.push(reply.id);
        await pause();
      }
      return { ids, size: tx.countAtMost("memories", namespace) };
    });
  });
  return result;
}
