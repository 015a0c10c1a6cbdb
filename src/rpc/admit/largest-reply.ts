import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { BackupResponseSchema } from "#gen/vademecum/v1/backup_pb.js";
import { BlockSchema, BlockVersionSchema } from "#gen/vademecum/v1/block_pb.js";
import { ListBlocksRequestSchema } from "#gen/vademecum/v1/block_service_pb.js";
import { ReadKeyResponseSchema } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import { ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { RetrieveSkillsResponseSchema, SkillSchema } from "#gen/vademecum/v1/skill_service_pb.js";
import { ListToolsRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchResponseSchema } from "#gen/vademecum/v1/toolset_pb.js";
import {
  blockBodyMaxBytes,
  contentMaxBytes,
  metadataMaxBytes,
  valueMaxBytes,
} from "../../core/model/limits.js";
import { defaultBlockPageSize, defaultMemoryPageSize, defaultToolPageSize } from "../defaults.js";
import { messageMaxBytes } from "../limits.js";

const kibibyte = 1024;

/**
 * Largest sizes of the messages that contain texts, in bytes. Rarely, a message is a little larger.
 */
const textBytes: ReadonlyMap<string, number> = new Map([
  [MemorySchema.typeName, contentMaxBytes + metadataMaxBytes + 16 * kibibyte],
  [BlockSchema.typeName, blockBodyMaxBytes],
  [BlockVersionSchema.typeName, blockBodyMaxBytes],
  // The old, the new and the edited text. The diff repeats at most the first two.
  [ProposalSchema.typeName, 5 * blockBodyMaxBytes],
  [SkillSchema.typeName, contentMaxBytes + 16 * kibibyte],
  [ReadKeyResponseSchema.typeName, valueMaxBytes],
  [DispatchResponseSchema.typeName, 1024 * kibibyte],
  [BackupResponseSchema.typeName, 1152 * kibibyte],
]);

/**
 * Size of the largest page of a listing, in bytes. The core ends a page before it exceeds 3 MiB of
 * JSON. The message may be larger, because it repeats the names of the user and the agent in each
 * record.
 */
const pageMaxBytes = 4 * kibibyte * kibibyte;

/** Assumed size of a message without texts, in bytes. */
const plainBytes = kibibyte;

/** Maximum number of bytes for each token of a budget, in ordinary texts. */
const tokenBytes = 32;

/** Number of records in a reply if the request states no number and its method has no default. */
const defaultCount = defaultMemoryPageSize;

const defaultCounts: ReadonlyMap<string, number> = new Map([
  [ListBlocksRequestSchema.typeName, defaultBlockPageSize],
  [ListToolsRequestSchema.typeName, defaultToolPageSize],
]);

/** The size of a reply: `bytes`, and `recordBytes` for each record, but never above `maxBytes`. */
interface ReplySize {
  readonly bytes: number;
  readonly recordBytes: number;
  readonly maxBytes: number;
}

const sizes = new Map<DescMessage, ReplySize>();

/**
 * Returns the largest size of the reply to a request, in bytes. Computed from the number of records
 * and tokens that the request asks for. Assumes the binary encoding and ordinary texts.
 */
export function largestReplyBytes({ input, output }: DescMethod, request: Message): number {
  const { bytes, recordBytes, maxBytes } = sizeOf(output);
  const { limit, topK, budgetTokens } = wantedOf(request);
  const count = limit ?? topK ?? defaultCounts.get(input.typeName) ?? defaultCount;
  const records =
    budgetTokens === undefined
      ? count * recordBytes
      : Math.min(limit === undefined ? Infinity : count * recordBytes, budgetTokens * tokenBytes);
  return Math.min(maxBytes, bytes + records);
}

/** Returns the largest size of one message of a stream, computed as by `largestReplyBytes`. */
export function largestMessageBytes({ output }: DescMethod): number {
  const { bytes, recordBytes } = sizeOf(output);
  return bytes + recordBytes;
}

/** The fields of a request that decide the size of its reply. */
interface Wanted {
  readonly limit?: number;
  readonly topK?: number;
  readonly budgetTokens?: number;
}

function wantedOf(request: Message): Wanted {
  const { search } = request as { readonly search?: Wanted };
  return search ?? (request as Wanted);
}

function sizeOf(schema: DescMessage): ReplySize {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const listed = schema.fields.filter(({ fieldKind }) => fieldKind === "list");
  const size = {
    bytes: messageBytes(schema, new Set()),
    recordBytes: listed.reduce((sum, field) => sum + fieldBytes(field, new Set([schema])), 0),
    maxBytes: isPage(schema) ? pageMaxBytes : messageMaxBytes,
  };
  sizes.set(schema, size);
  return size;
}

/** Whether the core limits the size of all records of a reply together. */
function isPage({ typeName, field }: DescMessage): boolean {
  return "nextPageToken" in field || typeName === RetrieveSkillsResponseSchema.typeName;
}

/** Returns the size of a message without its lists. */
function messageBytes(schema: DescMessage, parents: ReadonlySet<DescMessage>): number {
  const own = textBytes.get(schema.typeName);
  if (own !== undefined) return own;
  if (parents.has(schema)) return plainBytes;
  const chain = new Set([...parents, schema]);
  return schema.fields
    .filter(({ fieldKind }) => fieldKind === "message")
    .reduce((sum, field) => sum + fieldBytes(field, chain), plainBytes);
}

function fieldBytes({ message }: DescField, parents: ReadonlySet<DescMessage>): number {
  return message === undefined ? plainBytes : messageBytes(message, parents);
}
