import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import { invalidField, VademecumError } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf, userScope } from "../model/namespace.js";
import { idOfTimelineKey } from "../model/record-keys.js";
import { requireWriter } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutate } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import { readNamed } from "./external-id.js";
import { findNamespace, isUnknownAgent } from "./find-namespace.js";
import { removeMemories } from "./records.js";
import type {
  DeleteInput,
  DeleteManyInput,
  DeleteWhereInput,
  MemoryServiceParts,
} from "./service.js";

/**
 * Maximum number of memories that one DeleteWhere deletes: a comfortable size for one atomic write.
 */
export const deleteWhereMax = 10_000;

/** Maximum number of ids that DeleteWhere returns. */
const sampleMax = 10;

/**
 * Deletes one memory, with the texts of all proposals about it.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not delete the memory
 */
export async function deleteMemory(
  parts: MemoryServiceParts,
  { namespace: owner, ...input }: DeleteInput,
  call: Call,
): Promise<{ deleted: boolean }> {
  const { userId } = owner;
  // A retry must find its key although the memory is gone, and with it the way to its namespace.
  const target = isUnknownAgent(owner) ? userScope(userId) : owner;
  const { allowance } = call;
  const mutation = { rpc: "Delete", target, input: { ...input, target }, allowance, removes: true };
  const namespace = await findNamespace(parts.store, owner, input, call);
  if (namespace === undefined) return mutate(parts, mutation, async () => ({ deleted: false }));
  return changeProposals(parts, userId, (changed) =>
    releaseIndexIfEmpty(parts.index, "memories", namespace, (rest) =>
      mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx, nowMs) => {
        const memory = await readNamed(tx, namespace, input);
        if (memory === undefined) return { deleted: false };
        requireWriter(call.principal, memory, "id");
        await removeMemories({ tx, userId, nowMs, changed }, namespace, new Set([memory.id]));
        await rest.count(tx);
        return { deleted: true };
      }),
    ),
  );
}

/** Deletes several memories, with the texts of all proposals about them, in one transaction. */
export function deleteMemories(
  parts: MemoryServiceParts,
  input: DeleteManyInput,
  { allowance }: Call,
): Promise<{ deleted: number }> {
  const { namespace } = input;
  const { userId } = namespace;
  return changeProposals(parts, userId, (changed) =>
    releaseIndexIfEmpty(parts.index, "memories", namespace, (rest) => {
      const { onRun } = rest;
      const rights = { allowance, removes: true };
      const mutation = { rpc: "DeleteMany", target: namespace, input, onRun, ...rights };
      return mutate(parts, mutation, async (tx, nowMs) => {
        const ids = new Set(input.ids);
        const deleted = await removeMemories({ tx, userId, nowMs, changed }, namespace, ids);
        await rest.count(tx);
        return { deleted };
      });
    }),
  );
}

/**
 * Deletes all memories that pass the filter, with the texts of all proposals about them, in one
 * transaction. Lets other calls run every few milliseconds. Other writes of the same user wait.
 * With `dryRun`, only counts the memories.
 */
export async function deleteWhere(
  parts: MemoryServiceParts,
  input: DeleteWhereInput,
  call: Call,
): Promise<{ deleted: number; sampleIds: string[] }> {
  const { namespace, filter, dryRun } = input;
  if (isEmptyFilter(filter)) {
    throw invalidField(
      "filter",
      "must have at least one condition; to delete everything in the namespace call Reset",
      "EMPTY_FILTER",
    );
  }
  const passes = createMatcher(filter, parts.compileExpression);
  const scope = scopeOf(namespace);
  if (dryRun) {
    await using snapshot = await parts.store.snapshot(scope);
    return await countMatches(snapshot, namespace, passes, call);
  }
  const { userId } = namespace;
  const { allowance } = call;
  const mutation = { rpc: "DeleteWhere", target: namespace, input, allowance, removes: true };
  return changeProposals(parts, userId, (changed) =>
    releaseIndexIfEmpty(parts.index, "memories", namespace, (rest) =>
      mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx, nowMs) => {
        const ids = new Set<string>();
        for await (const id of matchingIds(tx, namespace, passes, call)) {
          if (ids.size === deleteWhereMax) throw tooManyMatches();
          ids.add(id);
        }
        await removeMemories({ tx, userId, nowMs, changed }, namespace, ids);
        await rest.count(tx);
        return { deleted: ids.size, sampleIds: [...ids].slice(0, sampleMax) };
      }),
    ),
  );
}

async function countMatches(
  reader: Reader,
  namespace: Namespace,
  passes: (memory: Memory) => boolean,
  call: Call,
): Promise<{ deleted: number; sampleIds: string[] }> {
  let deleted = 0;
  const sampleIds: string[] = [];
  for await (const id of matchingIds(reader, namespace, passes, call)) {
    if (deleted < sampleMax) sampleIds.push(id);
    deleted += 1;
  }
  return { deleted, sampleIds };
}

/**
 * Yields the ids of the memories that pass the filter, newest first. Keeps one memory in RAM at a
 * time, because all memories together may take hundreds of MB.
 */
async function* matchingIds(
  reader: Reader,
  namespace: Namespace,
  passes: (memory: Memory) => boolean,
  call: Call,
): AsyncGenerator<string> {
  const pause = createPause();
  for await (const [key] of reader.scan("timeline", namespace, { reverse: true })) {
    call.throwIfEnded();
    const memory = await reader.get("memories", namespace, idOfTimelineKey(key));
    if (memory !== undefined && passes(memory)) yield memory.id;
    await pause();
  }
}

function tooManyMatches(): VademecumError {
  const description =
    `matches more than ${deleteWhereMax} memories, the most that one call deletes; ` +
    "narrow the filter, or call Reset to empty the namespace";
  return new VademecumError("FAILED_PRECONDITION", "TOO_MANY_MATCHES", description, {
    field: "filter",
  });
}
