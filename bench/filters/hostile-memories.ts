import { instantOfMillis } from "../../src/core/model/instant.js";
import type { JsonObject, JsonValue } from "../../src/core/model/json.js";
import { metadataMaxBytes, tagMaxBytes, tagsMax } from "../../src/core/model/limits.js";
import type { Memory } from "../../src/core/model/memory.js";

/** Memories with the largest metadata and tags, filled with what is slow to read. */
export const hostileMemories: readonly Memory[] = [
  hostileMemory({ list: filled(1) }),
  hostileMemory({ list: filled({}) }),
  hostileMemory({ texts: filled("a".repeat(20)) }),
  hostileMemory({ maps: filled({ a: 1 }) }),
  hostileMemory({ keys: manyKeys() }),
  hostileMemory(manyKeys()),
  hostileMemory({ text: "a".repeat(metadataMaxBytes - 100) }),
  hostileMemory({ text: "\u00c4".repeat(metadataMaxBytes / 2 - 50) }),
  hostileMemory({ deep: deeplyNested() }),
  hostileMemory({
    list: filled(1, 8),
    maps: filled(manyKeys(8), 3),
    keys: manyKeys(8),
    texts: filled("aab", 8),
    text: "a".repeat(metadataMaxBytes / 8),
  }),
];

function hostileMemory(metadata: JsonObject): Memory {
  return {
    id: "019a0000-0000-7000-8000-000000000000",
    content: "",
    memoryType: "EPISODIC",
    tags: Array.from({ length: tagsMax }, (_, i) => `${"a".repeat(tagMaxBytes - 2)}${10 + i}`),
    importance: 0.5,
    status: "ACTIVE",
    restricted: false,
    metadata: { number: 2, truth: false, ...metadata },
    createTime: instantOfMillis(1_000),
    updateTime: instantOfMillis(1_000),
    eventTime: instantOfMillis(1_000),
    version: 1,
    tokenCount: 5,
  };
}

/** Returns a list of equal items that fills a share of the metadata. */
function filled(item: JsonValue, share = 1): JsonValue[] {
  const bytes = metadataMaxBytes / share - 100;
  return Array.from({ length: bytes / (JSON.stringify(item).length + 1) }, () => item);
}

function manyKeys(share = 1): JsonObject {
  const count = (metadataMaxBytes / share - 100) / `"k00":1,`.length;
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i.toString(36)}`, 1]));
}

/** Lists in lists, as deep as metadata may nest. */
function deeplyNested(): JsonValue {
  let value: JsonValue = [1, 1, 1, 1];
  for (let level = 0; level < 5; level++) value = [value, value, value, value];
  return value;
}
