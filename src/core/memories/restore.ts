import { memoryNotFound, VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { StoredVersion } from "../model/memory-version.js";
import { scopeOf } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import { noTextVectors } from "../vectors/text-vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { type MemoryChange, withNewContent } from "./change.js";
import type {
  MemoryChanges,
  MemoryServiceParts,
  RestoreMemoryInput,
  UpdatedMemory,
} from "./service.js";
import { commitChange } from "./update.js";
import { requireStoredVersion } from "./versions.js";

/** Thrown when the content of the memory has changed since the restore was prepared. */
class StaleContent extends Error {
  override readonly name = "StaleContent";
}

/**
 * Gives a memory the fields of an earlier version. Computes the vector of the content again, unless
 * the memory has the same content now.
 */
export async function restoreMemory(
  parts: MemoryServiceParts,
  input: RestoreMemoryInput,
  call: Call,
): Promise<UpdatedMemory> {
  for (;;) {
    call.throwIfEnded();
    try {
      return await restoreOnce(parts, input, call);
    } catch (error) {
      if (!(error instanceof StaleContent)) throw error;
    }
  }
}

async function restoreOnce(
  parts: MemoryServiceParts,
  input: RestoreMemoryInput,
  call: Call,
): Promise<UpdatedMemory> {
  const { namespace } = input;
  const prepared = await prepare(parts, input);
  const commit = (change: Pick<MemoryChange, "tokenCount" | "vectors">): Promise<UpdatedMemory> =>
    commitChange(parts, { rpc: "RestoreMemory", input, compared: input }, call, {
      ...change,
      changes: prepared?.changes ?? {},
      writer: call.principal.name,
      from: { restoredFrom: input.version },
      require: async (tx, memory) => {
        await requireVersion(tx, input);
        if (memory.content !== prepared?.content) throw new StaleContent();
      },
    });
  const content = prepared?.changes.content;
  if (content !== undefined)
    return withNewContent(parts, namespace, content, call, ({ tokenCount, vectors }) =>
      commit({ tokenCount, vectors: { given: undefined, made: vectors } }),
    );
  await writesAllowed(parts.gate, namespace, call);
  return commit({ tokenCount: undefined, vectors: { given: undefined, made: noTextVectors } });
}

/** What a restore changes. Absent `content`: the memory has the content of the version already. */
interface PreparedRestore {
  readonly changes: MemoryChanges;
  /** The content of the memory before the restore. */
  readonly content: string;
}

/** Returns `undefined` if the memory or version is gone: the call may still be a repetition. */
async function prepare(
  { store, clock }: MemoryServiceParts,
  input: RestoreMemoryInput,
): Promise<PreparedRestore | undefined> {
  const { namespace, id } = input;
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const now = instantOfMillis(clock.nowMs());
  try {
    const present = await snapshot.get("memories", namespace, id);
    if (present === undefined || isExpired(present, now)) throw memoryNotFound(id);
    const { content, ...changes } = fieldsOf(await requireVersion(snapshot, input));
    return {
      changes: content === present.content ? changes : { content, ...changes },
      content: present.content,
    };
  } catch (error) {
    if (input.idempotencyKey !== undefined && error instanceof VademecumError) return undefined;
    throw error;
  }
}

/** Reads the version to restore from a state. */
async function requireVersion(
  reader: Reader,
  { namespace, id, version }: RestoreMemoryInput,
): Promise<StoredVersion> {
  const memory = await reader.get("memories", namespace, id);
  if (memory === undefined) throw memoryNotFound(id);
  const stored = await requireStoredVersion(reader, namespace, memory, version);
  if (stored.contentHmac === undefined) return stored;
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "VERSION_REDACTED",
    `version ${version} of memory '${id}' was redacted; restore another version`,
    { field: "version" },
  );
}

/** Returns the fields that callers set, except the expiry. A field that is absent is cleared. */
function fieldsOf({ memory }: StoredVersion): MemoryChanges & { readonly content: string } {
  const { content, memoryType, kind, tags, importance, source } = memory;
  const { status, restricted, author, threadId, metadata, eventTime } = memory;
  return {
    ...{ content, memoryType, kind, tags, importance, source },
    ...{ status, restricted, author, threadId, metadata, eventTime },
  };
}
