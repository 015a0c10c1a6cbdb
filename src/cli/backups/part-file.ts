import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeFrame, fileMagic } from "../../backup-format/backup-file.js";
import type { BackupChunk, BackupHeader, ScopeDigest } from "../../core/backup/backup-chunk.js";
import { readBackup } from "../../core/backup/read-backup.js";
import { ScopesDigest } from "../../core/backup/record-digest.js";
import { VademecumError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/namespace.js";
import { CommandFailure } from "../command-io.js";
import { printable } from "../printable.js";
import { chunksOf } from "./backup-path.js";

/** Maximum age of an unfinished backup that a command continues, in milliseconds. */
const continuedMaxMs = 24 * 60 * 60 * 1000;

/** Returns a unique string for each scope, for the keys of a `Set`. */
export function scopeKey(scope: Scope): string {
  return JSON.stringify(scope);
}

/** A backup file that is being written. Its name ends in `.part` until the file is whole. */
export class PartFile {
  readonly #digests: ScopeDigest[];
  readonly #scopes: Set<string>;
  #offset: number;
  #wholeOffset: number;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    begun: BegunPart,
  ) {
    this.#digests = [...begun.digests];
    this.#scopes = new Set(begun.scopes);
    this.#offset = begun.endOffset;
    this.#wholeOffset = begun.endOffset;
  }

  /**
   * Continues the file of an interrupted command after its last whole scope, or begins a new file.
   *
   * @param path the final name of the file
   * @param selected all scopes to back up
   * @throws CommandFailure when the interrupted command has backed up another store or tenant, or
   *   scopes that are not selected
   */
  static async open(
    path: string,
    header: BackupHeader,
    selected: readonly Scope[],
  ): Promise<PartFile> {
    const begun = await begunPart(partPath(path));
    const isFresh =
      begun !== undefined && header.createTimeMs - begun.header.createTimeMs < continuedMaxMs;
    if (isFresh) {
      const keys = new Set(selected.map(scopeKey));
      const isSame =
        begun.header.sourceId === header.sourceId && begun.scopes.every((key) => keys.has(key));
      if (!isSame) throw otherSource(partPath(path));
      const file = await open(partPath(path), "r+");
      const part = new PartFile(path, file, begun);
      await part.dropScope();
      return part;
    }
    // Only the owner may read the file, because it contains the data of all users.
    const file = await open(partPath(path), "w", 0o600);
    const part = new PartFile(path, file, { scopes: [], digests: [], endOffset: 0, header });
    await part.#append(fileMagic);
    await part.#append(encodeFrame({ kind: "header", header }));
    part.#wholeOffset = part.#offset;
    return part;
  }

  /** Number of whole scopes. */
  get scopes(): number {
    return this.#scopes.size;
  }

  /** Number of records of all whole scopes. */
  get records(): number {
    return this.#digests.reduce((sum, { records }) => sum + records, 0);
  }

  get bytes(): number {
    return this.#offset;
  }

  has(scope: Scope): boolean {
    return this.#scopes.has(scopeKey(scope));
  }

  /** Writes the next chunk of a scope. */
  async write(chunk: BackupChunk): Promise<void> {
    await this.#append(encodeFrame(chunk));
  }

  /** Notes that the scope written last is whole. */
  endScope(scope: Scope, digest: ScopeDigest): void {
    this.#scopes.add(scopeKey(scope));
    this.#digests.push(digest);
    this.#wholeOffset = this.#offset;
  }

  /** Removes everything after the last whole scope. */
  async dropScope(): Promise<void> {
    await this.file.truncate(this.#wholeOffset);
    this.#offset = this.#wholeOffset;
  }

  /** Completes the file and gives it its final name. From then on it survives a power cut. */
  async finish(): Promise<void> {
    const total = new ScopesDigest();
    for (const digest of this.#digests) total.add(digest);
    await this.#append(encodeFrame({ kind: "trailer", ...total.end() }));
    await this.file.sync();
    await this.file.close();
    await rename(partPath(this.path), this.path);
    await syncParent(this.path);
  }

  /** Closes the unfinished file, which the next command continues. */
  async close(): Promise<void> {
    await this.file.close();
  }

  async #append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.file.write(
        bytes,
        written,
        bytes.length - written,
        this.#offset + written,
      );
      written += bytesWritten;
    }
    this.#offset += bytes.length;
  }
}

/** Returns the name of an unfinished backup. */
export function partPath(path: string): string {
  return `${path}.part`;
}

/** Whether a path exists. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

function otherSource(path: string): CommandFailure {
  return new CommandFailure(
    `file: '${printable(path)}' is the unfinished backup of other users, of another store or ` +
      "tenant, or from before a restore; choose another name, or remove it",
    2,
  );
}

/** The whole scopes at the beginning of an unfinished file. */
interface BegunPart {
  readonly header: BackupHeader;
  readonly scopes: readonly string[];
  readonly digests: readonly ScopeDigest[];
  readonly endOffset: number;
}

async function begunPart(path: string): Promise<BegunPart | undefined> {
  if (!(await pathExists(path))) return undefined;
  let header: BackupHeader | undefined;
  let offset = 0;
  let endOffset = 0;
  const scopes: string[] = [];
  const digests: ScopeDigest[] = [];
  const chunks = chunksOf(path, (end) => {
    offset = end;
  });
  const visitor = {
    header: (found: BackupHeader) => {
      header = found;
      endOffset = offset;
    },
    scope: async () => undefined,
  };
  try {
    for await (const { state, digest } of readBackup(chunks, visitor)) {
      scopes.push(scopeKey(state.scope));
      digests.push(digest);
      endOffset = offset;
    }
  } catch (error) {
    // An unfinished file may end within a scope.
    if (!(error instanceof VademecumError)) throw error;
  }
  if (header !== undefined) return { header, scopes, digests, endOffset };
  await rm(path);
  return undefined;
}

/** Makes a new name of a file durable. */
export async function syncParent(path: string): Promise<void> {
  // Windows cannot sync a folder; opening a folder fails there.
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
