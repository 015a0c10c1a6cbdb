import { VademecumError } from "../model/errors.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { createPause } from "../requests/pause.js";
import { isStored, prepareMemories } from "./add.js";
import { bringIndexUp } from "./batch.js";
import { mutateGrowing } from "./namespace-growth.js";
import type { AddManyInput, AddManyResult, AddParts, NewMemory } from "./service.js";
import { defaultedFields, type WrittenMemory, writeDraft } from "./write-draft.js";

/**
 * Stores several memories in their order in one transaction. Leaves out those that cannot be
 * stored, and returns their errors. Does not look for near-duplicates.
 *
 * A repetition stores those memories again that were deleted or have expired since, and tries to
 * store those that were left out.
 */
export async function addMany(
  parts: AddParts,
  input: AddManyInput,
  call: Call,
): Promise<AddManyResult> {
  const { namespace } = input;
  const valid = input.memories.filter(isMemory);
  const prepared = await prepareMemories(parts, namespace, valid, call);
  /** The results of the last attempt that wrote the memories. */
  let results: readonly (WrittenMemory | VademecumError)[] = [];
  let size = Number.POSITIVE_INFINITY;
  const { result, head } = await prepared.withDrafts((drafts, nowMs) => {
    const isKept = (tx: Transaction, item: WrittenMemory | null): Promise<boolean> =>
      item === null ? Promise.resolve(false) : isStored(tx, namespace, item.id, nowMs);
    const mutation = {
      ...{
        rpc: "AddMany",
        target: namespace,
        input: compared(input),
        nowMs,
        allowance: call.allowance,
      },
      async stands(tx: Transaction, { items }: StoredReply) {
        for (const item of items) if (!(await isKept(tx, item))) return false;
        return true;
      },
    };
    return mutateGrowing<StoredReply>(parts, mutation, async (tx, _, earlier) => {
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const pause = createPause(() => call.throwIfEnded());
      const rest = drafts.values();
      const written: (WrittenMemory | VademecumError)[] = [];
      for (const [at, memory] of input.memories.entries()) {
        const draft = isMemory(memory) ? rest.next().value : undefined;
        const known = earlier?.items[at] ?? null;
        if (draft === undefined) written.push(memory as VademecumError);
        else if (known !== null && (await isKept(tx, known))) written.push(known);
        else
          written.push(
            await writeDraft(tx, namespace, parts, draft, times, call).catch(errorOfItem),
          );
        await pause();
      }
      results = written;
      size = tx.countAtMost("memories", namespace);
      const items = written.map((it) => (it instanceof VademecumError ? null : it));
      return { items, seq: tx.head.seq + 1 };
    });
  });
  bringIndexUp(parts, namespace, size, call);
  // Without a write, the transaction commits nothing. Then `result.seq` is one too high.
  const seq = Math.min(result.seq, head.seq);
  return {
    // A memory without an entry was left out, so it is in the results of this call.
    results: result.items.map((item, at) => item ?? (results[at] as VademecumError)),
    commitSeq: commitSeqOf({ epoch: head.epoch, seq }, namespace.userId),
  };
}

/** The stored reply. A memory that was left out is null. `seq` is the number of the commit. */
interface StoredReply {
  readonly items: readonly (WrittenMemory | null)[];
  readonly seq: number;
}

function isMemory(memory: NewMemory | VademecumError): memory is NewMemory {
  return !(memory instanceof VademecumError);
}

/** Returns the input as a repetition must have it. A faulty memory equals any faulty memory. */
function compared(input: AddManyInput) {
  if (input.idempotencyKey === undefined) return input;
  const memories = input.memories.map((memory) =>
    isMemory(memory) ? { ...memory, ...defaultedFields(memory) } : null,
  );
  return { ...input, memories };
}

/** Returns an error that concerns a single memory, and rethrows any other error. */
export function errorOfItem(error: unknown): VademecumError {
  if (error instanceof VademecumError && itemCodes.has(error.code)) return error;
  throw error;
}

/** The codes of errors of a single memory. Other errors, such as UNAVAILABLE, concern the store. */
const itemCodes: ReadonlySet<string> = new Set([
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "FAILED_PRECONDITION",
  "PERMISSION_DENIED",
  "ABORTED",
]);
