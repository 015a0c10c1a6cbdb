import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  GetAllRequestSchema,
  MemoryProvider,
  RecallRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  GetProposalRequestSchema,
  ProposalService,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import type { RpcMethod } from "../../../src/rpc/adapt/handler.js";
import { expectedReplyBytes } from "../../../src/rpc/adapt/reply-size.js";

const kibibyte = 1024;

function bytesFor(descriptor: DescMethod, request: Message): number {
  return expectedReplyBytes({ kind: descriptor.methodKind, descriptor } as RpcMethod, request);
}

it("the expected size of a reply follows from the records and tokens that the request asks for", () => {
  const { getAll, recall, search, add } = MemoryProvider.method;
  expect(bytesFor(getAll, create(GetAllRequestSchema, { limit: 2 }))).toBe(160 * kibibyte);
  expect(bytesFor(getAll, create(GetAllRequestSchema))).toBe(800 * kibibyte);
  const recallOf = (fields: object) =>
    bytesFor(recall, create(RecallRequestSchema, { search: fields }));
  expect(recallOf({ limit: 3 })).toBe(240 * kibibyte);
  expect(recallOf({ budgetTokens: 1_000 })).toBe(32_000);
  expect(recallOf({ limit: 1_000 })).toBe(4 * kibibyte ** 2);
  expect(bytesFor(search, create(SearchRequestSchema, { limit: 500 }))).toBe(500 * 80 * kibibyte);
  expect(bytesFor(search, create(SearchRequestSchema, { limit: 1_000 }))).toBe(64 * kibibyte ** 2);
  expect(bytesFor(add, create(GetAllRequestSchema))).toBeLessThanOrEqual(800 * kibibyte);
});

it("a proposal is expected to have its texts and its diff", () => {
  const { getProposal } = ProposalService.method;
  const bytes = bytesFor(getProposal, create(GetProposalRequestSchema));
  expect(bytes).toBe(5 * 256 * kibibyte);
});
