import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ExplainedMemorySchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { searchOf } from "../../console/src/playground/request.js";
import { activeStages, finalScore, stageCell } from "../../console/src/playground/stage-cells.js";

const stage = (name: string, score: number, rank?: number, droppedReason = "") => ({
  name,
  score,
  droppedReason,
  ...(rank !== undefined && { rank }),
});

const hit = create(ExplainedMemorySchema, {
  stages: [
    stage("filter", 0),
    stage("keyword", 0.52, 1),
    stage("fused", 0.5, 1),
    stage("relevance", 1, 1),
    stage("author", 0.5, 1),
    stage("recency", 0.512, 1),
    stage("packing", 0.512, 1),
  ],
});
const miss = create(ExplainedMemorySchema, {
  stages: [stage("filter", 0), stage("keyword", 0), stage("relevance", 0, 9, "no shared keyword")],
});

it("a stage with a score of its own shows it, and any other one shows what it changed", () => {
  expect(
    ["keyword", "fused", "relevance", "author", "recency", "packing"].map((name) =>
      stageCell(hit, name),
    ),
  ).toEqual(["0.52 #1", "0.50 #1", "1.00 #1", "", "+0.012", ""]);
  expect([stageCell(miss, "keyword"), stageCell(miss, "relevance")]).toEqual(["", "✕"]);
  expect([finalScore(hit), finalScore(miss)]).toEqual([0.512, undefined]);
});

it("stages that did nothing have no column", () => {
  expect(activeStages([hit, miss])).toEqual(["keyword", "fused", "relevance", "recency"]);
});

it("empty fields of the address leave the defaults to the server", () => {
  const space = { userId: "ada", agentId: "tutor" };
  expect(searchOf(space, { q: "wine", budget: "", limit: "x" })).toEqual({
    namespace: space,
    query: "wine",
  });
  expect(searchOf(space, { q: "wine", budget: "60", min: "0.3", recency: "0" })).toMatchObject({
    budgetTokens: 60,
    minRelevance: 0.3,
    weights: { recency: 0 },
  });
});
