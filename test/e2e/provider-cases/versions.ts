import { createHash } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { expect } from "vitest";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryFixtures, MemoryTest } from "../harness/memory-test.js";
import { required } from "../harness/namespace-client.js";

type Client = MemoryFixtures["memories"];

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** All versions of a memory, newest first. */
async function versionsOf({ provider, namespace }: Client, id: string) {
  const { versions } = await provider.listMemoryVersions({ namespace, id, limit: 1000 });
  return versions;
}

const contentsOf = async (memories: Client, id: string) =>
  (await versionsOf(memories, id)).map(({ memory }) => memory?.content);

/** Cases of the versions of a memory. */
export function versionCases(it: MemoryTest): void {
  listingCases(it);
  restoringCases(it);
  redactingCases(it);
}

function listingCases(it: MemoryTest): void {
  it("a memory keeps its versions with their times and digests, newest first", async ({
    memories,
    transport,
  }) => {
    const { namespace, provider } = memories;
    const { id } = await memories.add("likes tea", { metadata: { a: 1 } });
    await memories.update(id, { content: "likes green tea", metadata: { a: 2 } });
    const { proposal } = await provider.proposeEdit({
      ...{ namespace, oldString: "green", newString: "black", reasoning: "said so" },
      target: { case: "memoryId", value: id },
    });
    const { userId } = namespace;
    const proposalId = required(proposal, "no proposal").id;
    await createClient(ProposalService, transport).approveProposal({ userId, id: proposalId });
    const versions = await versionsOf(memories, id);
    expect(versions).toMatchObject([
      { memory: { content: "likes black tea", version: 3n, metadata: { a: 2 } }, proposalId },
      { memory: { content: "likes green tea", version: 2n, metadata: { a: 2 } } },
      { memory: { content: "likes tea", version: 1n, metadata: { a: 1 } } },
    ]);
    const first = required(versions[2], "no first version");
    expect(first.changeTime).toEqual(first.memory?.createTime);
    for (const { memory, contentSha256, changedBy, redacted } of versions) {
      expect(contentSha256).toBe(sha256(memory?.content ?? ""));
      expect([changedBy, redacted]).toEqual(["anonymous", false]);
    }
    expect(versions[0]?.memory).toEqual(await memories.get(id));
  });

  it("the last 20 earlier versions are kept, and listed page by page", async ({ memories }) => {
    const { namespace, provider } = memories;
    const { id } = await memories.add("0");
    for (let at = 1; at <= 22; at++) await memories.update(id, { content: `${at}` });
    const pages: string[] = [];
    for (let pageToken = "", isFirst = true; isFirst || pageToken !== ""; isFirst = false) {
      const page = await provider.listMemoryVersions({ namespace, id, limit: 8, pageToken });
      pages.push(page.versions.map(({ memory }) => memory?.content).join(" "));
      pageToken = page.nextPageToken;
    }
    expect(pages).toEqual(["22 21 20 19 18 17 16 15", "14 13 12 11 10 9 8 7", "6 5 4 3 2"]);
  });

  it("versions go with their memory, and count in no search and no count", async ({ memories }) => {
    const { id } = await memories.add("the ferry leaves at noon");
    await memories.update(id, { content: "the bus leaves at one" });
    expect(await memories.count()).toBe(1n);
    expect((await memories.search("ferry")).contents).not.toContain("the ferry leaves at noon");
    await memories.delete(id);
    expect(await failureOf(versionsOf(memories, id))).toMatchObject({
      code: "NOT_FOUND",
      reason: "MEMORY_NOT_FOUND",
    });
  });
}

function restoringCases(it: MemoryTest): void {
  it("RestoreMemory gives a memory the fields of an earlier version as its next one", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const first = { kind: "drink", tags: ["tea"], metadata: { a: 1 }, importance: 0.9 };
    const { id } = await memories.add("likes tea", first);
    await memories.update(
      id,
      { content: "likes beer" },
      { updateMask: { paths: ["content", "kind", "tags", "metadata", "importance"] } },
    );
    const request = { namespace, id, version: 1n, expectedVersion: 2n, idempotencyKey: "key" };
    const { memory, replayedVersion } = await provider.restoreMemory(request);
    expect(memory).toMatchObject({ ...first, content: "likes tea", version: 3n });
    expect(replayedVersion).toBeUndefined();
    expect((await memories.search("tea")).contents).toEqual(["likes tea"]);
    expect((await memories.search("beer")).contents).not.toContain("likes beer");
    expect((await versionsOf(memories, id))[0]).toMatchObject({ restoredFrom: 1n });
    const retry = await provider.restoreMemory(request);
    expect(retry).toMatchObject({ memory, replayedVersion: 3n });
  });

  it("RestoreMemory refuses another version of the memory, and a version that is not kept", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const { id } = await memories.add("one");
    await memories.update(id, { content: "two" });
    const restore = (version: bigint, expectedVersion?: bigint) =>
      failureOf(
        provider.restoreMemory({
          ...{ namespace, id, version },
          ...(expectedVersion !== undefined && { expectedVersion }),
        }),
      );
    expect(await restore(1n, 1n)).toMatchObject({ code: "ABORTED", reason: "VERSION_MISMATCH" });
    expect(await restore(2n)).toMatchObject({
      code: "NOT_FOUND",
      reason: "MEMORY_VERSION_NOT_FOUND",
      fields: ["version"],
    });
    expect(
      await failureOf(provider.restoreMemory({ namespace, id: "none", version: 1n })),
    ).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
  });
}

function redactingCases(it: MemoryTest): void {
  it("RedactVersion removes the texts of a version and of proposals, and leaves a keyed digest", async ({
    memories,
    namespaceOf,
    transport,
  }) => {
    const { namespace, provider } = memories;
    const { userId } = namespace;
    const secret = "the word is zebra";
    const { id } = await memories.add(secret, { author: "ann", metadata: { word: "zebra" } });
    const { proposal } = await provider.proposeEdit({
      ...{ namespace, oldString: "zebra", newString: "hidden", reasoning: "zebra is secret" },
      target: { case: "memoryId", value: id },
    });
    await memories.update(id, { content: "the word is hidden", metadata: { word: "hidden" } });
    const request = { namespace, id, version: 1n, idempotencyKey: "key" };
    const { version } = await provider.redactVersion(request);
    expect(version).toMatchObject({ redacted: true, contentSha256: "" });
    expect(version?.memory).toMatchObject({ content: "", version: 1n });
    expect(version?.contentHmac).toMatch(/^[\da-f]{64}$/);
    expect(version?.contentHmac).not.toBe(sha256(secret));
    expect(await provider.redactVersion(request)).toMatchObject({ version });
    const versions = await versionsOf(memories, id);
    expect(
      JSON.stringify(versions, (_, value: unknown) =>
        typeof value === "bigint" ? `${value}` : value,
      ),
    ).not.toContain("zebra");
    const proposals = createClient(ProposalService, transport);
    const read = await proposals.getProposal({
      userId,
      id: required(proposal, "no proposal").id,
    });
    expect(read.proposal).toMatchObject({ oldString: "", reasoning: "", textsRemoved: true });
    expect(await failureOf(provider.restoreMemory({ namespace, id, version: 1n }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "VERSION_REDACTED",
    });
    // The same text has the same digest for this user, and another one for another user.
    const digestFor = async (client: Client) => {
      const added = await client.add(secret);
      await client.update(added.id, { content: "changed" });
      const redacted = await client.provider.redactVersion({
        ...{ namespace: client.namespace, id: added.id, version: 1n },
      });
      return redacted.version?.contentHmac;
    };
    expect(await digestFor(memories)).toBe(version?.contentHmac);
    expect(await digestFor(namespaceOf({ userId: "other" }))).not.toBe(version?.contentHmac);
    expect(await contentsOf(memories, id)).toEqual(["the word is hidden", ""]);
  });
}
