import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryOrder } from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of GetAll. */
export function listCases(it: MemoryTest): void {
  it("GetAll lists ten memories a page by default, newest first", async ({ memories }) => {
    const contents = Array.from({ length: 12 }, (_, i) => `memory ${i}`);
    await memories.addAll(...contents);
    const first = await memories.page();
    expect(first.memories.map(({ content }) => content)).toEqual(
      contents.toReversed().slice(0, 10),
    );
    const second = await memories.page({ pageToken: first.nextPageToken });
    expect(second.memories.map(({ content }) => content)).toEqual(["memory 1", "memory 0"]);
    expect(second.nextPageToken).toBe("");
    expect((await memories.page({ limit: 3 })).memories).toHaveLength(3);
  });

  it("a page that ends with the last memory has no page token", async ({ memories }) => {
    await memories.addAll("a", "b", "c");
    expect((await memories.page({ limit: 3 })).nextPageToken).toBe("");
    expect(await memories.page({ limit: 2 })).toMatchObject({
      memories: [{ content: "c" }, { content: "b" }],
    });
  });

  it("GetAll lists an unknown namespace as empty", async ({ memories }) => {
    expect(await memories.page()).toMatchObject({ memories: [], nextPageToken: "" });
  });

  it("pages neither skip nor repeat memories during additions and deletions", async ({
    memories,
  }) => {
    const ids = await memories.addAll(...Array.from({ length: 30 }, (_, i) => `memory ${i}`));
    const doomed = ids[3] ?? "";
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await memories.page({ limit: 4, pageToken });
      seen.push(...page.memories.map(({ id }) => id));
      pageToken = page.nextPageToken;
      await Promise.all([
        memories.add("meanwhile"),
        memories.add("meanwhile, too"),
        memories.delete(doomed),
      ]);
    } while (pageToken !== "");
    const surviving = ids.filter((id) => id !== doomed);
    expect(seen.filter((id) => id !== doomed)).toEqual(surviving.toReversed());
  });

  it("GetAll lists memories in the order of the request, page by page", async ({ memories }) => {
    for (const [content, importance, day] of [
      ["one", 0.2, 3],
      ["two", 0.9, 1],
      ["three", 0.5, 2],
      ["four", 0.9, 4],
    ] as const)
      await memories.add(content, {
        importance,
        eventTime: timestampFromDate(new Date(Date.UTC(2020, 0, day))),
      });
    const listed = async (order: MemoryOrder) => {
      const first = await memories.page({ limit: 3, order });
      const second = await memories.page({ limit: 3, order, pageToken: first.nextPageToken });
      expect(second.nextPageToken).toBe("");
      return [...first.memories, ...second.memories].map(({ content }) => content);
    };
    expect(await listed(MemoryOrder.UNSPECIFIED)).toEqual(["four", "three", "two", "one"]);
    expect(await listed(MemoryOrder.OLDEST_FIRST)).toEqual(["one", "two", "three", "four"]);
    expect(await listed(MemoryOrder.LATEST_EVENT_FIRST)).toEqual(["four", "one", "three", "two"]);
    expect(await listed(MemoryOrder.MOST_IMPORTANT_FIRST)).toEqual(["four", "two", "three", "one"]);
    const { nextPageToken: pageToken } = await memories.page({ limit: 1 });
    const order = MemoryOrder.OLDEST_FIRST;
    expect(await failureOf(memories.page({ limit: 1, order, pageToken }))).toMatchObject({
      reason: "INVALID_PAGE_TOKEN",
    });
    const asOf = timestampFromDate(new Date());
    expect(await failureOf(memories.page({ order, asOf }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["order"],
    });
  });

  it("GetAll lists the memories that match a filter page by page", async ({ memories }) => {
    for (let i = 0; i < 12; i++)
      await memories.add(`memory ${i}`, { tags: [i % 3 === 0 ? "third" : "other"] });
    const filter = { tagsAny: ["third"] };
    const first = await memories.page({ limit: 3, filter });
    const second = await memories.page({ limit: 3, filter, pageToken: first.nextPageToken });
    expect([...first.memories, ...second.memories].map(({ content }) => content)).toEqual([
      "memory 9",
      "memory 6",
      "memory 3",
      "memory 0",
    ]);
    expect(second.nextPageToken).toBe("");
  });

  it("a changed page token is refused, and so is a token for another filter, namespace or option", async ({
    memories,
    namespaceOf,
  }) => {
    await memories.addAll("a", "b", "c");
    const { nextPageToken: pageToken } = await memories.page({ limit: 1 });
    const middle = Math.floor(pageToken.length / 2);
    const flipped = pageToken[middle] === "A" ? "B" : "A";
    const refused = [
      () => memories.page({ limit: 1, pageToken, filter: { tagsAny: ["x"] } }),
      () => memories.page({ limit: 1, pageToken, includeSuperseded: true }),
      () => namespaceOf({ agentId: "another" }).page({ limit: 1, pageToken }),
      () => namespaceOf({ userId: "another" }).page({ limit: 1, pageToken }),
      () =>
        memories.page({
          limit: 1,
          pageToken: `${pageToken.slice(0, middle)}${flipped}${pageToken.slice(middle + 1)}`,
        }),
      () => memories.page({ limit: 1, pageToken: `${pageToken}x` }),
      () => memories.page({ limit: 1, pageToken: "gibberish" }),
    ];
    for (const call of refused) {
      expect(await failureOf(call())).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "INVALID_PAGE_TOKEN",
        fields: ["page_token"],
      });
    }
    expect((await memories.page({ limit: 5, pageToken })).memories).toHaveLength(2);
  });

  it("Get returns a memory by its id, and NOT_FOUND for any other id", async ({ memories }) => {
    const { id } = await memories.add("A fact");
    expect((await memories.get(id)).content).toBe("A fact");
    for (const wrong of [
      "no such id",
      id.toUpperCase(),
      `${id} `,
      "00000000-0000-7000-8000-000000000000",
    ]) {
      const failure = await failureOf(memories.get(wrong));
      expect(failure).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
    }
  });
}
