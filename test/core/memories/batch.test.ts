import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { AddInput } from "../../../src/core/memories/service.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import { profileKey } from "../../../src/core/vectors/vectors.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { partsOver } from "./service-parts.js";

const namespace = { userId: "kim", agentId: "guide" };
const forgotten = { supersedes: "unknown" };

function createService(
  update = (store: Store): Store["update"] =>
    (scope, transact) =>
      store.update(scope, transact),
  embedder?: Embedder,
) {
  const inMemory = createInMemoryStore();
  let transactions = 0;
  const changed = update(inMemory);
  const counted: Store["update"] = (scope, transact) => {
    transactions++;
    return changed(scope, transact);
  };
  const store: Store = { ...inMemory, update: counted };
  const parts = { ...partsOver(store), embedders: createEmbedders(embedder) };
  const memories = createMemoryService(parts);
  const call = endlessCall;
  const stored = async () => {
    const query = { namespace, filter: {}, includeSuperseded: true };
    const page = await memories.getAll({ ...query, limit: 1_000, pageToken: "" }, call);
    return page.memories.map(({ content }) => content).toReversed();
  };
  const addAll = (inputs: readonly Omit<AddInput, "namespace">[], changes: Partial<Call> = {}) => {
    const batch = memories.openBatch({ ...call, ...changes });
    return Promise.allSettled(inputs.map((input) => batch.add({ namespace, ...input })));
  };
  return { addAll, stored, transactions: () => transactions };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ content: `memory ${at}` }));
const reasons = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) =>
    outcome.status === "rejected" ? (outcome.reason as VademecumError).reason : "stored",
  );

it("a batch stores 600 memories in order with four transactions", async () => {
  const { addAll, stored, transactions } = createService();
  const outcomes = await addAll(numbered(600));
  expect(new Set(reasons(outcomes))).toEqual(new Set(["stored"]));
  expect(await stored()).toEqual(numbered(600).map(({ content }) => content));
  // One transaction stores the first memory, two store 256 memories each, and one stores the rest.
  expect(transactions()).toBe(4);
});

it("if one memory of a batch supersedes an unknown memory, only this memory fails", async () => {
  const { addAll, stored } = createService();
  const outcomes = await addAll([
    { content: "first" },
    { content: "second" },
    { content: "third", ...forgotten },
    { content: "fourth" },
  ]);
  expect(reasons(outcomes)).toEqual(["stored", "stored", "MEMORY_NOT_FOUND", "stored"]);
  expect((await stored()).toSorted()).toEqual(["first", "fourth", "second"]);
});

it("a batch stores a repeated memory once, and refuses another memory with the same idempotency key", async () => {
  const { addAll, stored } = createService();
  const outcomes = await addAll([
    { content: "opens the group" },
    { content: "once", idempotencyKey: "k" },
    { content: "once", idempotencyKey: "k" },
    { content: "another", idempotencyKey: "k" },
  ]);
  expect(reasons(outcomes)).toEqual(["stored", "stored", "stored", "IDEMPOTENCY_KEY_REUSED"]);
  expect(outcomes[1]).toEqual(outcomes[2]);
  expect(await stored()).toEqual(["opens the group", "once"]);
});

it("a batch stores as many memories as the quota allows", async () => {
  const { addAll, stored } = createService();
  const outcomes = await addAll(numbered(5), {
    allowance: { account: "", quota: { memories: 3 } },
  });
  expect(reasons(outcomes).filter((reason) => reason === "stored")).toHaveLength(3);
  expect(reasons(outcomes).filter((reason) => reason === "QUOTA_EXCEEDED")).toHaveLength(2);
  expect(await stored()).toHaveLength(3);
});

it("a batch begins no further transaction after its call has ended", async () => {
  let hasEnded = false;
  const { addAll, stored } = createService((store) => async (scope, transact) => {
    const committed = await store.update(scope, transact);
    hasEnded = true;
    return committed;
  });
  const throwIfEnded = (): void => {
    if (hasEnded) throw new VademecumError("UNAUTHENTICATED", "CREDENTIALS_REFUSED", "no key");
  };
  const outcomes = await addAll(numbered(3), { throwIfEnded });
  expect(reasons(outcomes)).toEqual(["stored", "CREDENTIALS_REFUSED", "CREDENTIALS_REFUSED"]);
  expect(await stored()).toHaveLength(1);
});

it("a batch does not store a memory again when the outcome of its commit is unknown", async () => {
  const unknown = new VademecumError("UNAVAILABLE", "OUTCOME_UNKNOWN", "the disk failed");
  const { addAll, stored, transactions } = createService((store) => async (scope, transact) => {
    await store.update(scope, transact);
    throw unknown;
  });
  const outcomes = await addAll(numbered(3));
  expect(reasons(outcomes)).toEqual(["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]);
  expect(await stored()).toHaveLength(3);
  expect(transactions()).toBe(2);
});

it("a batch stores the first of two memories that supersede the same memory", async () => {
  const { addAll, stored } = createService();
  await addAll([{ content: "tea" }]);
  const both = { supersedes: "m0001" };
  const outcomes = await addAll([
    { content: "opens the group" },
    { content: "coffee", ...both },
    { content: "milk", ...both },
    { content: "water" },
  ]);
  expect(reasons(outcomes)).toEqual(["stored", "stored", "ALREADY_SUPERSEDED", "stored"]);
  expect(await stored()).toEqual(["tea", "opens the group", "coffee", "water"]);
});

it("a batch begins a new transaction after about 1 MiB of text, counted as two bytes a letter", async () => {
  const { addAll, transactions } = createService();
  const content = "tea ".repeat(15_000);
  const outcomes = await addAll(Array.from({ length: 12 }, () => ({ content })));
  expect(new Set(reasons(outcomes))).toEqual(new Set(["stored"]));
  expect(transactions()).toBe(3);
});

it("a batch begins a new transaction after about 1 MiB of metadata and tags", async () => {
  const { addAll, transactions } = createService();
  const metadata = { note: "tea ".repeat(4000) };
  const tags = Array.from({ length: 32 }, (_, at) => `${at} ${"tag".repeat(20)}`);
  const outcomes = await addAll(
    Array.from({ length: 100 }, (_, at) => ({ content: `memory ${at}`, metadata, tags })),
  );
  expect(new Set(reasons(outcomes))).toEqual(new Set(["stored"]));
  expect(transactions()).toBe(5);
});

it("a batch that exceeds the quota embeds each text once, and stores the memories that come first", async () => {
  const embedded: string[] = [];
  const embedder = createEmbedder("counting", async (texts) => {
    embedded.push(...texts);
    return texts.map(() => Float32Array.of(1));
  });
  const { addAll, stored, transactions } = createService(undefined, embedder);
  const inputs = numbered(257);
  const outcomes = await addAll(inputs, { allowance: { account: "", quota: { memories: 101 } } });
  expect(reasons(outcomes)).toEqual([
    ...Array.from({ length: 101 }, () => "stored"),
    ...Array.from({ length: 156 }, () => "QUOTA_EXCEEDED"),
  ]);
  const contents = inputs.map(({ content }) => content);
  expect(await stored()).toEqual(contents.slice(0, 101));
  expect(embedded).toEqual(contents);
  expect(transactions()).toBeLessThan(20);
});

it("a batch that exceeds the quota still returns the results of idempotency keys that were used before", async () => {
  const { addAll, stored } = createService();
  const keyed = (key: string) => ({ content: key, idempotencyKey: key });
  const changes = { allowance: { account: "", quota: { memories: 2 } } };
  const before = await addAll([keyed("tea"), keyed("coffee")], changes);
  const outcomes = await addAll(
    [
      keyed("milk"),
      { content: "water" },
      keyed("juice"),
      keyed("tea"),
      keyed("wine"),
      { content: "another", idempotencyKey: "tea" },
      keyed("coffee"),
    ],
    changes,
  );
  const full = "QUOTA_EXCEEDED";
  expect(reasons(outcomes)).toEqual([
    ...[full, full, full, "stored", full, "IDEMPOTENCY_KEY_REUSED", "stored"],
  ]);
  expect([outcomes[3], outcomes[6]]).toEqual(before);
  expect(await stored()).toEqual(["tea", "coffee"]);
});

/** Creates an embedder whose vectors have one dimension. */
function createEmbedder(modelId: string, embed: Embedder["embed"]): Embedder {
  const calibration = { vectorWeight: 0.5, randomScore: 0, paraphraseScore: 1 };
  return { modelId, dimension: 1, calibration, embed };
}

it("a batch fails at once when the model of its namespace cannot be reached", async () => {
  const store = createInMemoryStore();
  await store.update({ kind: "user", userId: namespace.userId }, async (tx) =>
    tx.put("profiles", namespace, profileKey, { modelId: "needed", dimension: 1 }),
  );
  let calls = 0;
  const expected = createEmbedder("expected", async (texts) => texts.map(() => Float32Array.of(1)));
  const needed = createEmbedder("needed", async () => {
    calls++;
    throw new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "cannot reach the embedder");
  });
  const parts = partsOver(store);
  // The index does not know the model of the namespace yet.
  const index = new Proxy(parts.index, {
    get: (target, name) =>
      name === "profileOf" ? async () => undefined : (Reflect.get(target, name, target) as unknown),
  });
  const embedders = createEmbedders(expected, [needed]);
  const batch = createMemoryService({ ...parts, index, embedders }).openBatch(endlessCall);
  const outcomes = await Promise.allSettled(
    numbered(9).map((input) => batch.add({ namespace, ...input })),
  );
  expect(new Set(reasons(outcomes))).toEqual(new Set(["EMBEDDER_UNAVAILABLE"]));
  // One call for the first memory, and one for all others.
  expect(calls).toBe(2);
});
