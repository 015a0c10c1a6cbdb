import type { Block, BlockContent, BlockVersion } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import type { Reader, Transaction } from "../ports/store.js";

/** Most bytes of a body. */
export const bodyMaxBytes = 256 * 1024;

/** The next version of a block. */
export interface NextVersion {
  readonly userId: string;
  readonly label: string;
  readonly content: BlockContent;
  /** Exact tokens of the content's body. */
  readonly tokenCount: number;
  /** The block so far; `undefined`: there is none. */
  readonly previous: Block | undefined;
  /** Where the version comes from. */
  readonly origin: Pick<BlockVersion, "writtenBy" | "proposalId" | "restoredFrom">;
}

/** Writes the next version of a block. `timeMs`: the transaction's time. */
export function writeBlock(tx: Transaction, next: NextVersion, timeMs: number): Block {
  const { userId, label, content, tokenCount, previous, origin } = next;
  const scope = userScope(userId);
  const version = {
    ...content,
    version: (previous?.version ?? 0) + 1,
    tokenCount,
    writeTime: instantOfMillis(timeMs),
    ...origin,
  };
  const block = blockOfVersion(label, version);
  tx.put("blocks", scope, label, block);
  tx.put("blockVersions", scope, blockVersionKey(label, version.version), version);
  return block;
}

/** Deletes a block with all of its versions. False: there is none. */
export async function removeBlock(
  tx: Transaction,
  userId: string,
  label: string,
): Promise<boolean> {
  const scope = userScope(userId);
  const block = await tx.get("blocks", scope, label);
  if (block === undefined) return false;
  tx.delete("blocks", scope, label);
  for (let version = 1; version <= block.version; version++)
    tx.delete("blockVersions", scope, blockVersionKey(label, version));
  return true;
}

/** One version of a block; `undefined`: there is none. */
export function readVersion(
  reader: Reader,
  userId: string,
  label: string,
  version: number,
): Promise<BlockVersion | undefined> {
  return reader.get("blockVersions", userScope(userId), blockVersionKey(label, version));
}

/** The block as it was while a version was the newest. */
export function blockOfVersion(label: string, version: BlockVersion): Block {
  const { version: number, tokenCount, writeTime } = version;
  return { ...contentOf(version), label, version: number, tokenCount, updateTime: writeTime };
}

/** What a block or a version of it says, without the rest. */
export function contentOf({ title, body, schemaRef }: BlockContent): BlockContent {
  return {
    body,
    ...(title === undefined ? {} : { title }),
    ...(schemaRef === undefined ? {} : { schemaRef }),
  };
}

/** Key in the `blockVersions` table: a block's versions are in their order. */
function blockVersionKey(label: string, version: number): string {
  return blockVersionPrefix(label) + version.toString(16).padStart(12, "0");
}

/** What the keys of a block's versions begin with. The length of the label keeps those of different blocks apart, whatever their labels are. */
export function blockVersionPrefix(label: string): string {
  return `${Buffer.byteLength(label).toString(16).padStart(4, "0")}${label}`;
}

/** NOT_FOUND for a label: the same whether the block never was, is gone, or is another user's. */
export function blockNotFound(label: string): VademecumError {
  return new VademecumError("NOT_FOUND", "BLOCK_NOT_FOUND", `Memory block '${label}' not found.`);
}
