import type {
  MemoryChanges as MemoryChangesMessage,
  UpdateRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryChanges, UpdateInput } from "../../core/memories/service.js";
import { invalidField } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";
import { toMemoryName, toMemoryStatus, toMemoryType, toOwner } from "./memory.js";
import { requireSet } from "./require-set.js";
import { toVector } from "./vector.js";

/**
 * Converts a request to change a memory into the input of the core.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when there is no change, or when the mask names an
 *   unknown field or clears the content
 */
export function toUpdateInput(request: UpdateRequest, principal: Principal): UpdateInput {
  return dropUndefined<UpdateInput>({
    namespace: toOwner(request, principal),
    ...toMemoryName(request),
    changes: toChanges(requireSet(request.changes, "changes"), request.updateMask?.paths ?? []),
    expectedVersion:
      request.expectedVersion === undefined ? undefined : Number(request.expectedVersion),
    includeExpired: request.includeExpired,
    idempotencyKey: request.idempotencyKey,
  });
}

/** Reads one field of a message. The value `undefined` means that the field is not set. */
type FieldReader = (changes: MemoryChangesMessage) => MemoryChanges;

/** The readers by the names that a mask may use. */
const fieldReaders: ReadonlyMap<string, FieldReader> = new Map<string, FieldReader>([
  ["content", ({ content }) => ({ content })],
  ["memory_type", ({ memoryType }) => ({ memoryType: toMemoryType(memoryType) })],
  ["kind", ({ kind }) => ({ kind })],
  ["tags", ({ tags }) => ({ tags: tags.length === 0 ? undefined : tags })],
  ["importance", ({ importance }) => ({ importance })],
  ["status", ({ status }) => ({ status: toMemoryStatus(status) })],
  ["restricted", ({ restricted }) => ({ restricted })],
  ["source", ({ source }) => ({ source })],
  ["author", ({ author }) => ({ author })],
  ["thread_id", ({ threadId }) => ({ threadId })],
  ["metadata", ({ metadata }) => ({ metadata })],
  ["event_time", ({ eventTime }) => ({ eventTime: toInstant(eventTime) })],
  ["expire_time", ({ expireTime }) => ({ expireTime: toInstant(expireTime) })],
  ["embedding", ({ embedding }) => ({ embedding: toVector(embedding) })],
]);

function toChanges(message: MemoryChangesMessage, mask: readonly string[]): MemoryChanges {
  if (mask.length === 0) {
    const all = [...fieldReaders.values()].map((read) => read(message));
    const set = dropUndefined<MemoryChanges>(Object.assign({}, ...all) as MemoryChanges);
    if (Object.keys(set).length > 0) return set;
    throw invalidField(
      "changes",
      "must set at least one field; to reset a field to its default, name the field in update_mask",
    );
  }
  const changes: MemoryChanges = {};
  for (const path of mask) Object.assign(changes, readerOf(path)(message));
  if ("content" in changes && changes.content === undefined) {
    throw invalidField(
      "update_mask",
      "names content, which cannot be cleared; set changes.content, or leave it out of the mask",
    );
  }
  return changes;
}

function readerOf(path: string): FieldReader {
  const read = fieldReaders.get(path);
  if (read !== undefined) return read;
  throw invalidField(
    "update_mask",
    `names '${path}'; it may name ${[...fieldReaders.keys()].join(", ")}`,
  );
}
