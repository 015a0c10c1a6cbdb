import { instantOfMillis } from "../../src/core/model/instant.js";
import type { JsonObject, JsonValue } from "../../src/core/model/json.js";
import {
  contentMaxBytes,
  metadataMaxBytes,
  tagMaxBytes,
  tagsMax,
} from "../../src/core/model/limits.js";
import type { Memory } from "../../src/core/model/memory.js";

/** Memories of maximum size, with contents that filters read slowly. */
export const hostileMemories: readonly Memory[] = [
  hostileMemory("a".repeat(contentMaxBytes), { list: filled(1) }),
  hostileMemory("a".repeat(contentMaxBytes), { texts: filled("a".repeat(20)) }),
  hostileMemory("1".repeat(contentMaxBytes), { maps: filled({ a: 1 }) }),
  hostileMemory("\u00c4".repeat(contentMaxBytes / 2), { keys: manyKeys() }),
  hostileMemory(" ".repeat(contentMaxBytes), { text: "a".repeat(metadataMaxBytes - 100) }),
  hostileMemory("ab".repeat(contentMaxBytes / 2), { deep: deeplyNested() }),
  hostileMemory("a".repeat(contentMaxBytes), {
    list: filled(1, 8),
    maps: filled(manyKeys(8), 3),
    keys: manyKeys(8),
    texts: filled("aab", 8),
    text: "a".repeat(metadataMaxBytes / 8),
  }),
];

function hostileMemory(content: string, metadata: JsonObject): Memory {
  return {
    id: "019a0000-0000-7000-8000-000000000000",
    content,
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
  const count = (metadataMaxBytes / share - 100) / `"k1000":1,`.length;
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
}

/** Lists in lists, as deep as metadata may nest. */
function deeplyNested(): JsonValue {
  let value: JsonValue = [1, 1, 1, 1];
  for (let level = 0; level < 5; level++) value = [value, value, value, value];
  return value;
}
