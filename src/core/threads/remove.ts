import { removeMemories } from "../memories/records.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { requireWriter } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Reader, Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutate } from "../requests/mutate.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import type {
  ClearThreadInput,
  PoppedTurn,
  PopTurnInput,
  ThreadName,
  ThreadServiceParts,
} from "./service.js";
import { isShown, threadTooLong, threadTurnsMax, turnsOf } from "./turns.js";

/** Deletes the last turn of a thread. */
export async function popTurn(
  parts: ThreadServiceParts,
  input: PopTurnInput,
  call: Call,
): Promise<PoppedTurn> {
  const popped: { turn?: Memory } = {};
  // A repetition finds a stored reply, which has no text.
  const forget = () => {
    delete popped.turn;
  };
  const { id } = await removeTurns(
    parts,
    "PopTurn",
    input,
    call,
    forget,
    async (tx, nowMs, remove) => {
      const turn = await lastTurn(tx, input, nowMs);
      if (turn === undefined) return {};
      requireWriter(call.principal, turn, "thread_id");
      await remove(new Set([turn.id]));
      popped.turn = turn;
      return { id: turn.id };
    },
  );
  const { turn } = popped;
  return { ...(id !== undefined && { id }), ...(turn !== undefined && { turn }) };
}

async function lastTurn(
  tx: Transaction,
  thread: ThreadName,
  nowMs: number,
): Promise<Memory | undefined> {
  const now = instantOfMillis(nowMs);
  for await (const turn of turnsOf(tx, thread, { reverse: true }))
    if (await isShown(tx, thread, turn, now)) return turn;
  return undefined;
}

/** Deletes all turns of a thread. */
export function clearThread(
  parts: ThreadServiceParts,
  input: ClearThreadInput,
  call: Call,
): Promise<{ deleted: number }> {
  const nothing = () => undefined;
  return removeTurns(parts, "ClearThread", input, call, nothing, async (tx, _, remove) => {
    const ids = await idsOfThread(tx, input, call);
    await remove(ids);
    return { deleted: ids.size };
  });
}

/**
 * Returns the ids of all turns of a thread, to delete them.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not delete one of the turns
 * @throws FAILED_PRECONDITION (THREAD_TOO_LONG) when there are more than 10,000 turns
 */
export async function idsOfThread(
  reader: Reader,
  thread: ThreadName,
  call: Call,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const turn of turnsOf(reader, thread)) {
    call.throwIfEnded();
    requireWriter(call.principal, turn, "thread_id");
    if (ids.size === threadTurnsMax)
      throw threadTooLong(
        `has more than ${threadTurnsMax} turns, the most that one call deletes`,
        "delete older turns with DeleteWhere first",
      );
    ids.add(turn.id);
  }
  return ids;
}

/**
 * Runs a mutation that deletes turns with the function `remove`, which it calls at most once.
 *
 * @param onRun called before each attempt (`Mutation.onRun`)
 */
function removeTurns<T>(
  parts: ThreadServiceParts,
  rpc: string,
  input: PopTurnInput,
  { allowance }: Call,
  onRun: () => void,
  write: (
    tx: Transaction,
    nowMs: number,
    remove: (ids: ReadonlySet<string>) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const { namespace } = input;
  const { userId } = namespace;
  return changeProposals(parts, userId, (changed) =>
    releaseIndexIfEmpty(parts.index, "memories", namespace, (rest) => {
      const forgetAll = () => {
        rest.onRun();
        onRun();
      };
      const removal = { allowance, removes: true, onRun: forgetAll };
      const mutation = { rpc, target: namespace, input, ...removal };
      return mutate(parts, mutation, (tx, nowMs) =>
        write(tx, nowMs, async (ids) => {
          await removeMemories({ tx, userId, nowMs, changed }, namespace, ids);
          await rest.count(tx);
        }),
      );
    }),
  );
}
