import { create } from "@bufbuild/protobuf";
import {
  type Block as BlockMessage,
  BlockSchema,
  type BlockVersion as BlockVersionMessage,
  BlockVersionSchema,
} from "#gen/vademecum/v1/block_pb.js";
import { type Block, type BlockVersion, blockTitle } from "../../core/model/block.js";
import { fromInstant } from "./instant.js";

/** A block as the API returns it, with its title where none was given. */
export function fromBlock(block: Block, userId: string): BlockMessage {
  return create(BlockSchema, {
    userId,
    label: block.label,
    title: blockTitle(block.label, block),
    body: block.body,
    schemaRef: block.schemaRef,
    version: BigInt(block.version),
    tokenCount: block.tokenCount,
    updateTime: fromInstant(block.updateTime),
  });
}

/** A version of the block with a label, as the API returns it. */
export function fromBlockVersion(version: BlockVersion, label: string): BlockVersionMessage {
  return create(BlockVersionSchema, {
    version: BigInt(version.version),
    title: blockTitle(label, version),
    body: version.body,
    schemaRef: version.schemaRef,
    writtenBy: version.writtenBy,
    writeTime: fromInstant(version.writeTime),
    proposalId: version.proposalId,
    restoredFrom: version.restoredFrom === undefined ? undefined : BigInt(version.restoredFrom),
    tokenCount: version.tokenCount,
  });
}
