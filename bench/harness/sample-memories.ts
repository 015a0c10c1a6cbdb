import { instantOfMillis } from "../../src/core/model/instant.js";
import type { Memory } from "../../src/core/model/memory.js";
import { createIdSource } from "../../src/system/ids.js";
import { sampleTexts } from "./sample-texts.js";

/** Makes memories from `sampleTexts`, with the fields that Add gives a bare text, created now. */
export function sampleMemories(count: number, seed: number): readonly Memory[] {
  const ids = createIdSource();
  const nowMs = Date.now();
  const createTime = instantOfMillis(nowMs);
  return sampleTexts(count, seed).map((content) => ({
    id: ids.next(nowMs),
    content,
    memoryType: "EPISODIC",
    tags: [],
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    createTime,
    updateTime: createTime,
    version: 1,
    tokenCount: 30,
  }));
}
