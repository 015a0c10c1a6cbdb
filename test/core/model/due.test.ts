import { expect, it } from "vitest";
import { recordDueMs, skillDueMs } from "../../../src/core/model/due.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import type { Skill } from "../../../src/core/model/skill.js";
import { namespaceRecords, sampleMemory, scopeRecords } from "../../contract/sample-records.js";

const day = 24 * 60 * 60 * 1000;
const skill: Skill = {
  ...{ id: "s", context: "c", lesson: "l", createSeq: 1 },
  createTime: instantOfMillis(0),
};

it("a memory is due when it expires", () => {
  const memory = sampleMemory("m", "text");
  expect(recordDueMs("memories", memory)).toBe(Infinity);
  const expireTime = { seconds: 5, nanos: 999_999 };
  expect(recordDueMs("memories", { ...memory, expireTime })).toBe(5_000);
});

it("only a pending proposal is due", () => {
  const { proposals: proposal } = scopeRecords;
  const expireTime = instantOfMillis(7);
  expect(recordDueMs("proposals", { ...proposal, status: "PENDING", expireTime })).toBe(7);
  expect(recordDueMs("proposals", { ...proposal, status: "REJECTED", expireTime })).toBe(Infinity);
});

it("a trace entry is due after 30 days", () => {
  const { turnEntries: entry } = namespaceRecords;
  expect(recordDueMs("turnEntries", { ...entry, time: instantOfMillis(1) })).toBe(30 * day + 1);
});

it("a skill is due 30 days after it was stored, or 90 days after its last use with a success", () => {
  const use = (successCount: number, lastUsedMs: number) => ({
    ...{ successCount, failureCount: 0 },
    lastUsedTime: instantOfMillis(lastUsedMs),
  });
  expect(recordDueMs("skills", skill)).toBe(30 * day);
  expect(skillDueMs(skill, use(0, 20 * day))).toBe(30 * day);
  expect(skillDueMs(skill, use(1, 20 * day))).toBe(110 * day);
});

it("no other record is ever due", () => {
  for (const [table, value] of Object.entries({ ...namespaceRecords, ...scopeRecords }))
    if (!["memories", "proposals", "turnEntries", "skills"].includes(table))
      expect(recordDueMs(table, value)).toBe(Infinity);
});
