import { sampleTexts } from "../../bench/harness/sample-texts.js";
import { type Instant, instantOfMillis } from "../../src/core/model/instant.js";
import { type Memory, memoryTypes } from "../../src/core/model/memory.js";
import { type Choices, choicesOf } from "./random.js";
import { people, question, statement } from "./sentences.js";

/** The time of all searches. */
export const nowMs = Date.UTC(2026, 0, 15, 12);

const dayMs = 24 * 60 * 60 * 1000;

/** The length of each vector that a caller sends. */
export const callerDimension = 24;

/** Where the vectors of a namespace come from. */
export type VectorSource = "bundled model" | "caller" | "none";

/** A namespace with its memories. */
export interface FilledNamespace {
  readonly agentId: string;
  readonly vectors: VectorSource;
  readonly memories: readonly Memory[];
}

/**
 * Creates the namespaces for the queries of the reference. `countTokens` counts the tokens of a
 * content.
 */
export function filledNamespaces(
  countTokens: (content: string) => number,
): readonly FilledNamespace[] {
  const namespaces: readonly FilledNamespace[] = [
    { agentId: "notes", vectors: "bundled model", memories: notes(1_500, 1) },
    { agentId: "talks", vectors: "bundled model", memories: talks(1_300, 2) },
    { agentId: "mixed", vectors: "bundled model", memories: mixed(300, 3) },
    { agentId: "documents", vectors: "bundled model", memories: documents(80, 4) },
    { agentId: "words alone", vectors: "none", memories: mixed(300, 5) },
    { agentId: "own vectors", vectors: "caller", memories: mixed(400, 6) },
  ];
  return namespaces.map((namespace) => ({
    ...namespace,
    memories: namespace.memories.map((memory) => ({
      ...memory,
      tokenCount: countTokens(memory.content),
    })),
  }));
}

/** Creates a vector, as a caller could send it. */
export function callerVector(seed: number): Float32Array {
  const choose = choicesOf(seed);
  return Float32Array.from({ length: callerDimension }, () => choose.below(2_001) / 1_000 - 0.8);
}

/** Memories without optional fields. Half of the texts are random words, half are sentences. */
function notes(count: number, seed: number): Memory[] {
  const choose = choicesOf(seed);
  return sampleTexts(count, seed).map((text, at) =>
    memoryOf(at, choose, choose.chance(0.5) ? text : statement(choose)),
  );
}

/** Turns of conversations with their authors and times. Every seventh memory has no thread. */
function talks(count: number, seed: number): Memory[] {
  const choose = choicesOf(seed);
  return Array.from({ length: count }, (_, at) => {
    const thread = at % 7 === 0 ? undefined : `talk ${at % 31}`;
    const content = choose.chance(0.3) ? question(choose) : statement(choose);
    return {
      ...memoryOf(at, choose, content),
      memoryType: "CONVERSATION",
      author: choose.one(people.slice(0, 3)),
      eventTime: daysAgo(10 + choose.below(300)),
      ...(thread !== undefined && { threadId: thread }),
    };
  });
}

/** Memories of every type, with optional fields. Some are expired, superseded or restricted. */
function mixed(count: number, seed: number): Memory[] {
  const choose = choicesOf(seed);
  return Array.from({ length: count }, (_, at) => ({
    ...memoryOf(at, choose, choose.chance(0.2) ? question(choose) : statement(choose)),
    memoryType: choose.one(memoryTypes),
    tags: choose.chance(0.5) ? [choose.one(["travel", "health", "work"])] : [],
    importance: choose.below(11) / 10,
    restricted: choose.chance(0.1),
    ...(choose.chance(0.4) && { kind: choose.one(["preference", "fact", "task"]) }),
    ...(choose.chance(0.4) && { author: choose.one(people) }),
    ...(choose.chance(0.5) && { eventTime: daysAgo(choose.below(400)) }),
    ...(choose.chance(0.1) && { expireTime: daysAgo(choose.below(20) - 10) }),
    ...(choose.chance(0.1) && at > 0 && { supersededBy: idOf(choose.below(at)) }),
    ...(choose.chance(0.3) && {
      metadata: { city: choose.one(["Oslo", "Lisbon"]), floor: at % 4 },
    }),
    ...(choose.chance(0.3) && { threadId: `thread ${choose.below(12)}` }),
  }));
}

/** Long texts, some of them in threads. */
function documents(count: number, seed: number): Memory[] {
  const choose = choicesOf(seed);
  return Array.from({ length: count }, (_, at) => ({
    ...memoryOf(at, choose, Array.from({ length: 22 }, () => statement(choose)).join(" ")),
    ...(at % 3 === 0 && { threadId: `report ${at % 4}`, eventTime: daysAgo(count - at) }),
  }));
}

function memoryOf(at: number, choose: Choices, content: string): Memory {
  const createTime = daysAgo(choose.below(500));
  return {
    id: idOf(at),
    content,
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    ...(content.includes("clock") && { source: "clock" }),
    createTime,
    updateTime: createTime,
    version: 1,
    tokenCount: 0,
  };
}

function idOf(at: number): string {
  return `m${at}`;
}

function daysAgo(days: number): Instant {
  return instantOfMillis(nowMs - days * dayMs);
}
