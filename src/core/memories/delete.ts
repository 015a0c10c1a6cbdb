import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import { invalidField, VademecumError } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, type Scope, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import { knownReply, replyOnce } from "../requests/idempotency.js";
import { idOfTimelineKey } from "../requests/timeline.js";
import { emptyScope } from "./empty-scope.js";
import type { DeleteInput, DeleteWhereInput, ResetInput } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";
import { removeMemory } from "./records.js";

/** Most memories that one DeleteWhere deletes: what fits comfortably into one atomic write. */
export const deleteWhereMax = 10_000;

/** Ids that DeleteWhere names at most. */
const sampledIds = 10;

/** Deletes one memory, if it is there. */
export async function deleteMemory(
  { store, clock }: MemoryServiceParts,
  input: DeleteInput,
): Promise<{ deleted: boolean }> {
  const { namespace, id, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const scope = scopeOf(namespace);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "Delete", idempotencyKey, request: { namespace, id }, nowMs },
      async () => {
        const memory = await tx.get("memories", namespace, id);
        if (memory === undefined) return { deleted: false };
        await removeMemory(tx, namespace, memory, tx.commitTimeMs(nowMs));
        return { deleted: true };
      },
    ),
  );
  return result;
}

/** Deletes what passes the filter, all of it or nothing. */
export async function deleteWhere(
  parts: MemoryServiceParts,
  input: DeleteWhereInput,
  call: Call,
): Promise<{ deleted: number; sampleIds: string[] }> {
  const { store, clock, compileExpression } = parts;
  const { namespace, filter, dryRun, idempotencyKey } = input;
  if (isEmptyFilter(filter)) {
    throw invalidField(
      "filter",
      "must have at least one condition; to delete everything in the namespace call Reset",
      "EMPTY_FILTER",
    );
  }
  const passes = createMatcher(filter, compileExpression);
  const scope = scopeOf(namespace);
  if (dryRun) {
    await using snapshot = await store.snapshot(scope);
    const found = await matching(snapshot, namespace, passes, call, Number.POSITIVE_INFINITY);
    return { deleted: found.length, sampleIds: sample(found) };
  }
  const nowMs = clock.nowMs();
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "DeleteWhere", idempotencyKey, request: { namespace, filter }, nowMs },
      async () => {
        const found = await matching(tx, namespace, passes, call, deleteWhereMax + 1);
        if (found.length > deleteWhereMax) throw tooMany();
        const timeMs = tx.commitTimeMs(nowMs);
        for (const { id } of found) {
          // As it is now: removing the one before may have changed its links.
          const memory = await tx.get("memories", namespace, id);
          if (memory !== undefined) await removeMemory(tx, namespace, memory, timeMs);
        }
        return { deleted: found.length, sampleIds: sample(found) };
      },
    ),
  );
  return result;
}

/** Empties one namespace in one step, or all of them one after another. */
export async function reset(
  parts: MemoryServiceParts,
  { target, idempotencyKey }: ResetInput,
  call: Call,
): Promise<{ deleted: number }> {
  const { store, clock, allowReset } = parts;
  if (target !== "everything") return resetNamespace(store, target, idempotencyKey, clock.nowMs());
  if (!allowReset) {
    throw new VademecumError(
      "PERMISSION_DENIED",
      "RESET_NOT_ALLOWED",
      "everything: this server does not allow a full wipe; start it with --allow-reset, or name one namespace",
    );
  }
  const repeatable = {
    rpc: "Reset",
    idempotencyKey,
    request: { everything: true },
    nowMs: clock.nowMs(),
  };
  const { result: known } = await store.update(serverScope, (tx) =>
    knownReply<{ deleted: number }>(tx, serverScope, repeatable),
  );
  if (known !== undefined) return known.reply;
  const deleted = await resetAll(store, clock, call);
  // Kept only now, as a wipe that was cut short must go on when it is repeated.
  const { result } = await store.update(serverScope, (tx) =>
    replyOnce(tx, serverScope, repeatable, async () => ({ deleted })),
  );
  return result;
}

/** Where the replies to calls about everybody are kept. */
const serverScope: Scope = { kind: "server" };

async function resetAll(
  store: MemoryServiceParts["store"],
  clock: MemoryServiceParts["clock"],
  call: Call,
): Promise<number> {
  let deleted = 0;
  for await (const namespace of store.namespaces()) {
    call.throwIfEnded();
    deleted += (await resetNamespace(store, namespace, undefined, clock.nowMs())).deleted;
  }
  for await (const scope of store.scopes()) {
    call.throwIfEnded();
    await store.update(scope, (tx) => emptyScope(tx, scope));
  }
  return deleted;
}

async function resetNamespace(
  store: MemoryServiceParts["store"],
  namespace: Namespace,
  idempotencyKey: string | undefined,
  nowMs: number,
): Promise<{ deleted: number }> {
  const scope = scopeOf(namespace);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "Reset", idempotencyKey, request: { namespace }, nowMs },
      async () => {
        const deleted = await tx.count("memories", namespace);
        tx.clear(namespace);
        return { deleted };
      },
    ),
  );
  return result;
}

async function matching(
  reader: Reader,
  namespace: Namespace,
  passes: (memory: Memory) => boolean,
  call: Call,
  max: number,
): Promise<Memory[]> {
  const found: Memory[] = [];
  for await (const [key] of reader.scan("timeline", namespace, { reverse: true })) {
    call.throwIfEnded();
    const memory = await reader.get("memories", namespace, idOfTimelineKey(key));
    if (memory !== undefined && passes(memory)) found.push(memory);
    if (found.length === max) break;
  }
  return found;
}

function sample(memories: readonly Memory[]): string[] {
  return memories.slice(0, sampledIds).map(({ id }) => id);
}

function tooMany(): VademecumError {
  const description = `matches more than ${deleteWhereMax} memories, the most that one call deletes; narrow the filter, or call Reset to empty the namespace`;
  return new VademecumError("FAILED_PRECONDITION", "TOO_MANY_MATCHES", `filter: ${description}`, {
    fields: [{ field: "filter", description }],
  });
}
