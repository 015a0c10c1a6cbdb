import { expect } from "vitest";
import { AddOutcome, OnConflict } from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

const { FAIL, REPLACE, KEEP } = OnConflict;

/** Cases of `external_id`, which makes a write repeatable at any time. */
export function externalIdCases(it: MemoryTest): void {
  it("a second Add with an external_id fails, and names the memory that has it", async ({
    memories,
    namespaceOf,
  }) => {
    const first = await memories.add("The mail came", { externalId: "mail-1" });
    expect(first.outcome).toBe(AddOutcome.ADDED);
    for (const onConflict of [OnConflict.UNSPECIFIED, FAIL]) {
      const add = memories.add("Another text", { externalId: "mail-1", onConflict });
      expect(await failureOf(add)).toMatchObject({
        code: "ALREADY_EXISTS",
        reason: "EXTERNAL_ID_IN_USE",
        fields: ["external_id"],
        message: expect.stringContaining(first.id) as string,
      });
    }
    expect(await memories.contents()).toEqual(["The mail came"]);
    const other = namespaceOf({ agentId: "another" });
    expect((await other.add("same", { externalId: "mail-1" })).outcome).toBe(AddOutcome.ADDED);
    expect((await memories.add("case", { externalId: "Mail-1" })).outcome).toBe(AddOutcome.ADDED);
  });

  it("ON_CONFLICT_REPLACE updates the memory: same id, next version, and no field of the old one", async ({
    memories,
  }) => {
    const old = { tags: ["draft"], importance: 0.9, author: "Ann", metadata: { a: 1 } };
    const first = await memories.add("The meeting is on Monday", { ...old, externalId: "event" });
    const second = await memories.add("The meeting is on Friday", {
      ...{ externalId: "event", onConflict: REPLACE, kind: "meeting" },
    });
    expect(second).toMatchObject({
      id: first.id,
      outcome: AddOutcome.REPLACED,
      nearDuplicates: [],
    });
    expect(second.commitSeq).toBeGreaterThan(first.commitSeq);
    const memory = await memories.get(first.id);
    expect(memory).toMatchObject({
      ...{ content: "The meeting is on Friday", version: 2n, kind: "meeting" },
      ...{ tags: [], importance: 0.5, externalId: "event" },
    });
    expect([memory.author, memory.metadata]).toEqual([undefined, undefined]);
    const found = await memories.search("Friday", { minCommitSeq: second.commitSeq });
    expect(found.contents).toEqual(["The meeting is on Friday"]);
    expect((await memories.search("Monday", { minRelevance: 0.9 })).contents).toEqual([]);
  });

  it("an equal text that replaces a memory is no near-duplicate of itself", async ({
    memories,
  }) => {
    const fields = { externalId: "event", onConflict: REPLACE };
    const { id } = await memories.add("Ann likes dry wine", fields);
    const again = await memories.add("Ann likes dry wine", fields);
    expect(again).toMatchObject({ id, outcome: AddOutcome.REPLACED, nearDuplicates: [] });
  });

  it("ON_CONFLICT_KEEP returns the memory that is there, and changes nothing", async ({
    memories,
  }) => {
    const first = await memories.add("first", { externalId: "event", onConflict: KEEP });
    const again = await memories.add("second", { externalId: "event", onConflict: KEEP });
    expect(again).toMatchObject({ id: first.id, outcome: AddOutcome.KEPT });
    expect(await memories.get(first.id)).toMatchObject({ content: "first", version: 1n });
    const { contents } = await memories.search("first", { minCommitSeq: again.commitSeq });
    expect(contents).toEqual(["first"]);
  });

  it("a hundred parallel writes of one event make one memory", async ({ memories }) => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        memories.add(`copy ${i}`, { externalId: "event", onConflict: i % 2 ? KEEP : REPLACE }),
      ),
    );
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect(replies.filter(({ outcome }) => outcome === AddOutcome.ADDED)).toHaveLength(1);
    expect(await memories.count()).toBe(1n);
    const { version } = await memories.get(replies[0]?.id ?? "");
    const replaced = replies.filter(({ outcome }) => outcome === AddOutcome.REPLACED);
    expect(version).toBe(BigInt(1 + replaced.length));
  });

  it("Get, Update and Delete take an external_id in place of an id", async ({ memories }) => {
    const { namespace, provider } = memories;
    const name = { namespace, externalId: "mail/1 \0 ü" };
    const { id } = await memories.add("tea", { externalId: name.externalId });
    expect((await provider.get(name)).memory).toMatchObject({ id, externalId: name.externalId });
    const { memory } = await provider.update({ ...name, changes: { content: "coffee" } });
    expect(memory).toMatchObject({ id, content: "coffee", version: 2n });
    expect((await provider.delete(name)).deleted).toBe(true);
    expect((await provider.delete(name)).deleted).toBe(false);
    expect(await failureOf(provider.get(name))).toMatchObject({
      code: "NOT_FOUND",
      reason: "MEMORY_NOT_FOUND",
    });
    const update = provider.update({ ...name, changes: { content: "water" } });
    expect(await failureOf(update)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("a request names a memory by exactly one of id and external_id", async ({ memories }) => {
    const { namespace, provider } = memories;
    for (const name of [{}, { id: "a", externalId: "b" }])
      for (const call of [
        provider.get({ namespace, ...name }),
        provider.delete({ namespace, ...name }),
        provider.update({ namespace, ...name, changes: { content: "x" } }),
      ])
        expect(await failureOf(call)).toMatchObject({
          code: "INVALID_ARGUMENT",
          fields: ["id"],
          message: expect.stringContaining("one of id, external_id") as string,
        });
    for (const externalId of ["", "x".repeat(257)])
      expect(await failureOf(memories.add("x", { externalId }))).toMatchObject({
        code: "INVALID_ARGUMENT",
        fields: ["external_id"],
      });
    expect(await failureOf(memories.add("x", { onConflict: KEEP }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["on_conflict"],
    });
  });

  it("an external_id is free again after Delete, DeleteWhere, Reset and expiry", async ({
    memories,
  }) => {
    const fields = { externalId: "event" };
    const add = async () => {
      const { id, outcome } = await memories.add("an event", fields);
      expect(outcome).toBe(AddOutcome.ADDED);
      return id;
    };
    await memories.delete(await add());
    await add();
    await memories.deleteWhere({ filter: { externalId: "event" } });
    await add();
    await memories.reset();
    const expired = await add();
    await memories.expire(expired);
    const next = await add();
    const { provider, namespace } = memories;
    const old = await provider.get({ namespace, id: expired, includeExpired: true });
    expect(old.memory?.externalId).toBeUndefined();
    await memories.delete(expired);
    expect((await provider.get({ namespace, ...fields })).memory?.id).toBe(next);
  });

  it("a memory that replaces another keeps its place in the chain of supersession", async ({
    memories,
  }) => {
    const { id: first } = await memories.add("first");
    const fields = { externalId: "event", onConflict: REPLACE };
    const { id } = await memories.add("second", { ...fields, supersedes: first });
    await memories.add("third", { ...fields, supersedes: first });
    await memories.add("fourth", fields);
    expect(await memories.get(id)).toMatchObject({ supersedes: first, version: 3n });
    const other = memories.add("fifth", { ...fields, supersedes: id });
    expect(await failureOf(other)).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["supersedes"],
    });
    expect(await memories.contents()).toEqual(["fourth"]);
  });

  it("filters and expressions find memories by external_id", async ({ memories }) => {
    await memories.add("one", { externalId: "mail-1" });
    await memories.add("two", { externalId: "mail-2" });
    await memories.add("none");
    const contents = (filter: object) => memories.contents({ filter });
    expect(await contents({ externalId: "mail-1" })).toEqual(["one"]);
    expect(await contents({ expression: 'external_id == "mail-2"' })).toEqual(["two"]);
    expect(await contents({ expression: "external_id == null" })).toEqual(["none"]);
    expect(await memories.count({ filter: { externalId: "mail-1" } })).toBe(1n);
  });

  it("a repeated write with an idempotency key gets the first reply, whatever came between", async ({
    memories,
  }) => {
    const fields = { externalId: "event", onConflict: REPLACE };
    const key = { idempotencyKey: "key" };
    await memories.add("first", fields);
    const second = await memories.add("second", { ...fields, ...key });
    await memories.add("third", fields);
    expect(await memories.add("second", { ...fields, ...key })).toEqual(second);
    expect(await memories.contents()).toEqual(["third"]);
  });
}
