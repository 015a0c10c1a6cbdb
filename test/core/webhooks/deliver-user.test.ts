import { describe, expect, it } from "vitest";
import { type Scope, userScope } from "../../../src/core/model/namespace.js";
import { deliveryKey } from "../../../src/core/model/record-keys.js";
import { commitSeqOf } from "../../../src/core/requests/commit-seq.js";
import { deliverUser } from "../../../src/core/webhooks/deliver-user.js";
import { notedStore } from "../../../src/core/webhooks/noted-store.js";
import type { WebhookMessage } from "../../../src/core/webhooks/webhook.js";
import { changeLogLength } from "../../../src/store/change-log.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { memoryOf } from "../memory-fixture.js";

const scope = { kind: "user", userId: "kim" } as const;
const namespace = { userId: "kim", agentId: "notes" };

/** A store that notes what the receiver lacks, and a receiver that fails as often as `failures`. */
function createWorld({ includesMemories = false } = {}) {
  const noted: Scope[] = [];
  const store = notedStore(createInMemoryStore("epoch"), (user) => noted.push(user));
  const world = { failures: 0, beforeRetry: async (): Promise<void> => undefined };
  const messages: WebhookMessage[] = [];
  const send = async (message: WebhookMessage): Promise<void> => {
    if (world.failures-- > 0) throw new Error("the receiver is down");
    messages.push(message);
  };
  const retry = async <T>(step: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await step();
      } catch {
        await world.beforeRetry();
      }
  };
  const put = async (...ids: readonly string[]): Promise<number> => {
    const { head } = await store.update(scope, async (tx) => {
      for (const id of ids) tx.put("memories", namespace, id, memoryOf({ id, content: id }));
    });
    return head.seq;
  };
  const deliver = () => deliverUser({ store, includesMemories, send, retry }, scope);
  const idsOf = ({ events }: WebhookMessage) =>
    events === "lost" ? "lost" : events.map(({ id }) => id);
  const ids = () => messages.map(idsOf);
  const left = async (): Promise<number> => {
    await using snapshot = await store.snapshot(scope);
    return await snapshot.count("deliveries", scope);
  };
  return Object.assign(world, { store, noted, messages, put, deliver, ids, left });
}

const seq = (of: number) => commitSeqOf({ epoch: "epoch", seq: of }, "kim");

describe("the deliveries of a user", () => {
  it("hand over changes in the order of their commits, and then note nothing", async () => {
    const world = createWorld();
    await world.put("a");
    await world.put("b", "c");
    await world.deliver();
    expect(world.ids()).toEqual([["a", "b", "c"]]);
    expect(world.messages[0]).toMatchObject({ userId: "kim", commitSeq: seq(2) });
    expect(await world.left()).toBe(0);
    await world.put("d");
    await world.deliver();
    await world.deliver();
    expect(world.ids()).toEqual([["a", "b", "c"], ["d"]]);
    expect(world.noted).toEqual([scope, scope, scope]);
  });

  it("split a commit with many changes, and send each of them once", async () => {
    const world = createWorld();
    const ids = Array.from({ length: 100 }, (_, i) => `m${String(i).padStart(3, "0")}`);
    await world.put("first");
    await world.put(...ids);
    await world.deliver();
    expect(world.ids().flat()).toEqual(["first", ...ids]);
    // Until the last message of the commit, the receiver has all changes only up to the one before.
    const told = world.messages.map(({ commitSeq }) => commitSeq);
    expect(told).toEqual([...told.slice(0, -1).map(() => seq(1)), seq(2)]);
    expect(await world.left()).toBe(0);
  });

  it("go on after changes that are made meanwhile", async () => {
    const world = createWorld();
    await world.put("a");
    world.failures = 1;
    world.beforeRetry = async () => void (await world.put("b"));
    await world.deliver();
    expect(world.ids()).toEqual([["a"], ["b"]]);
    expect(await world.left()).toBe(0);
  });

  it("send what a memory is at each attempt, not what it was at the first", async () => {
    const world = createWorld({ includesMemories: true });
    await world.put("secret");
    world.failures = 1;
    world.beforeRetry = async () => {
      await world.store.update(scope, async (tx) => tx.delete("memories", namespace, "secret"));
    };
    await world.deliver();
    expect(world.messages.flatMap(({ events }) => (events === "lost" ? [] : events))).toEqual([
      { kind: "DELETED", agentId: "notes", id: "secret", commitSeq: seq(1) },
      { kind: "DELETED", agentId: "notes", id: "secret", commitSeq: seq(2) },
    ]);
  });

  it("end without a message when the user is erased", async () => {
    const world = createWorld();
    await world.put("a");
    world.failures = 1;
    world.beforeRetry = async () => {
      await world.store.erase(scope, 0);
      await world.put("after");
    };
    await world.deliver();
    expect(world.ids()).toEqual([["after"]]);
  });

  it("tell the receiver when more commits came than the change log keeps", async () => {
    const world = createWorld();
    for (let i = 0; i <= changeLogLength; i++) await world.put("a");
    await world.deliver();
    expect(world.messages).toEqual([
      { userId: "kim", events: "lost", commitSeq: seq(changeLogLength + 1) },
    ]);
    expect(await world.left()).toBe(0);
    await world.put("b");
    await world.deliver();
    expect(world.ids()).toEqual(["lost", ["b"]]);
  });

  it("tell the receiver when the user's data is of another epoch", async () => {
    const world = createWorld();
    await world.put("a");
    await world.store.update(scope, async (tx) =>
      tx.put("deliveries", scope, deliveryKey, { epoch: "earlier", seq: 0 }),
    );
    await world.deliver();
    expect(world.ids()).toEqual(["lost"]);
  });
});

describe("a store that notes changes", () => {
  it("notes users whose memories change, and none for other writes or a failed one", async () => {
    const { store, noted } = createWorld();
    await store.update(scope, async (tx) => tx.put("digestKeys", scope, "k", "00"));
    const failed = store.update(scope, async (tx) => {
      tx.put("memories", namespace, "a", memoryOf({ id: "a" }));
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(noted).toEqual([]);
    await store.update(scope, async (tx) => tx.clear(namespace));
    expect(noted).toEqual([scope]);
    const users: Scope[] = [];
    for await (const user of store.undelivered()) users.push(user);
    expect(users).toEqual([userScope("kim")]);
  });
});
