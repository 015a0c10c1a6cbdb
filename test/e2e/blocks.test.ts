import { expect } from "vitest";
import { isFullSuite } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("a block has a label, a title, a body, a schema reference, a version, a token count and a time", async ({
    user,
  }) => {
    const { blocks, userId } = user;
    const written = {
      userId,
      label: "student",
      title: "Student profile",
      body: "Likes math.\n",
      schemaRef: "profile/1",
    };
    const { block } = await blocks.putBlock(written);
    expect(block).toMatchObject({ ...written, version: 1n, tokenCount: 3 });
    expect(block?.updateTime?.seconds).toBeGreaterThan(1_700_000_000n);
    expect(await user.block()).toEqual(block);
    expect((await blocks.listBlocks({ userId })).blocks).toEqual([block]);
  });

  it.for([
    ["student", "Student"],
    ["daily_goals", "Daily Goals"],
    ["API_keys", "Api Keys"],
    ["3rd_place", "3rd Place"],
    ["über_mich", "Über Mich"],
    ["my-notes/2026", "My-Notes/2026"],
    ["目標", "目標"],
  ])(
    "without a given title, the block '%s' has the title '%s'",
    async ([label = "", title], { user }) => {
      expect(await user.put("", { label })).toMatchObject({ label, title, body: "" });
      expect(await user.put("", { label, title: "Mine" })).toMatchObject({ title: "Mine" });
      expect(await user.put("", { label }), "an absent title keeps the title").toMatchObject({
        title: "Mine",
      });
      expect(
        await user.put("", { label, title: "" }),
        "an empty title removes the title",
      ).toMatchObject({ title });
    },
  );

  it("ListBlocks returns a user's own blocks in the order of their labels, page by page", async ({
    user,
    another,
  }) => {
    for (const label of ["b", "a/1", "a", "\0", "ä", "\u{1f9e0}"]) await user.put(label, { label });
    const stranger = another({ userId: "stranger" });
    await stranger.put("other", { label: "a" });
    const { userId, blocks } = user;
    const found: string[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const page: { blocks: { label: string }[]; nextPageToken: string } = await blocks.listBlocks({
        userId,
        limit: 2,
        pageToken,
      });
      found.push(...page.blocks.map(({ label }) => label));
      pageToken = page.nextPageToken || undefined;
    }
    expect(found).toEqual(["\0", "a", "a/1", "b", "ä", "\u{1f9e0}"]);
    expect((await stranger.block("a")).body).toBe("other");
    const { nextPageToken } = await blocks.listBlocks({ userId, limit: 2 });
    const foreign = await failureOf(
      blocks.listBlocks({ userId: stranger.userId, pageToken: nextPageToken }),
    );
    expect(foreign).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_PAGE_TOKEN" });
  });

  it.runIf(isFullSuite)(
    "ListBlocks ends a page before it exceeds the message size that common clients accept",
    async ({ user }) => {
      const body = "x".repeat(256 * 1024);
      for (let i = 0; i < 13; i++)
        await user.put(body, { label: `block ${String(i).padStart(2, "0")}` });
      const { blocks, nextPageToken } = await user.blocks.listBlocks({ userId: user.userId });
      expect(blocks).toHaveLength(11);
      const rest = await user.blocks.listBlocks({ userId: user.userId, pageToken: nextPageToken });
      expect(rest).toMatchObject({
        nextPageToken: "",
        blocks: [{ label: "block 11" }, { label: "block 12" }],
      });
    },
  );

  it("a call about a missing block fails with NOT_FOUND, and the message has the label", async ({
    user,
  }) => {
    const missing = {
      code: "NOT_FOUND",
      reason: "BLOCK_NOT_FOUND",
      message: "Memory block 'x' not found.",
    };
    const { blocks, userId } = user;
    expect(await failureOf(blocks.getBlock({ userId, label: "x" }))).toMatchObject(missing);
    expect(await failureOf(blocks.listBlockVersions({ userId, label: "x" }))).toMatchObject(
      missing,
    );
    expect(await failureOf(blocks.restoreBlock({ userId, label: "x", version: 1n }))).toMatchObject(
      missing,
    );
    expect(await blocks.deleteBlock({ userId, label: "x" })).toMatchObject({ deleted: false });
    expect(await blocks.listBlocks({ userId })).toMatchObject({ blocks: [], nextPageToken: "" });
  });

  it("every version of a block is kept, with its author, time and origin", async ({ user }) => {
    await user.put("one");
    await user.put("two", { title: "Two" });
    const id = await user.proposed({ old: "two", new: "three" });
    await user.approve(id);
    const { block } = await user.blocks.restoreBlock({
      userId: user.userId,
      label: "student",
      version: 1n,
    });
    expect(block).toMatchObject({ version: 4n, title: "Student", body: "one", tokenCount: 1 });
    const versions = await user.versions();
    expect(versions).toMatchObject([
      {
        version: 4n,
        title: "Student",
        body: "one",
        writtenBy: "anonymous",
        restoredFrom: 1n,
        tokenCount: 1,
      },
      { version: 3n, title: "Two", body: "three", writtenBy: "anonymous", proposalId: id },
      { version: 2n, title: "Two", body: "two", writtenBy: "anonymous" },
      { version: 1n, title: "Student", body: "one", writtenBy: "anonymous" },
    ]);
    for (const { writeTime } of versions)
      expect(writeTime?.seconds).toBeGreaterThan(1_700_000_000n);
    expect(versions.map(({ proposalId, restoredFrom }) => [proposalId, restoredFrom])).toEqual([
      [undefined, 1n],
      [id, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("ListBlockVersions returns the versions of only one block, even if labels begin alike or contain NUL", async ({
    user,
  }) => {
    const labels = ["a", "a\0", "a\u0000000000000001", "aa", "0001a", "é"];
    for (const label of labels)
      for (const body of ["one", "two", "three"]) await user.put(`${label} ${body}`, { label });
    const { userId, blocks } = user;
    for (const label of labels) {
      const first = await blocks.listBlockVersions({ userId, label, limit: 2 });
      const second = await blocks.listBlockVersions({
        userId,
        label,
        limit: 2,
        pageToken: first.nextPageToken,
      });
      const bodies = [...first.versions, ...second.versions].map(({ body }) => body);
      expect(bodies).toEqual([`${label} three`, `${label} two`, `${label} one`]);
      expect(second.nextPageToken).toBe("");
    }
  });

  it("RestoreBlock refuses a version that does not exist", async ({ user }) => {
    await user.put("one");
    const failure = await failureOf(
      user.blocks.restoreBlock({ userId: user.userId, label: "student", version: 2n }),
    );
    expect(failure).toMatchObject({
      code: "NOT_FOUND",
      reason: "BLOCK_VERSION_NOT_FOUND",
      fields: ["version"],
    });
  });

  it("RestoreBlock with an expected version fails if the block is at another version", async ({
    user,
  }) => {
    const { blocks, userId } = user;
    for (const body of ["one", "two", "three"]) await user.put(body);
    const restore = (expectedVersion: bigint, label = "student", version = 1n) =>
      blocks.restoreBlock({ userId, label, version, expectedVersion });
    const stale = { code: "ABORTED", reason: "VERSION_MISMATCH", fields: ["expected_version"] };
    expect(await failureOf(restore(2n))).toMatchObject(stale);
    expect(
      await failureOf(restore(2n, "student", 9n)),
      "the expected version is checked first",
    ).toMatchObject(stale);
    expect(await failureOf(restore(0n))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await failureOf(restore(1n, "missing"))).toMatchObject({ reason: "BLOCK_NOT_FOUND" });
    expect((await user.block()).body).toBe("three");
    expect((await restore(3n)).block).toMatchObject({ body: "one", version: 4n });
  });

  it("PutBlock with an expected version fails if the block is at another version; 0 requires a new block", async ({
    user,
  }) => {
    await user.put("one", { expectedVersion: 0n });
    const stale = { code: "ABORTED", reason: "VERSION_MISMATCH", fields: ["expected_version"] };
    expect(await failureOf(user.put("new", { expectedVersion: 0n }))).toMatchObject(stale);
    expect(await failureOf(user.put("new", { expectedVersion: 2n }))).toMatchObject(stale);
    expect(
      await failureOf(user.put("new", { expectedVersion: 1n, label: "missing" })),
    ).toMatchObject(stale);
    const writes = Array.from({ length: 8 }, (_, i) => user.put(`${i}`, { expectedVersion: 1n }));
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await user.block()).version).toBe(2n);
  });

  it("DeleteBlock deletes all versions, and a new block with the same label starts at version 1", async ({
    user,
  }) => {
    const { blocks, userId } = user;
    for (const body of ["one", "two"]) await user.put(body);
    await user.put("kept", { label: "another" });
    expect(await blocks.deleteBlock({ userId, label: "student" })).toMatchObject({ deleted: true });
    expect((await failureOf(user.block())).reason).toBe("BLOCK_NOT_FOUND");
    expect((await user.put("anew")).version).toBe(1n);
    expect(await user.versions()).toMatchObject([{ version: 1n, body: "anew" }]);
    expect((await user.block("another")).body).toBe("kept");
  });

  it("DeleteBlock with an expected version deletes nothing if somebody has written since", async ({
    user,
  }) => {
    const { blocks, userId } = user;
    const remove = (expectedVersion: bigint, label = "student", idempotencyKey?: string) =>
      blocks.deleteBlock({
        ...{ userId, label, expectedVersion },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
    const stale = { code: "ABORTED", reason: "VERSION_MISMATCH", fields: ["expected_version"] };
    for (const body of ["one", "two"]) await user.put(body);
    expect(await failureOf(remove(1n))).toMatchObject(stale);
    expect(await failureOf(remove(1n, "missing"))).toMatchObject(stale);
    expect(await failureOf(remove(0n))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect((await user.block()).body).toBe("two");
    expect(await remove(2n, "student", "key")).toMatchObject({ deleted: true });
    expect(await remove(2n, "student", "key")).toMatchObject({ deleted: true });
    expect((await failureOf(user.block())).reason).toBe("BLOCK_NOT_FOUND");
  });

  it("a repeated PutBlock, RestoreBlock or DeleteBlock changes nothing, and names the version that the first call made", async ({
    user,
  }) => {
    const { blocks, userId } = user;
    const reused = { code: "INVALID_ARGUMENT", reason: "IDEMPOTENCY_KEY_REUSED" };
    const key = { idempotencyKey: "key" };
    const first = await user.put("one", key);
    await user.put("two");
    expect(first.version).toBe(1n);
    const put = { userId, label: "student", body: "one", ...key };
    expect(await blocks.putBlock(put)).toMatchObject({
      block: { body: "two", version: 2n },
      replayedVersion: 1n,
    });
    expect(await failureOf(user.put("other", key))).toMatchObject(reused);
    const restored = await blocks.restoreBlock({ userId, label: "student", version: 1n, ...key });
    expect(await blocks.restoreBlock({ userId, label: "student", version: 1n, ...key })).toEqual({
      ...restored,
      replayedVersion: 3n,
    });
    expect(
      await failureOf(blocks.restoreBlock({ userId, label: "student", version: 2n, ...key })),
    ).toMatchObject(reused);
    expect((await user.block()).version).toBe(3n);
    expect(await blocks.deleteBlock({ userId, label: "student", ...key })).toMatchObject({
      deleted: true,
    });
    expect((await user.put("one", key)).version, "after the block was deleted").toBe(1n);
    await user.put("anew");
    expect(await blocks.deleteBlock({ userId, label: "student", ...key })).toMatchObject({
      deleted: true,
    });
    expect((await user.block()).body).toBe("anew");
  });

  it("a repeated RestoreBlock is a new call if the block was deleted since", async ({ user }) => {
    const { blocks, userId } = user;
    const restore = () =>
      blocks.restoreBlock({ userId, label: "student", version: 1n, idempotencyKey: "key" });
    for (const body of ["one", "two"]) await user.put(body);
    expect((await restore()).block).toMatchObject({ body: "one", version: 3n });
    await blocks.deleteBlock({ userId, label: "student" });
    expect((await failureOf(restore())).reason).toBe("BLOCK_NOT_FOUND");
    for (const body of ["another one", "another two", "another three"]) await user.put(body);
    expect((await restore()).block).toMatchObject({ body: "another one", version: 4n });
  });
});
