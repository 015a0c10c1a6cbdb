import { instantOfMillis } from "../../src/core/model/instant.js";
import type { Memory } from "../../src/core/model/memory.js";

/** Returns a memory with the defaults of the service, except for the given changes. */
export function memoryOf(changes: Partial<Memory> = {}): Memory {
  return {
    id: "m1",
    content: "The user prefers red wine",
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    createTime: instantOfMillis(1_000),
    updateTime: instantOfMillis(1_000),
    version: 1,
    tokenCount: 5,
    ...changes,
  };
}
