import type { Block, BlockVersion } from "../model/block.js";
import { userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { type Page, readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import type { BlockService } from "./block-service.js";
import type { BlockServiceParts } from "./create-block-service.js";
import { blockNotFound, blockVersionPrefix } from "./records.js";

/** Reads one block. */
export async function getBlock(
  { store }: BlockServiceParts,
  userId: string,
  label: string,
): Promise<Block> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  const block = await snapshot.get("blocks", scope, label);
  if (block === undefined) throw blockNotFound(label);
  return block;
}

/** Lists a page of a user's blocks. */
export async function listBlocks(
  { store }: BlockServiceParts,
  { userId, limit, pageToken }: Parameters<BlockService["list"]>[0],
  call: Call,
): Promise<Page<Block>> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["ListBlocks", userId] };
  const range = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
  const entries = async function* () {
    for await (const entry of snapshot.scan("blocks", scope, range)) {
      call.throwIfEnded();
      yield entry;
    }
  };
  return await readPage(entries(), limit, binding);
}

/** Lists a page of a block's versions. What is written meanwhile comes before the first page, so pages neither skip nor repeat. */
export async function listBlockVersions(
  { store }: BlockServiceParts,
  { userId, label, limit, pageToken }: Parameters<BlockService["listVersions"]>[0],
  call: Call,
): Promise<Page<BlockVersion>> {
  const scope = userScope(userId);
  const prefix = blockVersionPrefix(label);
  await using snapshot = await store.snapshot(scope);
  if ((await snapshot.get("blocks", scope, label)) === undefined) throw blockNotFound(label);
  const binding: PageBinding = {
    epoch: snapshot.head.epoch,
    listing: ["ListBlockVersions", userId, label],
  };
  // No key of a version comes behind this one.
  const after = pageToken === "" ? `${prefix}~` : readPageToken(binding, pageToken);
  const entries = async function* () {
    for await (const entry of snapshot.scan("blockVersions", scope, { reverse: true, after })) {
      call.throwIfEnded();
      if (!entry[0].startsWith(prefix)) return;
      yield entry;
    }
  };
  return await readPage(entries(), limit, binding);
}
