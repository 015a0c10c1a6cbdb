import { noErasureCounts } from "../../src/core/model/erasure.js";
import type { JsonObject } from "../../src/core/model/json.js";
import type { Memory } from "../../src/core/model/memory.js";
import type { NamespaceTables, ScopeTables } from "../../src/core/ports/store.js";

const text = "Ünïcödé 🧠 \0 e\u0301 \r\n $& \\1";

/** Returns a memory with the required fields, and with the fields of `more`. */
export function sampleMemory(id: string, content: string, more: Partial<Memory> = {}): Memory {
  const time = { seconds: 1_760_000_000, nanos: 123_000_000 };
  return {
    id,
    content,
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    createTime: time,
    updateTime: time,
    version: 1,
    tokenCount: content.length,
    ...more,
  };
}

/** Returns a memory with every field. */
export function fullMemory(id: string): Memory {
  const time = { seconds: -62_135_596_800, nanos: 999_999_999 };
  return sampleMemory(id, "Ünïcödé 🧠 \0 text", {
    memoryType: "SCRATCH_PAGE",
    kind: "observation",
    tags: ["b", "a", ""],
    importance: 0.1,
    source: "test",
    status: "RESOLVED",
    restricted: true,
    author: "kim",
    threadId: "t/1",
    metadata: JSON.parse(
      '{"__proto__":{"toString":1},"list":[null,true,-1.5e300,"x",{}],"nested":{"deep":[[]]}}',
    ) as JsonObject,
    eventTime: { seconds: 253_402_300_799, nanos: 1 },
    expireTime: time,
    supersedes: "older",
    supersededBy: "newer",
    externalId: text,
    version: 2 ** 52,
    history: {
      kept: [3, 4],
      changedBy: "key:kim",
      changeTime: time,
      proposalId: "p1",
      restoredFrom: 3,
    },
  });
}

const instant = { seconds: 1_760_000_000, nanos: 1_000_000 };

/** A record with every field for each table of a namespace. */
export const namespaceRecords: { readonly [T in keyof NamespaceTables]: NamespaceTables[T] } = {
  memories: fullMemory("m1"),
  vectors: Float32Array.of(1, -0, 0.1, Number.MIN_VALUE, 3.4e38),
  alternateVectors: Float32Array.of(-1, 0.25),
  timeline: null,
  externalIds: "m1",
  memoryVersions: {
    memory: sampleMemory("m1", text, { threadId: text, metadata: { nested: [null] } }),
    changedBy: text,
    changeTime: instant,
    proposalId: "p1",
    restoredFrom: 1,
    contentHmac: "ab",
  },
  memoryUses: { lastUsedTime: instant },
  threads: { turnCount: 3, version: 4, createTime: instant, updateTime: instant },
  threadTurns: null,
  profiles: { modelId: "caller", dimension: 2, table: "alternateVectors" },
  skills: {
    id: "s1",
    context: text,
    lesson: text,
    toolName: text,
    createTime: instant,
    createSeq: 4,
  },
  skillVectors: Float32Array.of(0.5, -1),
  alternateSkillVectors: Float32Array.of(-0.5, 1),
  skillTimeline: null,
  skillUses: { successCount: 3, failureCount: 2, lastUsedTime: instant },
  turnEntries: {
    time: instant,
    requestId: text,
    taskId: "",
    planId: text,
    queryId: "q",
    toolId: "tool",
    toolVersion: "1",
    memoryType: "SCRATCH_PAGE",
    queryText: text,
    event: "TRUNCATED",
    reason: text,
    tokensUsed: 500,
    returnedResults: 3,
    durationMs: 0.25,
  },
  turnsByRequest: null,
  turnsByTask: null,
};

/** A record with every field for each table of a scope. */
export const scopeRecords: { readonly [T in keyof ScopeTables]: ScopeTables[T] } = {
  replies: {
    requestDigest: "ab",
    reply: { id: "x", outcome: "ADDED", seq: 1, nearDuplicates: [{ id: "y", relevance: 0.5 }] },
    expireMs: 1_760_000_000_123,
  },
  replyExpiries: "r1",
  digestKeys: "ab",
  erasures: { userId: text, runIds: [text], counts: noErasureCounts, beginMs: 1_760_000_000_123 },
  deliveries: { epoch: text, seq: 7 },
  blocks: {
    label: "l",
    title: text,
    body: text,
    schemaRef: "s",
    version: 7,
    tokenCount: 9,
    updateTime: instant,
    createSeq: 4,
  },
  blockVersions: {
    version: 7,
    title: text,
    body: "",
    schemaRef: "s",
    tokenCount: 0,
    writtenBy: "kim",
    writeTime: instant,
    proposalId: "p",
    restoredFrom: 2,
    createSeq: 4,
  },
  proposals: {
    id: "p1",
    agentId: text,
    target: { kind: "block", label: text },
    oldString: text,
    newString: "",
    replaceAll: true,
    reasoning: text,
    confidence: "HIGH",
    status: "CONFLICTED",
    baseVersion: 3,
    baseText: text,
    createTime: instant,
    expireTime: instant,
    decidedBy: "kim",
    decideTime: instant,
    decisionReason: text,
    editedNewString: text,
    resultVersion: 4,
    conflictText: text,
    repeatOf: "p0",
  },
  pendingProposals: null,
  proposalsByTarget: null,
  rejectedEdits: "p0",
  keyValues: { value: text, position: "00000000000001", version: 7 },
  keyPositions: text,
  toolManifests: {
    toolId: text,
    version: "1.0.0",
    memoryAccess: [
      {
        memoryType: "EPISODIC",
        enabled: true,
        write: true,
        kinds: [text],
        tags: [text],
        maxQueries: 0,
        maxBudgetTokens: 500,
      },
    ],
    revision: 2,
    createSeq: 4,
  },
};
