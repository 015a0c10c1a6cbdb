import { expect, test } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { replyKey } from "../../../src/core/model/record-keys.js";
import type { Transaction } from "../../../src/core/ports/store.js";
import { replyLifetimeMs, replyOnce } from "../../../src/core/requests/idempotency.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";

const scope: Scope = { kind: "user", userId: "u1" };

function createCaller() {
  const store = createInMemoryStore("epoch");
  let runs = 0;
  return async (idempotencyKey: string | undefined, request: unknown, nowMs = 0, rpc = "Add") => {
    const { result } = await store.update(scope, (tx) =>
      replyOnce(
        store,
        tx,
        scope,
        { rpc, agentId: undefined, idempotencyKey, request, nowMs },
        async () => ({ run: ++runs }),
      ),
    );
    return result.run;
  };
}

test("a repeated call with the same idempotency key and body gets the first reply and runs once", async () => {
  const call = createCaller();
  expect(await call("k", { content: "a" })).toBe(1);
  expect(await call("k", { content: "a" })).toBe(1);
  expect(await call("other", { content: "a" })).toBe(2);
});

test("concurrent calls with one idempotency key run once", async () => {
  const call = createCaller();
  expect(await Promise.all([call("k", {}), call("k", {}), call("k", {})])).toEqual([1, 1, 1]);
});

test("calls without an idempotency key run every time", async () => {
  const call = createCaller();
  expect([await call(undefined, {}), await call(undefined, {})]).toEqual([1, 2]);
});

test("a repeated call gets the first reply even if the fields of its body are in another order", async () => {
  const call = createCaller();
  await call("k", { a: 1, b: { c: 2, d: 3 } });
  expect(await call("k", { b: { d: 3, c: 2 }, a: 1 })).toBe(1);
});

test.each([
  ["another value", { a: 1 }, { a: 2 }],
  ["another type", { a: 1 }, { a: "1" }],
  ["a field that is cleared", {}, { a: undefined }],
  [
    "a cleared field, in place of an object with the field `absent`",
    { a: { absent: true } },
    { a: undefined },
  ],
  ["another vector", { v: new Float32Array([1, 2]) }, { v: new Float32Array([1, 3]) }],
])("the same idempotency key with another body is refused: %s", async (_name, first, second) => {
  const call = createCaller();
  await call("k", first);
  await expect(call("k", second)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    reason: "IDEMPOTENCY_KEY_REUSED",
    fields: [{ field: "idempotency_key" }],
  });
});

test("one idempotency key can be used once for each RPC", async () => {
  const call = createCaller();
  await call("k", {}, 0, "Add");
  expect(await call("k", { other: true }, 0, "Delete")).toBe(2);
});

test("a stored reply expires after 24 hours, and its record is removed", async () => {
  const store = createInMemoryStore("epoch");
  const call = (key: string, nowMs: number) =>
    store
      .update(scope, (tx) =>
        replyOnce(
          store,
          tx,
          scope,
          { rpc: "Add", agentId: undefined, idempotencyKey: key, request: {}, nowMs },
          async () => nowMs,
        ),
      )
      .then(({ result }) => result);
  await call("k", 0);
  expect(await call("k", replyLifetimeMs - 1)).toBe(0);
  expect(await call("k", replyLifetimeMs)).toBe(replyLifetimeMs);
  await call("other", 3 * replyLifetimeMs);
  const snapshot = await store.snapshot(scope);
  const kept: string[] = [];
  for await (const [key] of snapshot.scan("replies", scope)) kept.push(key);
  expect(kept).toEqual([replyKey("Add", undefined, "other")]);
});

test("an expired reply is removed even if the first call that tries to remove it fails", async () => {
  const store = createInMemoryStore("epoch");
  const call = (keys: readonly string[], nowMs: number, end: () => void) =>
    store.update(scope, async (tx) => {
      for (const idempotencyKey of keys) {
        const repeatable = { rpc: "Add", agentId: undefined, idempotencyKey, request: {}, nowMs };
        await replyOnce(store, tx, scope, repeatable, async () => nowMs);
      }
      end();
    });
  const fail = () => {
    throw new Error("the disk is full");
  };
  await call(["old"], 0, () => undefined);
  const failing = call(["first of a batch", "second of a batch"], replyLifetimeMs + 1, fail);
  await expect(failing).rejects.toThrow("the disk is full");
  await call(["new"], replyLifetimeMs + 1, () => undefined);
  const snapshot = await store.snapshot(scope);
  const kept: string[] = [];
  for await (const [key] of snapshot.scan("replies", scope)) kept.push(key);
  expect(kept).toEqual([replyKey("Add", undefined, "new")]);
});

test("a call scans the store for expired replies only if a reply may have expired", async () => {
  const store = createInMemoryStore("epoch");
  let scans = 0;
  const call = (key: string, nowMs: number) =>
    store.update(scope, (tx) => {
      const watched: Transaction = {
        head: tx.head,
        get: (...request) => tx.get(...request),
        count: (...request) => tx.count(...request),
        changes: (...request) => tx.changes(...request),
        isUnused: (...request) => tx.isUnused(...request),
        put: (...request) => tx.put(...request),
        delete: (...request) => tx.delete(...request),
        clear: (...request) => tx.clear(...request),
        countAtMost: (...request) => tx.countAtMost(...request),
        usage: () => tx.usage(),
        usageBefore: () => tx.usageBefore(),
        usageAtMost: () => tx.usageAtMost(),
        storeAs: (account) => tx.storeAs(account),
        growth: () => tx.growth(),
        growthAtMost: () => tx.growthAtMost(),
        commitTimeMs: (...request) => tx.commitTimeMs(...request),
        scan(...request) {
          scans += 1;
          return tx.scan(...request);
        },
      };
      const repeatable = {
        rpc: "Add",
        agentId: undefined,
        idempotencyKey: key,
        request: {},
        nowMs,
      };
      return replyOnce(store, watched, scope, repeatable, async () => nowMs);
    });
  for (let i = 0; i < 10; i++) await call(`k${i}`, i);
  expect(scans).toBe(1);
  await call("late", replyLifetimeMs + 9);
  expect(scans).toBe(2);
});
