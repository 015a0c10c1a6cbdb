import type { Block, BlockContent, BlockVersion } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { blockVersionKey } from "../model/record-keys.js";
import type { Reader, Transaction } from "../ports/store.js";
import { type Deletion, removeTextsAbout } from "../proposal-records/remove-texts.js";
import { justBefore, sortsBefore } from "../requests/key-prefix.js";
import { createPause } from "../requests/pause.js";

/** The next version of a block. */
export interface NextVersion {
  readonly userId: string;
  readonly label: string;
  readonly content: BlockContent;
  /** Exact number of tokens of the content's body. */
  readonly tokenCount: number;
  /** The newest version so far. `undefined`: the block is new. */
  readonly previous: Block | undefined;
  /** Where the version comes from: a caller, a proposal or a restore. */
  readonly origin: Pick<BlockVersion, "writtenBy" | "proposalId" | "restoredFrom">;
}

/** Writes the next version of a block. `timeMs` is the time of the transaction. */
export function writeBlock(tx: Transaction, next: NextVersion, timeMs: number): Block {
  const { userId, label, content, tokenCount, previous, origin } = next;
  const scope = userScope(userId);
  const version = {
    ...content,
    version: (previous?.version ?? 0) + 1,
    tokenCount,
    writeTime: instantOfMillis(timeMs),
    createSeq: previous?.createSeq ?? tx.head.seq + 1,
    ...origin,
  };
  const block = blockOfVersion(label, version);
  tx.put("blocks", scope, label, block);
  tx.put("blockVersions", scope, blockVersionKey(label, version.version), version);
  return block;
}

/**
 * Deletes a block with all its versions and the texts of all proposals about it. Returns whether
 * the block existed.
 */
export async function removeBlock(deletion: Deletion, label: string): Promise<boolean> {
  const { tx, userId } = deletion;
  const scope = userScope(userId);
  const block = await tx.get("blocks", scope, label);
  if (block === undefined) return false;
  tx.delete("blocks", scope, label);
  const pause = createPause();
  for (let version = 1; version <= block.version; version++) {
    await pause();
    tx.delete("blockVersions", scope, blockVersionKey(label, version));
  }
  await removeTextsAbout(deletion, { kind: "block", label });
  return true;
}

/** Reads the labels of the first blocks whose labels begin with a prefix, at most `max`. */
export async function labelsWith(
  reader: Reader,
  userId: string,
  prefix: string,
  max: number,
): Promise<string[]> {
  const labels: string[] = [];
  const pause = createPause();
  const range = { after: justBefore(prefix) };
  for await (const [label] of reader.scan("blocks", userScope(userId), range)) {
    await pause();
    if (label.startsWith(prefix)) labels.push(label);
    else if (!sortsBefore(label, prefix)) break;
    if (labels.length === max) break;
  }
  return labels;
}

/**
 * Finds the block that a write made, by its `createSeq`: under the label that it probably has, or
 * under another one. `undefined`: it was deleted.
 */
export async function findBlock(
  tx: Transaction,
  userId: string,
  label: string,
  createSeq: number,
): Promise<Block | undefined> {
  const scope = userScope(userId);
  const named = await tx.get("blocks", scope, label);
  if (named?.createSeq === createSeq) return named;
  const pause = createPause();
  for await (const [, block] of tx.scan("blocks", scope)) {
    await pause();
    if (block.createSeq === createSeq) return block;
  }
  return undefined;
}

/**
 * Checks the version of a block. `undefined` as the block: there is none.
 *
 * @throws ABORTED (VERSION_MISMATCH) when the block has another version
 */
export function requireVersion(
  label: string,
  previous: Block | undefined,
  expectedVersion: number | undefined,
): void {
  const version = previous?.version ?? 0;
  if (expectedVersion === undefined || expectedVersion === version) return;
  const found =
    previous === undefined
      ? `there is no block '${label}'`
      : `block '${label}' is at version ${version}, not ${expectedVersion}`;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `${found}; read it again and repeat the change`,
    {
      field: "expected_version",
      fields: [
        { field: "expected_version", description: `must be ${version}, the block's version now` },
      ],
    },
  );
}

/** Reads one version of a block. */
export function readVersion(
  reader: Reader,
  userId: string,
  label: string,
  version: number,
): Promise<BlockVersion | undefined> {
  return reader.get("blockVersions", userScope(userId), blockVersionKey(label, version));
}

/** Returns the block as it was while this version was the newest. */
export function blockOfVersion(label: string, version: BlockVersion): Block {
  const { version: number, tokenCount, writeTime: updateTime, createSeq } = version;
  return { ...contentOf(version), label, version: number, tokenCount, updateTime, createSeq };
}

/** Returns only the content of a block or version. */
export function contentOf({ title, body, schemaRef }: BlockContent): BlockContent {
  return {
    body,
    ...(title === undefined ? {} : { title }),
    ...(schemaRef === undefined ? {} : { schemaRef }),
  };
}

/**
 * Returns the NOT_FOUND error for a label. The error does not reveal whether the block never
 * existed, was deleted or belongs to another user.
 */
export function blockNotFound(label: string): VademecumError {
  return new VademecumError("NOT_FOUND", "BLOCK_NOT_FOUND", `Memory block '${label}' not found.`);
}
