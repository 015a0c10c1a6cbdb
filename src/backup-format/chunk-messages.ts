import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type BackupChunk as BackupChunkMessage,
  BackupChunkSchema,
  BackupContent as BackupContentMessage,
  type BackupScopeId,
  BackupScopeIdSchema,
  ScopeKind,
} from "#gen/vademecum/v1/backup_pb.js";
import type { BackupChunk, BackupContent, BackupHeader } from "../core/backup/backup-chunk.js";
import { invalidBackup } from "../core/backup/read-backup.js";
import type { Scope } from "../core/model/namespace.js";
import { idOf } from "../core/model/slot-range.js";
import type { ScopeState } from "../core/ports/backup.js";

const contents: Readonly<Record<BackupContent, BackupContentMessage>> = {
  records: BackupContentMessage.RECORDS,
  digests: BackupContentMessage.DIGESTS,
  heads: BackupContentMessage.HEADS,
};

const scopeKinds: Readonly<Record<Scope["kind"], ScopeKind>> = {
  user: ScopeKind.USER,
  run: ScopeKind.RUN,
  server: ScopeKind.SERVER,
};

/** Returns the content that a message names; `records` if it names none. */
export function toBackupContent(content: BackupContentMessage): BackupContent {
  if (content === BackupContentMessage.DIGESTS) return "digests";
  return content === BackupContentMessage.HEADS ? "heads" : "records";
}

/** Converts the name of a scope to its message. */
export function fromScope(scope: Scope): BackupScopeId {
  return create(BackupScopeIdSchema, { kind: scopeKinds[scope.kind], id: idOf(scope) });
}

/**
 * Converts the name of a scope from its message.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when it has no kind, or a kind of a later version
 */
export function toScope(scopeId: BackupScopeId | undefined): Scope {
  const { kind = ScopeKind.UNSPECIFIED, id = "" } = scopeId ?? {};
  switch (kind) {
    case ScopeKind.USER:
      return { kind: "user", userId: id };
    case ScopeKind.RUN:
      return { kind: "run", runId: id };
    case ScopeKind.SERVER:
      return { kind: "server" };
    case ScopeKind.UNSPECIFIED:
      break;
  }
  // A later version may know more kinds.
  throw invalidBackup("a scope has no kind that this version knows");
}

/** Converts a chunk to its message. */
export function fromBackupChunk(chunk: BackupChunk): BackupChunkMessage {
  return create(BackupChunkSchema, { chunk: partOf(chunk) });
}

type ChunkInit = NonNullable<
  Exclude<MessageInitShape<typeof BackupChunkSchema>, BackupChunkMessage>["chunk"]
>;

function partOf(chunk: BackupChunk): ChunkInit {
  switch (chunk.kind) {
    case "header": {
      const { createTimeMs, content, scopes, ...names } = chunk.header;
      const value = {
        ...names,
        createTime: timestampFromMs(createTimeMs),
        content: contents[content],
        scopes: BigInt(scopes),
      };
      return { case: "header", value };
    }
    case "scope": {
      const { scope, head, lastTimeMs } = chunk.state;
      const value = {
        id: fromScope(scope),
        epoch: head.epoch,
        seq: BigInt(head.seq),
        lastTimeMs: BigInt(Math.trunc(lastTimeMs)),
      };
      return { case: "scope", value };
    }
    case "records": {
      const { agentId, table, records } = chunk;
      const agent = agentId === undefined ? {} : { agent: agentId };
      return { case: "records", value: { ...agent, table, records: records.map(ownBytes) } };
    }
    case "scopeEnd": {
      const { records, sha256 } = chunk;
      return {
        case: "scopeEnd",
        value: { records: BigInt(records), sha256: Uint8Array.from(sha256) },
      };
    }
    case "trailer": {
      const { scopes, records, sha256 } = chunk;
      const value = {
        scopes: BigInt(scopes),
        records: BigInt(records),
        sha256: Uint8Array.from(sha256),
      };
      return { case: "trailer", value };
    }
  }
}

/** Messages need arrays without a shared buffer, which the type `Buffer` does not promise. */
function ownBytes<T extends { readonly payload: Uint8Array }>(record: T) {
  return { ...record, payload: record.payload as Uint8Array<ArrayBuffer> };
}

/**
 * Converts a chunk from its message.
 *
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the message is empty or from a later version
 */
export function toBackupChunk({ chunk }: BackupChunkMessage): BackupChunk {
  switch (chunk.case) {
    case "header":
      return { kind: "header", header: toHeader(chunk.value) };
    case "scope":
      return { kind: "scope", state: toState(chunk.value) };
    case "records": {
      const { agent, table, records } = chunk.value;
      return { kind: "records", agentId: agent, table, records };
    }
    case "scopeEnd":
      return {
        kind: "scopeEnd",
        records: Number(chunk.value.records),
        sha256: chunk.value.sha256,
      };
    case "trailer": {
      const { scopes, records, sha256 } = chunk.value;
      return { kind: "trailer", scopes: Number(scopes), records: Number(records), sha256 };
    }
    case undefined:
      throw invalidBackup("a chunk is empty, or has a kind that this version does not know");
  }
}

type ValueOf<C> = Extract<BackupChunkMessage["chunk"], { readonly case: C }>["value"];

function toHeader(header: ValueOf<"header">): BackupHeader {
  const { format, productVersion, backupId, createTime, content, scopes, sourceId } = header;
  return {
    format,
    productVersion,
    backupId,
    createTimeMs: createTime === undefined ? 0 : timestampMs(createTime),
    content: toBackupContent(content),
    scopes: Number(scopes),
    sourceId,
  };
}

function toState({ id, epoch, seq, lastTimeMs }: ValueOf<"scope">): ScopeState {
  return {
    scope: toScope(id),
    head: { epoch, seq: Number(seq) },
    lastTimeMs: Number(lastTimeMs),
  };
}
