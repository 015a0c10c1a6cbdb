import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { defaultVersionsMax } from "../model/memory-version.js";
import type { Namespace } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import { requireWriter } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import type { Idempotent } from "../requests/idempotency.js";
import { mutateWithHead } from "../requests/mutate.js";
import { noTextVectors } from "../vectors/text-vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { changeMemory, type MemoryChange, withClearedDefaults, withNewContent } from "./change.js";
import { namedNotFound, readNamed } from "./external-id.js";
import { findNamespace } from "./find-namespace.js";
import { requireFuture } from "./records.js";
import type { MemoryName, MemoryServiceParts, UpdatedMemory, UpdateInput } from "./service.js";

/** Changes fields of a memory. New content gets a new vector and a new token count. */
export async function updateMemory(
  parts: MemoryServiceParts,
  input: UpdateInput,
  call: Call,
): Promise<UpdatedMemory> {
  const { changes } = input;
  const namespace = await findNamespace(parts.store, input.namespace, input, call);
  if (namespace === undefined) throw namedNotFound(input);
  const located = { ...input, namespace };
  const { embedding: given, content } = changes;
  if (content !== undefined && given === undefined) {
    return withNewContent(parts, namespace, content, call, ({ tokenCount, vectors: made }) =>
      commitChange(parts, updateOf(located, input), call, {
        changes,
        tokenCount,
        vectors: { given, made },
        writer: call.principal.name,
      }),
    );
  }
  const tokenCount = content === undefined ? undefined : await parts.tokens.countInTurns(content);
  await writesAllowed(parts.gate, namespace, call);
  return commitChange(parts, updateOf(located, input), call, {
    changes,
    tokenCount,
    vectors: { given, made: noTextVectors },
    writer: call.principal.name,
  });
}

/** A call that changes one memory. */
export interface MemoryUpdate {
  readonly rpc: string;
  readonly input: Omit<UpdateInput, "changes"> & { readonly namespace: Namespace };
  /** The input as a repetition must have it. */
  readonly compared: Idempotent;
}

function updateOf(input: MemoryUpdate["input"], given: UpdateInput): MemoryUpdate {
  const changes = withClearedDefaults(given.changes);
  const compared = { ...given, namespace: input.namespace, changes };
  return { rpc: "Update", input, compared };
}

/**
 * Changes a memory in a transaction. A repetition returns the memory as it is now.
 *
 * @param change.require throws if the memory may not be changed
 */
export async function commitChange(
  parts: MemoryServiceParts,
  { rpc, input, compared }: MemoryUpdate,
  { allowance, principal }: Call,
  change: MemoryChange & {
    readonly require?: (tx: Transaction, memory: Memory) => Promise<void>;
  },
): Promise<UpdatedMemory> {
  const { namespace, expectedVersion, includeExpired } = input;
  const clockMs = parts.clock.nowMs();
  const now = instantOfMillis(clockMs);
  const outcome: { before?: Memory; changed?: Memory; replayed?: Memory } = {};
  const read = async (tx: Transaction, name: MemoryName): Promise<Memory | undefined> => {
    const found = await readNamed(tx, namespace, name);
    return found !== undefined && (includeExpired === true || !isExpired(found, now))
      ? found
      : undefined;
  };
  const mutation = {
    ...{ rpc, target: namespace, input: compared, allowance, nowMs: clockMs },
    async stands(tx: Transaction, reply: UpdateReply) {
      const found = await read(tx, { id: reply.id });
      if (found === undefined) return false;
      outcome.replayed = found;
      return true;
    },
  };
  const write = (versionsMax: number) => async (tx: Transaction, nowMs: number) => {
    delete outcome.replayed;
    delete outcome.changed;
    const found = await read(tx, input);
    if (found === undefined) throw namedNotFound(input);
    requireWriter(principal, found, "id");
    requireVersion(found, expectedVersion);
    await change.require?.(tx, found);
    requireFuture(change.changes.expireTime, nowMs);
    const timeMs = tx.commitTimeMs(nowMs);
    const memory = await changeMemory(
      tx,
      { ...parts, versionsMax },
      namespace,
      found,
      change,
      timeMs,
    );
    outcome.before = found;
    outcome.changed = memory;
    return { id: memory.id, version: memory.version, seq: tx.head.seq + 1 };
  };
  const run = (versionsMax: number) =>
    mutateWithHead<UpdateReply>(parts, mutation, write(versionsMax));
  // Earlier versions give way to the quota, so that a memory can be made smaller beyond it.
  const { result, head } = await run(parts.versionsMax ?? defaultVersionsMax).catch(
    (error: unknown) => {
      if (error instanceof VademecumError && error.reason === "QUOTA_EXCEEDED" && shrinks(outcome))
        return run(0);
      throw error;
    },
  );
  const { changed, replayed } = outcome;
  const commitSeq = commitSeqOf({ ...head, seq: result.seq }, namespace.userId);
  return replayed === undefined
    ? { memory: changed as Memory, namespace, commitSeq }
    : { memory: replayed, namespace, commitSeq, replayedVersion: result.version };
}

/** Whether a memory without its history is smaller than before. */
function shrinks({ before, changed }: { before?: Memory; changed?: Memory }): boolean {
  if (before === undefined || changed === undefined) return false;
  const bytesOf = (memory: Memory) =>
    Buffer.byteLength(JSON.stringify({ ...memory, history: undefined }));
  return bytesOf(changed) < bytesOf(before);
}

/** The stored reply: the version that the update made, and the number of its commit. */
interface UpdateReply {
  readonly id: string;
  readonly version: number;
  readonly seq: number;
}

function requireVersion({ id, version }: Memory, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `memory '${id}' is at version ${version}, not ${expectedVersion}; ` +
      "read it again and repeat the change",
    {
      field: "expected_version",
      fields: [
        { field: "expected_version", description: `must be ${version}, the memory's version now` },
      ],
    },
  );
}
