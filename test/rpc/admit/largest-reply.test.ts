import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { BlockService, ListBlocksRequestSchema } from "#gen/vademecum/v1/block_service_pb.js";
import {
  AddRequestSchema,
  GetAllRequestSchema,
  MemoryProvider,
  RecallRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { RetrieveSkillsRequestSchema, SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { largestReplyBytes } from "../../../src/rpc/admit/largest-reply.js";
import { defaultTrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { messageMaxBytes } from "../../../src/rpc/limits.js";

const { add, getAll, recall } = MemoryProvider.method;
const kibibyte = 1024;
const pageMaxBytes = 4 * kibibyte * kibibyte;

describe("the largest reply", () => {
  it("the largest reply grows with the requested number of records, up to the largest page", () => {
    const bytesFor = (limit?: number) =>
      largestReplyBytes(getAll, create(GetAllRequestSchema, limit === undefined ? {} : { limit }));
    expect(bytesFor(1)).toBeGreaterThan(80 * kibibyte);
    expect(bytesFor(1)).toBeLessThan(128 * kibibyte);
    expect(bytesFor(20)).toBeGreaterThan(20 * 80 * kibibyte);
    expect(bytesFor()).toBe(bytesFor(10));
    expect(bytesFor(1_000)).toBe(pageMaxBytes);
  });

  it("the largest reply of RetrieveSkills is as large as the largest page", () => {
    const request = create(RetrieveSkillsRequestSchema, { topK: 100 });
    expect(largestReplyBytes(SkillService.method.retrieveSkills, request)).toBe(pageMaxBytes);
  });

  it("the largest reply of a search follows from its budget", () => {
    const bytesFor = (search: object) =>
      largestReplyBytes(recall, create(RecallRequestSchema, { search }));
    expect(bytesFor({ budgetTokens: 500 })).toBeLessThan(64 * kibibyte);
    expect(bytesFor({ budgetTokens: 1_000_000 })).toBe(messageMaxBytes);
    expect(bytesFor({ budgetTokens: 1_000_000, limit: 1 })).toBeLessThan(256 * kibibyte);
  });

  it("the largest reply uses the method's default number of records, if the method has one", () => {
    expect(largestReplyBytes(BlockService.method.listBlocks, create(ListBlocksRequestSchema))).toBe(
      pageMaxBytes,
    );
  });

  it("the largest reply of an Add is smaller than 64 KiB", () => {
    expect(largestReplyBytes(add, create(AddRequestSchema))).toBeLessThan(64 * kibibyte);
    expect(64 * kibibyte).toBeLessThanOrEqual(defaultTrafficLimits.smallReplyBytes);
  });
});
