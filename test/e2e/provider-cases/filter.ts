import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import type { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import type { AddFields, NamespaceClient } from "../harness/namespace-client.js";

type Filter = MessageInitShape<typeof FilterSchema>;

const january = timestampFromDate(new Date("2020-01-01T00:00:00Z"));
const february = timestampFromDate(new Date("2020-02-01T00:00:00Z"));

const wine: AddFields = {
  memoryType: MemoryType.SEMANTIC,
  kind: "preference",
  tags: ["wine", "food"],
  importance: 0.8,
  source: "chat",
  author: "Ada",
  threadId: "dinner",
  externalId: "order-17",
  eventTime: january,
  metadata: { stars: 4, verified: true, nested: { a: [1, { b: null }] }, nothing: null },
};
const alert: AddFields = {
  memoryType: MemoryType.SCRATCH_PAGE,
  kind: "risk_alert",
  tags: ["ops"],
  importance: 0.2,
  status: MemoryStatus.RESOLVED,
  eventTime: february,
  metadata: { stars: "4", verified: "true" },
};

/**
 * Filters, and which of the memories `wine`, `alert` and `bare` pass. The memory `bare` has none of
 * the optional fields.
 */
const filters: readonly { name: string; filter: Filter; passing: readonly string[] }[] = [
  { name: "no condition", filter: {}, passing: ["bare", "alert", "wine"] },
  {
    name: "the number 4 in metadata does not match the text 4",
    filter: { metadata: { stars: 4 } },
    passing: ["wine"],
  },
  {
    name: "the text 4 in metadata does not match the number 4",
    filter: { metadata: { stars: "4" } },
    passing: ["alert"],
  },
  {
    name: "true in metadata matches neither 1 nor a text",
    filter: { metadata: { verified: true } },
    passing: ["wine"],
  },
  {
    name: "the number 1 in metadata does not match true",
    filter: { metadata: { verified: 1 } },
    passing: [],
  },
  {
    name: "nested metadata matches equal nested metadata",
    filter: { metadata: { nested: { a: [1, { b: null }] } } },
    passing: ["wine"],
  },
  {
    name: "nested metadata does not match other nested metadata",
    filter: { metadata: { nested: { a: [1] } } },
    passing: [],
  },
  {
    name: "null in metadata matches null, but not a missing key",
    filter: { metadata: { nothing: null } },
    passing: ["wine"],
  },
  {
    name: "all keys of the metadata filter must match",
    filter: { metadata: { stars: 4, verified: false } },
    passing: [],
  },
  {
    name: "a metadata key such as `constructor` is not found in a memory without the key",
    filter: { metadata: { constructor: null } },
    passing: [],
  },
  { name: "any of the tags", filter: { tagsAny: ["ops", "wine"] }, passing: ["alert", "wine"] },
  { name: "all of the tags", filter: { tagsAll: ["food", "wine"] }, passing: ["wine"] },
  {
    name: "all of the tags, one of which is missing",
    filter: { tagsAll: ["food", "ops"] },
    passing: [],
  },
  {
    name: "types",
    filter: { memoryTypes: [MemoryType.SEMANTIC, MemoryType.EPISODIC] },
    passing: ["bare", "wine"],
  },
  { name: "kinds", filter: { kinds: ["risk_alert", "other"] }, passing: ["alert"] },
  {
    name: "importance of at least 0.8, with 0.8 included",
    filter: { importanceMin: 0.8 },
    passing: ["wine"],
  },
  {
    name: "importance of at least 0",
    filter: { importanceMin: 0 },
    passing: ["bare", "alert", "wine"],
  },
  { name: "source", filter: { source: "chat" }, passing: ["wine"] },
  { name: "status", filter: { status: MemoryStatus.RESOLVED }, passing: ["alert"] },
  { name: "author", filter: { author: "Ada" }, passing: ["wine"] },
  { name: "thread", filter: { threadId: "dinner" }, passing: ["wine"] },
  { name: "external id", filter: { externalId: "order-17" }, passing: ["wine"] },
  {
    name: "a time range includes its start and not its end",
    filter: { timeRange: { start: january, end: february } },
    passing: ["wine"],
  },
  {
    name: "a time range without an end, which uses create_time for a memory without event_time",
    filter: { timeRange: { start: february } },
    passing: ["bare", "alert"],
  },
  {
    name: "several conditions together",
    filter: { kinds: ["preference"], tagsAny: ["ops"] },
    passing: [],
  },
  {
    name: "part of the content, in another case",
    filter: { contentContains: "INE" },
    passing: ["wine"],
  },
  {
    name: "expression over fields",
    filter: { expression: '"wine" in tags && importance > 0.7' },
    passing: ["wine"],
  },
  {
    name: "expression over enums and null",
    filter: { expression: 'memory_type == "MEMORY_TYPE_EPISODIC" && author == null' },
    passing: ["bare"],
  },
  {
    name: "expression over times",
    filter: { expression: 'event_time != null && event_time >= timestamp("2020-02-01T00:00:00Z")' },
    passing: ["alert"],
  },
  {
    name: "expression over metadata that not every memory has",
    filter: { expression: "metadata.stars >= 4" },
    passing: ["wine"],
  },
  {
    name: "expression besides a condition",
    filter: { expression: "has(metadata.stars)", status: MemoryStatus.ACTIVE },
    passing: ["wine"],
  },
];

/** Cases of filters in Search, Recall, GetAll, Count and DeleteWhere. */
export function filterCases(it: MemoryTest): void {
  for (const { name, filter, passing } of filters) {
    it(`Search, Recall, GetAll, Count and DeleteWhere filter alike: ${name}`, async ({
      memories,
    }) => {
      await addThree(memories);
      // Before the first search, no index is in RAM, so Count reads the store.
      expect(await memories.count({ filter })).toBe(BigInt(passing.length));
      expect(await memories.contents({ filter })).toEqual(passing);
      expect((await memories.search("", { filter })).contents).toEqual(passing);
      expect(
        (await memories.search("bare alert wine", { filter, limit: 10 })).contents.toSorted(),
      ).toEqual(passing.toSorted());
      expect(await memories.count({ filter })).toBe(BigInt(passing.length));
      expect(
        (await memories.recall("", { filter })).hits.map(({ memory }) => memory?.content),
      ).toEqual(passing);
      if (Object.keys(filter).length === 0) return;
      const { deleted, sampleIds } = await memories.deleteWhere({ filter, dryRun: true });
      expect(deleted).toBe(BigInt(passing.length));
      const contentById = new Map((await memories.list()).map(({ id, content }) => [id, content]));
      expect(sampleIds.map((id) => contentById.get(id))).toEqual(passing);
    });
  }

  it("a search counts only memories that match the filter", async ({ memories }) => {
    await addThree(memories);
    const { summary } = await memories.search("", { filter: { tagsAny: ["ops"] }, limit: 1 });
    expect(summary).toMatchObject({ totalMatches: 1n, omittedCount: 0n });
  });

  it("an invalid expression is refused even in an empty namespace, and the error points at the fault", async ({
    memories,
  }) => {
    const wrong = [
      "importance >",
      "colour == 1",
      'importance > "high"',
      'content.matches("a+")',
      "importance",
      "tags.all(t, tags.all(u, u == t))",
    ];
    for (const expression of wrong) {
      const filter = { expression };
      const refusal = {
        code: "INVALID_ARGUMENT",
        reason: "INVALID_EXPRESSION",
        fields: ["filter.expression"],
      };
      const calls = [
        () => memories.page({ filter }),
        () => memories.count({ filter }),
        () => memories.search("x", { filter }),
        () => memories.deleteWhere({ filter }),
      ];
      for (const call of calls) {
        expect(await failureOf(call()), expression).toMatchObject(refusal);
      }
    }
  });
}

async function addThree(memories: NamespaceClient): Promise<void> {
  await memories.add("wine", wine);
  await memories.add("alert", alert);
  await memories.add("bare");
}
