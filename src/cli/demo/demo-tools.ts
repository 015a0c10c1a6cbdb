import { create } from "@bufbuild/protobuf";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { ToolManifestSchema } from "#gen/vademecum/v1/tool_pb.js";
import { adaSommelier, adaTutor, benGuide, type DemoEvent, type DemoSpace } from "./demo-event.js";

const { EPISODIC, SEMANTIC, WORKING } = MemoryType;

const manifests = [
  create(ToolManifestSchema, {
    toolId: "wine_recommender",
    version: "1.0.0",
    memoryAccess: [
      { memoryType: SEMANTIC, enabled: true, tags: ["wine", "budget"], maxBudgetTokens: 200 },
      { memoryType: EPISODIC, enabled: true, maxQueries: 2 },
    ],
  }),
  create(ToolManifestSchema, {
    toolId: "calendar",
    version: "2.1.0",
    memoryAccess: [
      { memoryType: SEMANTIC, enabled: true, tags: ["schedule"] },
      { memoryType: WORKING, enabled: true, write: true },
    ],
  }),
];

type Query = readonly [queryId: string, type: MemoryType, text: string, budget?: number];

/** A turn in which the wine recommender asks for memories. */
function turn(daysAgo: number, requestId: string, taskId: string, queries: readonly Query[]) {
  const event: DemoEvent = {
    daysAgo,
    happen: (as) =>
      as("wine_recommender").tools.queryMemoryUnary({
        request: {
          requestId,
          toolId: "wine_recommender",
          toolVersion: "1.0.0",
          userId: adaSommelier.userId,
          agentContext: { agentId: adaSommelier.agentId, taskId },
          queries: queries.map(([queryId, memoryType, queryText, budgetTokens]) => ({
            queryId,
            memoryType,
            queryText,
            ...(budgetTokens !== undefined && { budgetTokens }),
          })),
          budgetTokens: 400,
        },
      }),
  };
  return event;
}

type Lesson = readonly [
  context: string,
  lesson: string,
  tool: string,
  worked: number,
  failed: number,
];

function skill(
  namespace: DemoSpace,
  daysAgo: number,
  [context, lesson, toolName, successCount, failureCount]: Lesson,
) {
  const event: DemoEvent = {
    daysAgo,
    happen: (as) =>
      as(namespace.agentId).skills.storeSkill({
        namespace,
        context,
        lesson,
        ...(toolName !== "" && { toolName }),
        successCount: BigInt(successCount),
        failureCount: BigInt(failureCount),
      }),
  };
  return event;
}

/** Tools that ask for memories, some of which they may not read, and what agents have learned. */
export const toolUse: readonly DemoEvent[] = [
  ...manifests.map(
    (manifest): DemoEvent => ({
      daysAgo: 60.5,
      happen: (as) => as("olga").tools.registerTool({ manifest }),
    }),
  ),
  turn(28, "r-birthday", "birthday", [
    ["liked", EPISODIC, "What wines has Ada liked?"],
    ["budget", SEMANTIC, "How much does Ada spend on wine?"],
  ]),
  turn(5.5, "r-dinner-1", "dinner with Tom and Lea", [
    ["liked", EPISODIC, "What wines has Ada liked?"],
    ["prefers", SEMANTIC, "Which wines does Ada prefer?"],
    ["plans", WORKING, "What does Ada plan for Saturday?"],
  ]),
  turn(5.49, "r-dinner-2", "dinner with Tom and Lea", [
    ["liked", EPISODIC, "What wines has Ada liked?", 12],
    ["again", EPISODIC, "What did the guests say about the wine?"],
    ["third", EPISODIC, "Which wine was too sharp?"],
  ]),
  skill(adaTutor, 50, [
    "Ada is stuck in a proof",
    "Ask for the definition first, then for the first line.",
    "",
    14,
    1,
  ]),
  skill(adaTutor, 42, [
    "Ada makes a mistake in a calculation",
    "Do not correct it. Ask her to check the trace and the determinant.",
    "calendar",
    9,
    2,
  ]),
  skill(adaTutor, 20, [
    "The lesson runs over time",
    "Stop at the next result and write down the open question.",
    "calendar",
    3,
    0,
  ]),
  skill(benGuide, 33, [
    "A train connection has less than 20 minutes",
    "Offer the next train as well, and say what it costs.",
    "",
    5,
    1,
  ]),
  skill(benGuide, 25, [
    "Ben's parents travel along",
    "Look for a lift and flat streets before the price.",
    "",
    4,
    0,
  ]),
  skill(adaSommelier, 18, [
    "A guest drinks no alcohol",
    "Suggest one drink without alcohol for each course.",
    "wine_recommender",
    2,
    0,
  ]),
  ...[
    ["plan/monday", "Lisbon: arrive 11:20, desk in the room"],
    ["plan/tuesday", "Lapa in the afternoon, Fado at 21:00"],
    ["open question", "Does the hotel have a lift?"],
  ].map(
    ([key = "", value = ""], index): DemoEvent => ({
      daysAgo: 54 - index / 1440,
      happen: (as) => as("guide").keyValues.writeKey({ runId: "lisbon-weekend", key, value }),
    }),
  ),
];
