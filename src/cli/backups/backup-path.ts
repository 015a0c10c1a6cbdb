import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readFrames } from "../../backup-format/backup-file.js";
import type { BackupChunk, BackupHeader } from "../../core/backup/backup-chunk.js";
import { readBackup } from "../../core/backup/read-backup.js";
import { requireTimeUpTo } from "../../core/backup/restore-backup.js";
import { errorText, VademecumError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/namespace.js";
import type { RecordPage, ScopeState } from "../../core/ports/backup.js";
import { CommandFailure } from "../command-io.js";

/** The content of a sound backup file. */
export interface CheckedBackup {
  readonly header: BackupHeader;
  /** The selected scopes. */
  readonly selected: readonly Scope[];
  /** Number of the selected scopes. */
  readonly scopes: number;
  /** Number of records of the selected scopes. */
  readonly records: number;
  /** Number of scopes in the file. */
  readonly allScopes: number;
  readonly bytes: number;
}

/**
 * Checks every byte of a backup file.
 *
 * @param onProgress gets the checked share of the file, 0 to 1, after each scope
 * @param latestMs the latest commit time of a scope, as in `RestoreOptions`
 * @param selects says whether a scope is selected. Default: all are
 * @throws CommandFailure when the file cannot be read, or is not a whole backup
 */
export async function checkBackupFile(
  path: string,
  onProgress: (share: number) => void,
  selects: (state: ScopeState) => boolean = () => true,
  latestMs?: number,
): Promise<CheckedBackup> {
  // A dynamic import, because most commands do not need the types of records.
  const { PageCheck } = await import("../../store/codec/owned-tables.js");
  return namingFile(path, async () => {
    const { size } = await stat(path);
    let header: BackupHeader | undefined;
    let offset = 0;
    const selected: Scope[] = [];
    let records = 0;
    let allScopes = 0;
    const chunks = chunksOf(path, (endOffset) => {
      offset = endOffset;
    });
    const visitor = {
      header: (found: BackupHeader) => {
        header = found;
      },
      scope: async (state: ScopeState, pages: AsyncIterable<RecordPage>) => {
        if (latestMs !== undefined) requireTimeUpTo(latestMs, state);
        const check = new PageCheck();
        for await (const page of pages) check.add(page);
        check.end();
      },
    };
    for await (const { state, digest, scopes } of readBackup(chunks, visitor)) {
      allScopes = scopes;
      if (selects(state)) {
        selected.push(state.scope);
        records += digest.records;
      }
      onProgress(offset / size);
    }
    if (header === undefined) throw new Error("a backup without a header was accepted");
    return { header, selected, scopes: selected.length, records, allScopes, bytes: size };
  });
}

/**
 * Reads the chunks of a backup file.
 *
 * @param onChunk gets the offset of the end of each chunk
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) when the file is damaged
 */
export async function* chunksOf(
  path: string,
  onChunk: (endOffset: number) => void = () => undefined,
): AsyncGenerator<BackupChunk> {
  for await (const { chunk, endOffset } of readFrames(createReadStream(path))) {
    onChunk(endOffset);
    yield chunk;
  }
}

/** Turns errors about a file into failures that name the file. */
async function namingFile<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isExpected =
      (error instanceof VademecumError && error.reason === "INVALID_BACKUP") ||
      (error instanceof Error && "syscall" in error);
    if (isExpected) throw new CommandFailure(`${path}: ${errorText(error)}`);
    throw error;
  }
}
