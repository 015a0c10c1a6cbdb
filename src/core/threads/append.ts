import { type Addition, addMemories } from "../memories/add.js";
import { removeMemories } from "../memories/records.js";
import type { NewMemory } from "../memories/service.js";
import { defaultedFields } from "../memories/write-draft.js";
import { VademecumError } from "../model/errors.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { idsOfThread } from "./remove.js";
import type {
  AppendTurnsInput,
  ReplaceThreadInput,
  StoredTurns,
  ThreadName,
  ThreadServiceParts,
} from "./service.js";

/** Stores turns at the end of a thread, in one transaction. */
export function appendTurns(
  parts: ThreadServiceParts,
  input: AppendTurnsInput,
  call: Call,
): Promise<StoredTurns> {
  return storeTurns(parts, "AppendTurns", input, () => undefined, call);
}

/** Deletes the turns of a thread and stores others, in one transaction. */
export function replaceThread(
  parts: ThreadServiceParts,
  input: ReplaceThreadInput,
  call: Call,
): Promise<StoredTurns> {
  const { namespace, expectedVersion } = input;
  const { userId } = namespace;
  return changeProposals(parts, userId, (changed) => {
    const begin = async (tx: Transaction, nowMs: number): Promise<void> => {
      if (expectedVersion !== undefined) await requireVersion(tx, input, expectedVersion);
      const ids = await idsOfThread(tx, input, call);
      await removeMemories({ tx, userId, nowMs, changed }, namespace, ids);
    };
    return storeTurns(parts, "ReplaceThread", input, begin, call);
  });
}

async function storeTurns(
  parts: ThreadServiceParts,
  rpc: string,
  input: AppendTurnsInput,
  begin: Addition["begin"],
  call: Call,
): Promise<StoredTurns> {
  const { namespace, threadId, turns } = input;
  const memories = turns.map(
    (turn): NewMemory => ({ ...turn, memoryType: "CONVERSATION", threadId }),
  );
  const addition = {
    rpc,
    namespace,
    memories,
    paths: turns.map((_, at) => `turns[${at}]`),
    input: { ...input, turns: turns.map((turn) => ({ ...turn, ...defaultedFields(turn) })) },
    begin,
    finish: (tx: Transaction) => versionOf(tx, input),
  };
  const { ids, commitSeq, finished: version } = await addMemories(parts, addition, call);
  return { ids, version, commitSeq };
}

async function versionOf(tx: Transaction, { namespace, threadId }: ThreadName): Promise<number> {
  return (await tx.get("threads", namespace, threadId))?.version ?? 0;
}

async function requireVersion(
  tx: Transaction,
  thread: ThreadName,
  expectedVersion: number,
): Promise<void> {
  const version = await versionOf(tx, thread);
  if (version === expectedVersion) return;
  const state =
    version === 0
      ? `thread '${thread.threadId}' has no turns`
      : `thread '${thread.threadId}' is at version ${version}, not ${expectedVersion}`;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `${state}; read its turns again and repeat the change`,
    {
      field: "expected_version",
      fields: [
        {
          field: "expected_version",
          description: `must be ${version}, the thread's version now`,
        },
      ],
    },
  );
}
