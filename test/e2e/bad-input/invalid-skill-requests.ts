import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import type { InvalidRequest } from "./invalid-requests.js";
import { aboutTarget } from "./target.js";

const { storeSkill, retrieveSkills, listSkills, deleteSkill, updateSuccessCount, pruneStale } =
  SkillService.method;
const letters = (length: number) => "x".repeat(length);
const skill = { context: "c", lesson: "l" };

/** Well-formed requests of SkillService with an invalid field. */
export const invalidSkillRequests: readonly InvalidRequest[] = [
  { name: "no namespace", method: storeSkill, request: skill, field: "namespace" },
  {
    name: "a lesson of 32 KiB and a byte",
    method: storeSkill,
    request: aboutTarget({ ...skill, lesson: letters(32_769) }),
    field: "lesson",
  },
  {
    name: "an empty context",
    method: storeSkill,
    request: aboutTarget({ ...skill, context: "" }),
    field: "context",
  },
  ...["context", "lesson"].map((field) => ({
    name: `a ${field} of white space alone`,
    method: storeSkill,
    request: aboutTarget({ ...skill, [field]: " \n\u3000" }),
    field,
  })),
  {
    name: "an empty id",
    method: storeSkill,
    request: aboutTarget({ ...skill, id: "" }),
    field: "id",
  },
  {
    name: "an empty tool",
    method: storeSkill,
    request: aboutTarget({ ...skill, toolName: "" }),
    field: "tool_name",
  },
  {
    name: "an embedding of zeros",
    method: storeSkill,
    request: aboutTarget({ ...skill, embedding: [0, 0] }),
    field: "embedding",
  },
  {
    name: "an embedding with NaN",
    method: storeSkill,
    request: aboutTarget({ ...skill, embedding: [1, "NaN"] }),
    field: "embedding[1]",
  },
  {
    name: "an empty query",
    method: retrieveSkills,
    request: aboutTarget({ query: "" }),
    field: "query",
  },
  {
    name: "a top_k of 0",
    method: retrieveSkills,
    request: aboutTarget({ query: "x", topK: 0 }),
    field: "top_k",
  },
  {
    name: "a top_k of 1,001",
    method: retrieveSkills,
    request: aboutTarget({ query: "x", topK: 1001 }),
    field: "top_k",
  },
  {
    name: "a similarity above 1",
    method: retrieveSkills,
    request: aboutTarget({ query: "x", minSimilarity: 1.01 }),
    field: "min_similarity",
  },
  { name: "a limit of 0", method: listSkills, request: aboutTarget({ limit: 0 }), field: "limit" },
  { name: "an empty id", method: deleteSkill, request: aboutTarget({ id: "" }), field: "id" },
  {
    name: "a negative increment",
    method: updateSuccessCount,
    request: aboutTarget({ id: "x", increment: -1 }),
    field: "increment",
  },
  {
    name: "an increment beyond a million",
    method: updateSuccessCount,
    request: aboutTarget({ id: "x", failureIncrement: 1_000_001 }),
    field: "failure_increment",
  },
  { name: "no namespace", method: pruneStale, request: {}, field: "namespace" },
];
