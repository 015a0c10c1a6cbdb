import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

const past = timestampFromDate(new Date("2020-01-01T00:00:00Z"));
const future = timestampFromDate(new Date("9000-01-01T00:00:00Z"));

/** Cases of expired memories. */
export function expiryCases(it: MemoryTest): void {
  it("a search returns a memory before its expire_time, and no read returns the memory afterwards", async ({
    memories,
  }) => {
    const { id } = await memories.add("The door code is 4711", { expireTime: future });
    expect((await memories.search("door code")).hits).toHaveLength(1);
    expect((await memories.recall("door code")).text).toContain("4711");
    expect((await memories.list()).map((memory) => memory.id)).toEqual([id]);
    expect(await memories.count()).toBe(1n);
    expect((await memories.get(id)).id).toBe(id);
    await memories.expire(id);
    for (const includeSuperseded of [false, true]) {
      expect((await memories.search("door code", { includeSuperseded })).summary.totalMatches).toBe(
        0n,
      );
      expect((await memories.search("", { includeSuperseded })).summary.totalMatches).toBe(0n);
      expect(await memories.list({ includeSuperseded })).toEqual([]);
    }
    expect((await memories.recall("door code")).text).toBe("");
    expect(await memories.count()).toBe(0n);
    const missing = await failureOf(memories.get("00000000-0000-7000-8000-000000000000"));
    const expired = await failureOf(memories.get(id));
    expect({ ...expired, message: "" }).toEqual({ ...missing, message: "" });
    expect(await failureOf(memories.update(id, { expireTime: future }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("Add does not report an expired memory as a near-duplicate", async ({ memories }) => {
    const { id } = await memories.add("The quarterly budget meeting is on Thursday");
    await memories.expire(id);
    expect(
      (await memories.add("The quarterly budget meeting is on Thursday")).nearDuplicates,
    ).toEqual([]);
  });

  it("expired memories can be deleted", async ({ memories }) => {
    const { id } = await memories.add("gone", { tags: ["old"] });
    const { id: second } = await memories.add("gone, too", { tags: ["old"] });
    await memories.expire(id, second);
    expect(await memories.delete(id)).toBe(true);
    expect((await memories.deleteWhere({ filter: { tagsAny: ["old"] } })).deleted).toBe(1n);
    expect(await memories.reset()).toBe(0n);
  });

  it("Get, GetAll and Update return an expired memory with include_expired, and Update brings it back", async ({
    memories,
  }) => {
    const includeExpired = true;
    const { namespace } = memories;
    const { id } = await memories.add("The door code is 4711");
    await memories.add("The sea is blue");
    await memories.expire(id);
    const got = await memories.provider.get({ namespace, id, includeExpired });
    expect(got.memory).toMatchObject({ id, content: "The door code is 4711" });
    expect(await memories.contents()).toEqual(["The sea is blue"]);
    const all = await memories.list({ limit: 1, includeExpired });
    expect(all.map(({ content }) => content)).toEqual(["The sea is blue", "The door code is 4711"]);
    await memories.update(id, { kind: "code" }, { includeExpired });
    expect(await memories.list()).toHaveLength(1);
    await memories.update(id, {}, { updateMask: { paths: ["expire_time"] }, includeExpired });
    expect((await memories.search("door code")).contents).toEqual(["The door code is 4711"]);
    expect(await memories.list()).toHaveLength(2);
  });

  it("an expire_time that has passed is refused", async ({ memories }) => {
    const refused = { code: "INVALID_ARGUMENT", reason: "INVALID_FIELD" };
    expect(await failureOf(memories.add("gone", { expireTime: past }))).toMatchObject({
      ...refused,
      fields: ["expire_time"],
    });
    const { id } = await memories.add("kept", { expireTime: future });
    expect(await failureOf(memories.update(id, { expireTime: past }))).toMatchObject({
      ...refused,
      fields: ["changes.expire_time"],
    });
    expect(await memories.contents()).toEqual(["kept"]);
  });
}
