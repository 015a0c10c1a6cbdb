import { expect } from "vitest";
import {
  MemoryEventKind,
  type WatchMemoriesResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import { type WatchFields, watchMemories } from "../harness/memory-watch.js";
import type { NamespaceClient } from "../harness/namespace-client.js";

const { ADDED, CHANGED, DELETED, CLEARED } = MemoryEventKind;

/** Watching memories. */
export function watchCases(it: MemoryTest): void {
  const watchOf = ({ provider, namespace }: NamespaceClient, fields: WatchFields = {}) =>
    watchMemories(provider, { namespace, ...fields });

  it("a watch says at once where it begins, and then sends each change in order, with its commit_seq", async ({
    memories,
  }) => {
    await memories.add("before");
    const watch = watchOf(memories);
    const { events, commitSeq } = await watch.next();
    expect(events).toEqual([]);
    const added = await memories.add("tea");
    const told = [await watch.event()];
    const updated = await memories.update(added.id, { content: "coffee" });
    told.push(await watch.event());
    await memories.delete(added.id);
    told.push(await watch.event());
    await memories.reset();
    told.push(await watch.event());
    const agentId = memories.namespace.agentId;
    expect(told).toMatchObject([
      { kind: ADDED, agentId, id: added.id, commitSeq: added.commitSeq },
      { kind: CHANGED, agentId, id: added.id, commitSeq: updated.commitSeq },
      { kind: DELETED, agentId, id: added.id },
      { kind: CLEARED, agentId, id: "" },
    ]);
    expect(told.map(({ memory }) => memory?.content)).toEqual([
      "tea",
      "coffee",
      undefined,
      undefined,
    ]);
    expect(told[0]?.commitSeq).toBe(commitSeq + 1n);
    watch.end();
  });

  it("a watch goes on after the commit_seq of an earlier one: every change once, in order", async ({
    memories,
  }) => {
    const ids: string[] = [];
    const told: string[] = [];
    let afterCommitSeq = (await watchOf(memories).only()).commitSeq;
    for (let round = 0; round < 4; round++) {
      const writes = (async () => {
        for (let i = 0; i < 25; i++) ids.push((await memories.add(`${round} ${i}`)).id);
      })();
      const watch = watchOf(memories, { afterCommitSeq });
      // The connection breaks somewhere in the middle, after a message that says how far it came.
      while (told.length < 10 + 25 * round) {
        const message: WatchMemoriesResponse = await watch.next();
        told.push(...message.events.map(({ id }) => id));
        afterCommitSeq = message.commitSeq;
      }
      watch.end();
      await writes;
    }
    const rest = watchOf(memories, { afterCommitSeq });
    while (told.length < ids.length) told.push((await rest.event()).id);
    rest.end();
    expect(told).toEqual(ids);
  });

  it("the changes of one large commit come in several messages, and only the last is complete up to it", async ({
    memories,
  }) => {
    const { commitSeq: before } = await watchOf(memories).only();
    const added = await memories.provider.addMany({
      namespace: memories.namespace,
      memories: Array.from({ length: 80 }, (_, i) => ({ content: `note ${i}` })),
    });
    const watch = watchOf(memories, { afterCommitSeq: before });
    expect(await watch.next()).toMatchObject({ events: [], commitSeq: before });
    const messages = [await watch.next(), await watch.next(), await watch.next()];
    expect(messages.map(({ events }) => events.length)).toEqual([32, 32, 16]);
    expect(messages.map(({ commitSeq }) => commitSeq)).toEqual([before, before, added.commitSeq]);
    watch.end();
  });

  it("a watch of a user has the changes of all agents, and a watch of a namespace no others", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ agentId: "other" });
    const stranger = namespaceOf({ userId: "stranger" });
    const { userId } = memories.namespace;
    const ofUser = watchMemories(memories.provider, { userId, idsOnly: true });
    const ofAgent = watchOf(memories);
    for (const watch of [ofUser, ofAgent]) await watch.next();
    await stranger.add("a stranger's");
    const first = await other.add("of another agent");
    const second = await memories.add("own");
    const told = [await ofUser.event(), await ofUser.event()];
    expect(told).toMatchObject([
      { id: first.id, agentId: "other" },
      { id: second.id, agentId: memories.namespace.agentId },
    ]);
    expect(told.map(({ memory }) => memory)).toEqual([undefined, undefined]);
    expect(await ofAgent.event()).toMatchObject({ id: second.id });
    for (const watch of [ofUser, ofAgent]) watch.end();
  });

  it("a memory that is superseded is a change of it, and memories before a reset are not sent", async ({
    memories,
  }) => {
    const { commitSeq: afterCommitSeq } = await watchOf(memories).only();
    const old = await memories.add("old");
    const successor = await memories.add("new", { supersedes: old.id });
    const watch = watchOf(memories, { afterCommitSeq });
    expect([await watch.event(), await watch.event()].map(({ kind, id }) => [kind, id])).toEqual(
      expect.arrayContaining([
        [CHANGED, old.id],
        [ADDED, successor.id],
      ]),
    );
    watch.end();
    await memories.reset();
    const { id } = await memories.add("after");
    const again = watchOf(memories, { afterCommitSeq });
    expect([await again.event(), await again.event()]).toMatchObject([
      { kind: CLEARED },
      { kind: ADDED, id },
    ]);
    again.end();
  });

  it("a commit_seq of another user, or of no commit, is refused", async ({
    memories,
    namespaceOf,
  }) => {
    const { commitSeq } = await memories.add("one");
    const bob = namespaceOf({ userId: "bob" });
    await bob.addAll("one", "two");
    for (const [client, afterCommitSeq] of [
      [bob, commitSeq],
      [memories, commitSeq + 1n],
    ] as const) {
      expect(await failureOf(watchOf(client, { afterCommitSeq }).next())).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "FOREIGN_COMMIT_SEQ",
        message: expect.stringContaining("after_commit_seq") as string,
      });
    }
  });
}
