import { expect, test } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Scope } from "../../../src/core/model/namespace.js";
import type { Store, Transaction } from "../../../src/core/ports/store.js";
import { descriptors } from "../../../src/rpc/descriptors.js";
import { type Example, examples } from "./mutations.js";
import { call, createWorld } from "./world.js";

/** Fields that choose the owner of an idempotency key. Each owner has its own keys. */
const ownerFields = /^(?:userId|runId|(?:namespace|target)\.(?:userId|agentId))$/;
/** Fields that decide whether a call is a mutation with an idempotency key. */
const modeFields = /^(?:dryRun|idempotencyKey)$/;

/**
 * For each leaf of a value, yields a copy with this leaf changed, and the path of the leaf.
 */
function* variantsOf(
  value: unknown,
  path = "",
): Generator<readonly [path: string, variant: unknown]> {
  if (value instanceof Float32Array) yield [path, value.map((number) => number + 1)];
  else if (typeof value === "string") yield [path, `${value}2`];
  else if (typeof value === "number") yield [path, value + 1];
  else if (typeof value === "boolean") yield [path, !value];
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const [inner, variant] of variantsOf(item, `${path}[${at}]`))
        yield [inner, value.with(at, variant)];
    yield [`${path}.length`, value.slice(1)];
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value))
      for (const [inner, variant] of variantsOf(field, path === "" ? name : `${path}.${name}`))
        yield [inner, { ...value, [name]: variant }];
  }
}

const titled = examples.map((example): [string, Example] => {
  const isFullReset = "target" in example.input && example.input.target === "everything";
  return [isFullReset ? "Reset of everything" : example.rpc, example];
});

/** A record with versions in a reply. */
interface Versioned {
  readonly version: number;
}

/**
 * Returns what a reply says about the first call. A record of a repetition is the record as it is
 * now, so only its version of the first call counts. A repetition has no labels of deleted blocks.
 */
function madeBy(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null) return reply;
  const {
    memory,
    block,
    replayedVersion,
    sampleLabels: _,
    ...others
  } = reply as {
    readonly sampleLabels?: unknown;
    readonly memory?: Versioned;
    readonly block?: Versioned;
    readonly replayedVersion?: number;
  };
  return { ...others, version: replayedVersion ?? (memory ?? block)?.version };
}

/** Awaits a call. Returns the reason of its error, or "" if it succeeds. */
async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "";
  } catch (error) {
    if (error instanceof VademecumError) return error.reason;
    throw error;
  }
}

test.each(titled)(
  "%s refuses an idempotency key that was used with another value in any field",
  async (_, example) => {
    const { input, run } = example;
    const world = await createWorld();
    const reply = await run(world, input);
    expect(madeBy(await run(world, input))).toEqual(madeBy(reply));
    const accepted: string[] = [];
    for (const [path, variant] of variantsOf(input)) {
      // The target "everything" is a mode too, because every other target is a namespace.
      if (ownerFields.test(path) || modeFields.test(path) || path === "target") continue;
      const reason = await reasonOf(run(world, variant as Example["input"]));
      if (reason !== "IDEMPOTENCY_KEY_REUSED") accepted.push(`${path}: ${reason}`);
    }
    expect(accepted).toEqual([]);
  },
);

/** Returns all texts of a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

/** Ids of memories, skills and proposals, which a stored reply may repeat. */
const idsOfRecords = /^(?:id\d+|s)$/;

test.each(titled)("the stored reply to %s repeats no name of its request", async (_, example) => {
  const world = await createWorld();
  await example.run(world, example.input);
  const { scope, input } = example;
  await using snapshot = await world.store.snapshot(scope);
  const names = [...textsIn(input)].filter((text) => text !== "" && !idsOfRecords.test(text));
  const repeated: string[] = [];
  for await (const [, { reply }] of snapshot.scan("replies", scope))
    for (const text of textsIn(reply))
      if (names.some((name) => text === name || (name.length > 3 && text.includes(name))))
        repeated.push(text);
  expect(repeated).toEqual([]);
});

/**
 * Returns a store that runs each transaction twice. The first run assumes that all keys are unused,
 * and leaves no trace in the store.
 */
function runningTwice(store: Store): Store {
  return Object.create(store, {
    update: {
      async value(scope: Scope, transact: (tx: Transaction) => Promise<unknown>) {
        const undone = new Error("undone");
        const first = store.update(scope, async (tx) => {
          const assuming = new Proxy(tx, {
            get: (target, name) => {
              if (name === "isUnused") return async () => true;
              const value: unknown = Reflect.get(target, name, target);
              if (typeof value !== "function") return value;
              return (...values: unknown[]): unknown => Reflect.apply(value, target, values);
            },
          });
          await transact(assuming).catch(() => undefined);
          throw undone;
        });
        await first.catch((error: unknown) => {
          if (error !== undone) throw error;
        });
        return store.update(scope, transact);
      },
    },
  }) as Store;
}

test.each(titled)(
  "a repeated %s gets the first reply, even if its transaction runs twice",
  async (_, example) => {
    const { input, run } = example;
    const world = await createWorld(runningTwice);
    const reply = await run(world, input);
    await world.memories.add(
      { namespace: { userId: "kim", agentId: "guide" }, content: "more" },
      call,
    );
    await world.blocks.put({ userId: "kim", label: "notes", body: "newer", writtenBy: "kim" });
    expect(madeBy(await run(world, input))).toEqual(madeBy(reply));
  },
);

test("every RPC with an idempotency key has an example", () => {
  const rpcs = descriptors
    .flatMap(({ methods }) => methods)
    // Dispatch hands its key on to the RPC of the tool.
    .filter(({ name, input }) => "idempotencyKey" in input.field && name !== "Dispatch")
    .map(({ name }) => name);
  expect(new Set(examples.map(({ rpc }) => rpc))).toEqual(new Set(rpcs));
});
