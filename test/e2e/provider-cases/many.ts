import { Code } from "@connectrpc/connect";
import { expect } from "vitest";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import {
  type AddManyResult,
  AddOutcome,
  OnConflict,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { isFullSuite } from "../../suite.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import { required } from "../harness/namespace-client.js";

const idOf = ({ result }: AddManyResult): string | undefined =>
  result.case === "id" ? result.value : undefined;
const codeOf = ({ result }: AddManyResult): string =>
  result.case === "error" ? (Code[result.value.code] ?? "") : "stored";

/** Cases of AddMany, GetMany and DeleteMany. */
export function manyCases(it: MemoryTest): void {
  it("AddMany stores 500 memories in one step, and the next search finds them", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const texts = Array.from({ length: 500 }, (_, i) => ({ content: `bottle number ${i}` }));
    const { results, commitSeq } = await provider.addMany({ namespace, memories: texts });
    expect(results.map(({ outcome }) => outcome)).toEqual(texts.map(() => AddOutcome.ADDED));
    expect(new Set(results.map(idOf)).size).toBe(500);
    const { contents } = await memories.search("bottle 321", { minCommitSeq: commitSeq });
    expect(contents[0]).toBe("bottle number 321");
    expect(await memories.contents()).toEqual(texts.map(({ content }) => content).toReversed());
    const { commitSeq: next } = await memories.add("after");
    expect(next).toBe(commitSeq + 1n);
  });

  it("a faulty memory of AddMany fails alone, with its code and the path of its field", async ({
    memories,
    namespaceOf,
  }) => {
    const { namespace, provider } = memories;
    await memories.add("there", { externalId: "event" });
    const other = namespaceOf({ agentId: "another" }).namespace;
    const { results } = await provider.addMany({
      namespace,
      memories: [
        { content: "first" },
        { content: "" },
        { content: "x", supersedes: "no such id" },
        { content: "x", externalId: "event" },
        { content: "kept", externalId: "event", onConflict: OnConflict.KEEP },
        { content: "x", namespace: other },
        { content: "x", idempotencyKey: "key" },
        { content: "last", namespace },
      ],
    });
    expect(results.map(codeOf)).toEqual([
      ...["stored", "InvalidArgument", "NotFound", "AlreadyExists", "stored"],
      ...["InvalidArgument", "InvalidArgument", "stored"],
    ]);
    expect(results[4]?.outcome).toBe(AddOutcome.KEPT);
    expect(await memories.contents()).toEqual(["last", "first", "there"]);
  });

  it("a repeated AddMany stores nothing twice, and tries again what failed", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const blocking = await memories.add("there", { externalId: "event" });
    const request = {
      namespace,
      memories: [{ content: "one" }, { content: "two", externalId: "event" }],
      idempotencyKey: "key",
    };
    const first = await provider.addMany(request);
    expect(first.results.map(codeOf)).toEqual(["stored", "AlreadyExists"]);
    await memories.delete(blocking.id);
    const second = await provider.addMany(request);
    expect(second.results.map(codeOf)).toEqual(["stored", "stored"]);
    expect(idOf(required(second.results[0], "no result"))).toBe(
      idOf(required(first.results[0], "no result")),
    );
    expect(await provider.addMany(request)).toEqual(second);
    expect(await memories.contents()).toEqual(["two", "one"]);
    const changed = provider.addMany({ ...request, memories: [{ content: "one" }] });
    expect(await failureOf(changed)).toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("AddMany takes 1 to 500 memories, and GetMany and DeleteMany 1 to 1,000 ids", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    for (const count of [0, 501]) {
      const texts = Array.from({ length: count }, () => ({ content: "x" }));
      const add = provider.addMany({ namespace, memories: texts });
      expect(await failureOf(add)).toMatchObject({ fields: ["memories"] });
    }
    for (const count of [0, 1001]) {
      const ids = Array.from({ length: count }, (_, i) => `${i}`);
      for (const call of [
        provider.getMany({ namespace, ids }),
        provider.deleteMany({ namespace, ids }),
      ])
        expect(await failureOf(call)).toMatchObject({ fields: ["ids"] });
    }
    expect(await memories.contents()).toEqual([]);
  });

  it("GetMany returns memories in the order of the ids, and names the missing ones", async ({
    memories,
    namespaceOf,
  }) => {
    const { namespace, provider } = memories;
    const ids = await memories.addAll("one", "two", "expired");
    const [one = "", two = "", expired = ""] = ids;
    await memories.expire(expired);
    const { id: foreign } = await namespaceOf({ agentId: "another" }).add("foreign");
    const asked = { namespace, ids: [two, foreign, one, two, expired] };
    const found = await provider.getMany(asked);
    expect(found.memories.map(({ content }) => content)).toEqual(["two", "one"]);
    expect(found.missingIds).toEqual([foreign, expired]);
    const all = await provider.getMany({ ...asked, includeExpired: true });
    expect(all.memories.map(({ content }) => content)).toEqual(["two", "one", "expired"]);
    expect(all.unreadIds).toEqual([]);
  });

  it.runIf(isFullSuite)(
    "GetMany names the ids that did not fit into one reply",
    async ({ memories }) => {
      const { namespace, provider } = memories;
      const long = "word ".repeat(13_000);
      const ids = await memories.addAll(...Array.from({ length: 60 }, (_, i) => `${i} ${long}`));
      const first = await provider.getMany({ namespace, ids });
      expect(first.memories.length).toBeGreaterThan(40);
      expect(first.unreadIds).toEqual(ids.slice(first.memories.length));
      const second = await provider.getMany({ namespace, ids: first.unreadIds });
      expect(second).toMatchObject({ missingIds: [], unreadIds: [] });
      expect([...first.memories, ...second.memories].map(({ id }) => id)).toEqual(ids);
    },
  );

  it("DeleteMany deletes the memories of the namespace, and counts them", async ({
    memories,
    namespaceOf,
  }) => {
    const { namespace, provider } = memories;
    const [one = "", two = "", three = ""] = await memories.addAll("one", "two", "three");
    const other = namespaceOf({ agentId: "another" });
    const { id: foreign } = await other.add("foreign");
    const request = { namespace, ids: [one, three, foreign, one], idempotencyKey: "key" };
    expect((await provider.deleteMany(request)).deleted).toBe(2n);
    expect((await provider.deleteMany(request)).deleted).toBe(2n);
    expect((await provider.deleteMany({ namespace, ids: [one, two] })).deleted).toBe(1n);
    expect(await memories.contents()).toEqual([]);
    expect(await other.contents()).toEqual(["foreign"]);
  });

  it("include_embedding returns the stored vectors with Get, GetMany and GetAll", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const { id } = await memories.add("with a vector", { embedding: [3, -4.5] });
    const { id: without } = await memories.add("without");
    const valuesOf = (memory: Memory | undefined) => memory?.embedding?.values;
    const asked = { namespace, includeEmbedding: true };
    expect(valuesOf((await provider.get({ ...asked, id })).memory)).toEqual([3, -4.5]);
    expect(valuesOf((await provider.get({ namespace, id })).memory)).toBeUndefined();
    const many = await provider.getMany({ ...asked, ids: [id, without] });
    expect(many.memories.map(valuesOf)).toEqual([[3, -4.5], undefined]);
    const page = await provider.getAll(asked);
    expect(page.memories.map(valuesOf)).toEqual([undefined, [3, -4.5]]);
    expect((await provider.getAll({ namespace })).memories.map(valuesOf)).toEqual([
      undefined,
      undefined,
    ]);
    await memories.update(id, { embedding: [1, 2] });
    expect(valuesOf((await provider.get({ ...asked, id })).memory)).toEqual([1, 2]);
  });
}
