import { create } from "@bufbuild/protobuf";
import {
  type Memory as MemoryMessage,
  type MemoryVersion as MemoryVersionMessage,
  MemoryVersionSchema,
} from "#gen/vademecum/v1/memory_pb.js";
import {
  type ListMemoryVersionsRequest,
  type ListMemoryVersionsResponse,
  ListMemoryVersionsResponseSchema,
  type RedactVersionRequest,
  type RestoreMemoryRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  ListVersionsQuery,
  RedactVersionInput,
  RestoreMemoryInput,
  UpdatedMemory,
  VersionPage,
} from "../../core/memories/service.js";
import type { MemoryVersion } from "../../core/model/memory-version.js";
import type { Namespace } from "../../core/model/namespace.js";
import { defaultMemoryVersionPageSize } from "../defaults.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";

/** Converts a request to list versions into the query of the core. */
export function toListVersionsQuery(request: ListMemoryVersionsRequest): ListVersionsQuery {
  const { id, limit = defaultMemoryVersionPageSize, pageToken } = request;
  return { namespace: toNamespace(request.namespace), id, limit, pageToken };
}

/** Converts a request to restore a version into the input of the core. */
export function toRestoreMemoryInput(request: RestoreMemoryRequest): RestoreMemoryInput {
  const { id, version, expectedVersion, idempotencyKey } = request;
  return dropUndefined<RestoreMemoryInput>({
    namespace: toNamespace(request.namespace),
    id,
    version: Number(version),
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    idempotencyKey,
  });
}

/** Converts a request to redact a version into the input of the core. */
export function toRedactVersionInput(request: RedactVersionRequest): RedactVersionInput {
  const { id, version, idempotencyKey } = request;
  const namespace = toNamespace(request.namespace);
  return dropUndefined<RedactVersionInput>({
    ...{ namespace, id, version: Number(version), idempotencyKey },
  });
}

/** Converts a memory after a change to the fields of the reply. */
export function fromUpdatedMemory({
  memory,
  namespace,
  commitSeq,
  replayedVersion,
}: UpdatedMemory): { memory: MemoryMessage; commitSeq: bigint; replayedVersion?: bigint } {
  return {
    memory: fromMemory(memory, namespace),
    commitSeq,
    ...(replayedVersion !== undefined && { replayedVersion: BigInt(replayedVersion) }),
  };
}

/** Converts a version to its message, with the namespace that it was read from. */
export function fromMemoryVersion(
  version: MemoryVersion,
  namespace: Namespace,
): MemoryVersionMessage {
  const { memory, changedBy, changeTime, proposalId, restoredFrom } = version;
  const { contentSha256 = "", contentHmac = "" } = version;
  return create(MemoryVersionSchema, {
    memory: fromMemory(memory, namespace),
    changedBy,
    changeTime: fromInstant(changeTime),
    ...(proposalId !== undefined && { proposalId }),
    ...(restoredFrom !== undefined && { restoredFrom: BigInt(restoredFrom) }),
    ...{ contentSha256, contentHmac, redacted: contentHmac !== "" },
  });
}

/** Converts a page of versions to its message. */
export function fromVersionPage(
  { versions, nextPageToken }: VersionPage,
  namespace: Namespace,
): ListMemoryVersionsResponse {
  return create(ListMemoryVersionsResponseSchema, {
    versions: versions.map((version) => fromMemoryVersion(version, namespace)),
    nextPageToken,
  });
}
