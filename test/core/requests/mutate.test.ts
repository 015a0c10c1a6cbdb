import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import type { Idempotent } from "../../../src/core/requests/idempotency.js";
import { mutate, mutateWithHead, replyBefore } from "../../../src/core/requests/mutate.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";

const scope: Scope = { kind: "user", userId: "u1" };

function createParts(nowMs = () => 0) {
  return { store: createInMemoryStore("epoch"), clock: { nowMs } };
}

test("a mutation without an idempotency key runs every time", async () => {
  const parts = createParts();
  let runs = 0;
  const run = () => mutate(parts, { rpc: "Add", target: scope, input: {} }, async () => ++runs);
  expect([await run(), await run()]).toEqual([1, 2]);
});

test("a repeated mutation returns the stored reply and writes nothing", async () => {
  const parts = createParts();
  const mutation = { rpc: "WriteKey", target: scope, input: { idempotencyKey: "k" } };
  const run = (value: string) =>
    mutateWithHead(parts, mutation, async (tx) => {
      tx.put("keyPositions", scope, "p", value);
      return value;
    });
  const first = await run("first");
  const second = await run("second");
  expect(second).toEqual(first);
  await using snapshot = await parts.store.snapshot(scope);
  expect(await snapshot.get("keyPositions", scope, "p")).toBe("first");
});

test("a mutation that fails stores no reply", async () => {
  const parts = createParts();
  const mutation = { rpc: "Add", target: scope, input: { idempotencyKey: "k" } };
  const failed = mutate(parts, mutation, () => Promise.reject(new Error("the disk is full")));
  await expect(failed).rejects.toThrow("the disk is full");
  expect(await mutate(parts, mutation, async () => "second")).toBe("second");
});

test("a mutation uses the time that its caller passes, or the time of the clock by default", async () => {
  const parts = createParts(() => 7);
  const mutation = { rpc: "Add", target: scope, input: {} };
  expect(await mutate(parts, mutation, async (_, nowMs) => nowMs)).toBe(7);
  expect(await mutate(parts, { ...mutation, nowMs: 5 }, async (_, nowMs) => nowMs)).toBe(5);
});

test("the reply of an earlier call with an idempotency key can be read without a write", async () => {
  const parts = createParts();
  const mutation = { rpc: "Reset", target: scope, input: { idempotencyKey: "k" } };
  expect(await replyBefore(parts, mutation)).toBeUndefined();
  await mutate(parts, mutation, async () => ({ deleted: 3 }));
  expect(await replyBefore(parts, mutation)).toEqual({ reply: { deleted: 3 } });
});

/** The input of an RPC that stores a text. */
interface TextInput extends Idempotent {
  readonly content: string;
}

function inputOf(content: string): TextInput {
  return { idempotencyKey: "k", content };
}

test("agents of one user can use the same idempotency key for different calls", async () => {
  const parts = createParts();
  let runs = 0;
  const run = (agentId: string, content: string) =>
    mutate(
      parts,
      { rpc: "Add", target: { userId: "u1", agentId }, input: inputOf(content) },
      async () => ++runs,
    );
  expect([await run("a1", "one"), await run("a2", "two")]).toEqual([1, 2]);
  expect([await run("a1", "one"), await run("a2", "two")]).toEqual([1, 2]);
  await expect(run("a2", "one")).rejects.toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
});

const fieldValue = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const fields = fc.dictionary(
  fc.string().filter((name) => name !== "idempotencyKey"),
  fc.oneof(fieldValue, fc.array(fieldValue), fc.dictionary(fc.string(), fieldValue)),
  { minKeys: 1 },
);

test("an idempotency key is refused when any field of the input differs from the first call", async () => {
  await fc.assert(
    fc.asyncProperty(fields, fc.nat(), fieldValue, async (input, at, other) => {
      const names = Object.keys(input);
      const name = names[at % names.length] as string;
      fc.pre(JSON.stringify(input[name]) !== JSON.stringify(other));
      const parts = createParts();
      const run = (changed: object) =>
        mutate(
          parts,
          { rpc: "Add", target: scope, input: { ...changed, idempotencyKey: "k" } },
          async () => 1,
        );
      await run(input);
      const { [name]: _, ...withoutField } = input;
      for (const changed of [
        { ...input, [name]: other },
        { ...input, [name]: undefined },
        withoutField,
      ])
        await expect(run(changed)).rejects.toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
    }),
  );
});
