import type {
  MemoryChanges as MemoryChangesMessage,
  UpdateRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryChanges, UpdateInput } from "../../core/memories/memory-service.js";
import { invalidField } from "../../core/model/errors.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType, toNamespace } from "./memory.js";
import { present } from "./present.js";
import { required } from "./required.js";
import { toVector } from "./vector.js";

/** @throws INVALID_ARGUMENT for a mask that names what is no field, or clears the content */
export function toUpdateInput(request: UpdateRequest): UpdateInput {
  return present<UpdateInput>({
    namespace: toNamespace(request.namespace),
    id: request.id,
    changes: toChanges(required(request.changes, "changes"), request.updateMask?.paths ?? []),
    expectedVersion:
      request.expectedVersion === undefined ? undefined : Number(request.expectedVersion),
    idempotencyKey: request.idempotencyKey,
  });
}

/** Takes one field over; `undefined` if it is not set. */
type FieldReader = (changes: MemoryChangesMessage) => MemoryChanges;

/** By the names that masks use. */
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
    return present<MemoryChanges>(Object.assign({}, ...all) as MemoryChanges);
  }
  const changes = Object.assign(
    {},
    ...mask.map((path) => readerOf(path)(message)),
  ) as MemoryChanges;
  if ("content" in changes && changes.content === undefined) {
    throw invalidField(
      "update_mask",
      "names content, which cannot be cleared: set changes.content, or leave it out of the mask",
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
