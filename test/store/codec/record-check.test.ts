import { describe, expect, it } from "vitest";
import {
  blockVersionKey,
  deliveryKey,
  manifestKey,
  memoryVersionKey,
  replyKey,
  timelineKey,
} from "../../../src/core/model/record-keys.js";
import type { Table } from "../../../src/core/ports/store.js";
import { PageCheck } from "../../../src/store/codec/owned-tables.js";
import { decodeChecked } from "../../../src/store/codec/record-check.js";
import { codecOf, packPayload } from "../../../src/store/codec/table-codecs.js";
import { namespaceRecords, scopeRecords } from "../../contract/sample-records.js";

const records = { ...namespaceRecords, ...scopeRecords };
const keys: { readonly [T in Table]?: string } = {
  memories: records.memories.id,
  skills: records.skills.id,
  profiles: "vectors",
  blocks: records.blocks.label,
  proposals: records.proposals.id,
  memoryVersions: memoryVersionKey("m1", 1),
  blockVersions: blockVersionKey("l", 7),
  toolManifests: manifestKey(records.toolManifests.toolId, "1.0.0"),
  replies: replyKey("Add", "guide", "key"),
  deliveries: deliveryKey,
};
const tables = Object.keys(records) as Table[];
const encoded = (table: Table, value: unknown) => codecOf(table).encode(value as never);

describe("the check of records", () => {
  it.each(tables)("a record with every field passes: %s", (table) => {
    const payload = encoded(table, records[table]);
    expect(decodeChecked(table, keys[table] ?? "key", payload)).toEqual(records[table]);
  });

  it.each(tables)("bytes that are no value of the table are refused: %s", (table) => {
    const wrong = [Buffer.of(0xff), Buffer.from("[]"), Buffer.from("{}"), packPayload([1])];
    const isText = typeof records[table] === "string";
    const refused = wrong.filter((payload) => {
      try {
        decodeChecked(table, keys[table] ?? "key", payload);
        return false;
      } catch {
        return true;
      }
    });
    // Any UTF-8 is a text, and any four bytes are a number of a vector.
    expect(refused.length).toBeGreaterThanOrEqual(isText ? 1 : 3);
  });

  it.each([
    ["memories", { createTime: { seconds: 1e15, nanos: 0 } }, "/createTime/seconds"],
    ["memories", { updateTime: { seconds: 1.5, nanos: 0 } }, "/updateTime/seconds"],
    ["memories", { importance: 7 }, "/importance"],
    ["memories", { version: 0.5 }, "/version"],
    ["memories", { tokenCount: 2 ** 40 }, "/tokenCount"],
    ["memories", { tags: [1] }, "/tags/0"],
    ["memories", { content: 7 }, "/content"],
    ["memories", { metadata: [1] }, "/metadata"],
    ["memories", { id: "another" }, "belong to the key"],
    ["skills", { lesson: undefined }, "lesson"],
    ["skills", { context: "\ud800" }, "lone surrogate"],
    ["blocks", { updateTime: { seconds: "1", nanos: 0 } }, "/updateTime/seconds"],
    ["proposals", { status: "DONE" }, "/status"],
    ["proposals", { target: { kind: "memory" } }, "/target"],
    ["skillUses", { successCount: -1 }, "/successCount"],
    ["toolManifests", { memoryAccess: {} }, "/memoryAccess"],
    ["turnEntries", { durationMs: null }, "/durationMs"],
    ["turnEntries", { durationMs: 1e18 }, "/durationMs"],
    ["threads", { turnCount: 2 ** 40 }, "/turnCount"],
    ["keyValues", { position: "1" }, "/position"],
    ["memoryVersions", { memory: { ...records.memories, history: undefined } }, "key"],
    ["blockVersions", { version: 8 }, "belong to the key"],
    ["toolManifests", { version: "2" }, "belong to the key"],
    ["deliveries", { seq: -1 }, "/seq"],
    ["keyValues", { value: 7 }, "/value"],
    ["replies", { reply: { id: "x" } }, "/reply must have"],
    ["replies", { reply: null }, "/reply must be object"],
    ["profiles", { dimension: 0 }, "/dimension"],
    ["profiles", { table: "skillVectors" }, "skillVectors"],
  ] as const)(
    "a record of %s with %j is refused, and the error names the field",
    (table, change, where) => {
      const payload = encoded(table, { ...(records[table] as object), ...change });
      expect(() => decodeChecked(table, keys[table] ?? "key", payload)).toThrow(where);
    },
  );

  it("vectors of another dimension than the profile of their namespace are refused", () => {
    const vectorsOf = (...vector: number[]): (() => void) => {
      const check = new PageCheck();
      const add = (table: Table, key: string, value: unknown): void => {
        check.add({ agentId: "a", table, records: [[key, encoded(table, value)]] });
      };
      add("memories", "m1", records.memories);
      add("timeline", timelineKey(records.memories), null);
      add("vectors", "m1", Float32Array.from(vector));
      add("profiles", "vectors", { modelId: "caller", dimension: 2 });
      return () => check.end();
    };
    expect(vectorsOf(1, 2)).toThrow("externalIds does not fit memories");
    expect(vectorsOf(1, 2, 3)).toThrow('vectors "m1" has 3 numbers');
    expect(() => vectorsOf(1, Number.NaN)).toThrow("not finite");
  });
});
