import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { BlockSchema, BlockVersionSchema } from "#gen/vademecum/v1/block_pb.js";
import { ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { blockBodyMaxBytes, contentMaxBytes, metadataMaxBytes } from "../../core/model/limits.js";
import { messageMaxBytes } from "../limits.js";
import type { RpcMethod } from "./handler.js";

/** Largest sizes of the records in replies, in bytes. A record of another type is a memory. */
const recordBytes = new Map<DescMessage, number>([
  [BlockSchema, blockBodyMaxBytes],
  [BlockVersionSchema, blockBodyMaxBytes],
  // The old, the new and the edited text, and the diff, which repeats at most the first two.
  [ProposalSchema, 5 * blockBodyMaxBytes],
]);
const memoryBytes = contentMaxBytes + metadataMaxBytes;

/** Number of records in a reply if the request states no number. */
const defaultCount = 10;

/** Maximum number of bytes for each token of a budget, in ordinary texts. */
const tokenBytes = 32;

/** Largest expected reply of a stream. Its records are in RAM together before the first message. */
const streamMaxBytes = 16 * messageMaxBytes;

/** The fields of a request that decide the size of its reply. */
interface Wanted {
  readonly limit?: number;
  readonly topK?: number;
  readonly budgetTokens?: number;
}

/**
 * Returns the expected largest size of the reply to a request, in bytes, for the slot of its call.
 * Follows from the number of records and tokens that the request asks for.
 */
export function expectedReplyBytes({ kind, descriptor }: RpcMethod, request: Message): number {
  const { search } = request as { readonly search?: Wanted };
  const { limit, topK, budgetTokens } = search ?? (request as Wanted);
  const count = limit ?? topK ?? defaultCount;
  let bytes = 0;
  for (const field of descriptor.output.fields) bytes += fieldBytes(field, count);
  if (budgetTokens !== undefined && bytes > 0)
    bytes = Math.min(limit === undefined ? Infinity : bytes, budgetTokens * tokenBytes);
  return Math.min(bytes, kind === "unary" ? messageMaxBytes : streamMaxBytes);
}

function fieldBytes({ message, fieldKind }: DescField, count: number): number {
  if (message === undefined) return 0;
  if (fieldKind === "list") return count * (recordBytes.get(message) ?? memoryBytes);
  return recordBytes.get(message) ?? 0;
}
