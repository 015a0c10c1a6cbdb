import type { Block, BlockVersion } from "../model/block.js";
import { userScope } from "../model/namespace.js";
import { blockVersionPrefix } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import { listPage, type Page } from "../requests/list-page.js";
import { blockNotFound } from "./records.js";
import type { BlockServiceParts, ListBlocksQuery, ListBlockVersionsQuery } from "./service.js";

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
export function listBlocks(
  { store }: BlockServiceParts,
  { userId, limit, pageToken, labelPrefix = "" }: ListBlocksQuery,
  call: Call,
): Promise<Page<Block>> {
  const scope = userScope(userId);
  return listPage(store, {
    scope,
    binding: ["ListBlocks", userId, labelPrefix],
    table: "blocks",
    owner: scope,
    prefix: labelPrefix,
    limit,
    pageToken,
    call,
    toItem: (_, block) => block,
  });
}

/**
 * Lists a page of a block's versions, newest first. Leaves out versions written since the first
 * page.
 */
export function listBlockVersions(
  { store }: BlockServiceParts,
  { userId, label, limit, pageToken }: ListBlockVersionsQuery,
  call: Call,
): Promise<Page<BlockVersion>> {
  const scope = userScope(userId);
  return listPage(store, {
    scope,
    binding: ["ListBlockVersions", userId, label],
    table: "blockVersions",
    owner: scope,
    prefix: blockVersionPrefix(label),
    reverse: true,
    limit,
    pageToken,
    call,
    require: async (snapshot) => {
      if ((await snapshot.get("blocks", scope, label)) === undefined) throw blockNotFound(label);
    },
    toItem: (_, version) => version,
  });
}
