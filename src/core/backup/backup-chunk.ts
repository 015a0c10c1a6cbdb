import type { ScopeState } from "../ports/backup.js";

/** Version of the backup format. A new version marks backups that this one would misread. */
export const backupFormat = 1;

/** What a backup has of each scope: all records, only their digest, or only the head. */
export type BackupContent = "records" | "digests" | "heads";

/** The first chunk of a backup. */
export interface BackupHeader {
  /** `backupFormat` of the build that made the backup. */
  readonly format: number;
  /** Product version of that build. */
  readonly productVersion: string;
  /** Random name of the backup. */
  readonly backupId: string;
  readonly createTimeMs: number;
  readonly content: BackupContent;
  /** Number of scopes when the backup began, to measure progress. */
  readonly scopes: number;
  /**
   * An id of the store and the tenant that the data is from. It changes with the epoch of the
   * store. Empty if it is not known.
   */
  readonly sourceId: string;
}

/** A record of a chunk, or a part of a record. */
export interface ChunkRecord {
  readonly key: string;
  readonly payload: Uint8Array;
  /** Whether the next record, in this chunk or the next one, continues the payload. */
  readonly continues: boolean;
}

/** A digest of the records of a scope. Two digests are equal only if the records are equal. */
export interface ScopeDigest {
  readonly records: number;
  /** SHA-256, see `RecordDigest`. */
  readonly sha256: Uint8Array;
}

/**
 * One message of a backup. The messages of a backup are
 * 1. the header,
 * 2. for each scope: its state, its records, and the digest of the records,
 * 3. the trailer, with a digest of all scopes.
 */
export type BackupChunk =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "scope"; readonly state: ScopeState }
  | {
      readonly kind: "records";
      /** See `RecordPage.agentId`. */
      readonly agentId: string | undefined;
      readonly table: string;
      readonly records: readonly ChunkRecord[];
    }
  | ({ readonly kind: "scopeEnd" } & ScopeDigest)
  | ({ readonly kind: "trailer"; readonly scopes: number } & ScopeDigest);
