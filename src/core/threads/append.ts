import { addMemories } from "../memories/add.js";
import { externalIdInUse, readIfUsed } from "../memories/external-id.js";
import { removeMemories } from "../memories/records.js";
import type { NewMemory } from "../memories/service.js";
import { defaultedFields } from "../memories/write-draft.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { threadOf } from "../model/thread.js";
import { isExpired } from "../model/visibility.js";
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
  return storeTurns(parts, "AppendTurns", input, () => Promise.resolve(), call);
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
  begin: (tx: Transaction, nowMs: number) => Promise<void>,
  call: Call,
): Promise<StoredTurns> {
  const { namespace, threadId, turns } = input;
  const memories = turns.map(
    (turn): NewMemory => ({ ...turn, memoryType: "CONVERSATION", threadId, onConflict: "KEEP" }),
  );
  const addition = {
    rpc,
    namespace,
    memories,
    paths: turns.map((_, at) => `turns[${at}]`),
    input: { ...input, turns: turns.map((turn) => ({ ...turn, ...defaultedFields(turn) })) },
    async begin(tx: Transaction, nowMs: number) {
      await begin(tx, nowMs);
      await requireOwnTurns(tx, input, nowMs);
    },
    finish: (tx: Transaction) => versionOf(tx, input),
  };
  const { ids, commitSeq, finished: version } = await addMemories(parts, addition, call);
  return { ids, version, commitSeq };
}

/**
 * Checks that the external ids of turns are new, or belong to turns of their thread.
 *
 * @throws ALREADY_EXISTS (EXTERNAL_ID_IN_USE)
 */
async function requireOwnTurns(
  tx: Transaction,
  { namespace, threadId, turns }: AppendTurnsInput,
  nowMs: number,
): Promise<void> {
  const now = instantOfMillis(nowMs);
  for (const [at, { externalId }] of turns.entries()) {
    if (externalId === undefined) continue;
    const known = await readIfUsed(tx, namespace, externalId);
    if (known === undefined || isExpired(known, now) || threadOf(known) === threadId) continue;
    const error = externalIdInUse(known, `it is no turn of thread '${threadId}', so`);
    throw error.withPaths((field) => `turns[${at}].${field}`);
  }
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
