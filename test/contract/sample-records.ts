import type { JsonObject } from "../../src/core/json.js";
import type { Memory } from "../../src/core/memory.js";

/** A memory with only what every memory has. */
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

/** A memory with every field. */
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
    metadata: JSON.parse('{"__proto__":{"toString":1},"list":[null,true,-1.5e300,"x",{}],"nested":{"deep":[[]]}}') as JsonObject,
    eventTime: { seconds: 253_402_300_799, nanos: 1 },
    expireTime: time,
    lastUsedTime: time,
    supersedes: "older",
    supersededBy: "newer",
    version: 9_007_199_254_740_991,
  });
}
