import type { CallOptions, Client } from "@connectrpc/connect";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import {
  type BackupContent,
  type BackupResponse,
  BackupContent as Content,
} from "#gen/vademecum/v1/backup_pb.js";
import { fromScope, toBackupChunk } from "../../backup-format/chunk-messages.js";
import type { BackupChunk, BackupHeader, ScopeDigest } from "../../core/backup/backup-chunk.js";
import { invalidBackup } from "../../core/backup/read-backup.js";
import type { Scope } from "../../core/model/namespace.js";
import type { SlotRange } from "../../core/model/slot-range.js";
import type { ScopeState } from "../../core/ports/backup.js";

type Admin = Pick<Client<typeof AdminService>, "backup">;

/** Maximum number of scopes that one call may name. */
const scopesOfCall = 1000;

/** The scopes of a server. */
export interface RemoteScopes {
  readonly header: BackupHeader;
  readonly states: readonly ScopeState[];
}

/** Reads the heads of the scopes of a server: all heads, or only those of scopes in `range`. */
export async function readHeads(
  admin: Admin,
  range?: SlotRange,
  options: CallOptions = {},
): Promise<RemoteScopes> {
  const request = { content: Content.HEADS, ...(range === undefined ? {} : { range }) };
  let header: BackupHeader | undefined;
  const states: ScopeState[] = [];
  for await (const chunk of wholeStream(admin.backup(request, options))) {
    if (chunk.kind === "header") header = chunk.header;
    if (chunk.kind === "scope") states.push(chunk.state);
  }
  if (header === undefined) throw invalidBackup("it does not begin with a header");
  return { header, states };
}

/** A scope with the digest of its records. */
export interface DigestedScope {
  readonly state: ScopeState;
  readonly digest: ScopeDigest;
}

/** Reads the digests of scopes. */
export async function* readDigests(
  admin: Admin,
  scopes: readonly Scope[],
): AsyncGenerator<DigestedScope> {
  for (const some of inCalls(scopes)) {
    let state: ScopeState | undefined;
    for await (const chunk of wholeStream(backupOf(admin, some, Content.DIGESTS))) {
      if (chunk.kind === "scope") state = chunk.state;
      if (chunk.kind === "scopeEnd" && state !== undefined) {
        const { records, sha256 } = chunk;
        yield { state, digest: { records, sha256 } };
      }
    }
  }
}

/** Requests a backup of some scopes. Requires: at most 1,000 scopes. */
export function backupOf(
  admin: Admin,
  scopes: readonly Scope[],
  content: BackupContent = Content.RECORDS,
): AsyncIterable<BackupResponse> {
  return admin.backup({ content, scopes: scopes.map(fromScope) });
}

/** Cuts a list of scopes into lists short enough for one call each. */
export function* inCalls(scopes: readonly Scope[]): Generator<readonly Scope[]> {
  for (let start = 0; start < scopes.length; start += scopesOfCall)
    yield scopes.slice(start, start + scopesOfCall);
}

/** Reads the chunks of a stream. */
export async function* chunksOfStream(
  responses: AsyncIterable<BackupResponse>,
): AsyncGenerator<BackupChunk> {
  for await (const { chunk } of responses) {
    if (chunk === undefined) throw invalidBackup("a message of the stream is empty");
    yield toBackupChunk(chunk);
  }
}

/** Reads the chunks of a backup without records. Throws if the trailer is missing. */
async function* wholeStream(responses: AsyncIterable<BackupResponse>): AsyncGenerator<BackupChunk> {
  let isWhole = false;
  for await (const chunk of chunksOfStream(responses)) {
    isWhole = chunk.kind === "trailer";
    yield chunk;
  }
  if (!isWhole) throw invalidBackup("it ends before its trailer: it was cut off");
}
