import { describe, expect, it } from "vitest";
import { createErasureService } from "../../../src/core/erasure/create-service.js";
import { namesScope } from "../../../src/core/erasure/receipt.js";
import type { ErasureParts } from "../../../src/core/erasure/service.js";
import { type Scope, userScope } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { collect } from "../../contract/store/context.js";

const hourMs = 60 * 60 * 1000;
const server: Scope = { kind: "server" };
const run: Scope = { kind: "run", runId: "r" };
const kim = userScope("kim");
const namespace = { userId: "kim", agentId: "guide" };
const both = { userId: "kim", runIds: ["r"] };

/** A step of an erasure that fails, as if the process ended there. */
type Step = "erase kim" | "erase r" | "receipt" | "compact";

/** A store in which a user and a run have something, and whose steps fail while they are named. */
async function createWorld() {
  const plain = createInMemoryStore("epoch");
  await plain.update(kim, async (tx) => {
    tx.put("memories", namespace, "m", sampleMemory("m", "tea"));
    tx.put("digestKeys", kim, "k", "ab");
  });
  await plain.update(run, async (tx) =>
    tx.put("keyValues", run, "key", { value: "v", position: "1", version: 1 }),
  );
  const failing = new Set<Step>();
  const steps: string[] = [];
  const step = async <T>(name: Step, make: () => Promise<T>): Promise<T> => {
    if (failing.has(name)) throw new Error(`${name} fails`);
    const made = await make();
    steps.push(name);
    return made;
  };
  const store: Store = Object.create(plain, {
    erase: {
      value: (scope: Scope, nowMs: number) =>
        step(scope.kind === "user" ? "erase kim" : "erase r", () => plain.erase(scope, nowMs)),
    },
    compact: { value: () => step("compact", () => plain.compact()) },
  }) as Store;
  let nowMs = 1_760_000_000_000;
  let count = 0;
  const forgotten: Scope[] = [];
  const parts: ErasureParts = {
    ...{ store, clock: { nowMs: () => nowMs }, ids: { next: () => `id${count++}` } },
    index: { release: async () => undefined },
    embedders: { emptyCaches: () => step("receipt", async () => undefined) },
    wakeUps: { wakeAll: () => undefined },
    forgetNames: async (scope) => void forgotten.push(scope),
  };
  const begun = async () => {
    await using snapshot = await plain.snapshot(server);
    return (await collect(snapshot.scan("erasures", server))).map(([, erasure]) => erasure);
  };
  return {
    ...{ plain, failing, steps, forgotten, begun },
    /** A service as a new process has it. */
    start: () => createErasureService(parts),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("erasing users and runs", () => {
  it("a receipt names a user and a run only to whoever knows their ids", async () => {
    const { start } = await createWorld();
    const receipt = await start().forget(both, endlessCall);
    expect(receipt.counts).toMatchObject({ memories: 1, keys: 1 });
    expect(receipt.scopes).toMatchObject([
      { kind: "user", commitSeq: 2 },
      { kind: "run", commitSeq: 2 },
    ]);
    expect(
      [kim, run, userScope("r"), userScope("lee")].map((of) => namesScope(receipt, of)),
    ).toEqual([true, true, false, false]);
    expect(JSON.stringify(receipt)).not.toContain("kim");
  });

  it("an erasure makes the user and the run untraceable, and leaves nothing stored about them", async () => {
    const { start, forgotten, begun, steps } = await createWorld();
    await start().forget({ ...both, idempotencyKey: "key" }, endlessCall);
    expect(forgotten).toEqual([kim, run]);
    expect(await begun()).toEqual([]);
    expect(steps).toEqual(["erase kim", "erase r", "receipt", "compact"]);
  });

  it.each<Step>(["erase kim", "erase r", "receipt", "compact"])(
    "an erasure that ended at the step '%s' is finished by the next start",
    async (step) => {
      const { start, failing, plain, begun } = await createWorld();
      failing.add(step);
      await expect(start().forget(both, endlessCall)).rejects.toThrow(`${step} fails`);
      expect((await begun()).length).toBe(1);
      if (step === "compact") expect(JSON.stringify(await begun())).not.toContain("kim");
      failing.clear();
      const resumed = start();
      await resumed.resume();
      for (const scope of [kim, run]) {
        await using snapshot = await plain.snapshot(scope);
        expect(await snapshot.count("digestKeys", scope)).toBe(0);
        expect(await snapshot.count("keyValues", scope)).toBe(0);
      }
      await expect.poll(begun).toEqual([]);
    },
  );

  it.each<Step>(["erase kim", "erase r", "receipt"])(
    "a call that is repeated after it failed at '%s' counts what the first call found",
    async (step) => {
      const { start, failing } = await createWorld();
      const input = { ...both, idempotencyKey: "key" };
      failing.add(step);
      await expect(start().forget(input, endlessCall)).rejects.toThrow();
      failing.clear();
      const { counts } = await start().forget(input, endlessCall);
      expect(counts).toMatchObject({ memories: 1, keys: 1 });
    },
  );

  it("a repeated call waits for the compaction that the first call did not reach", async () => {
    const { start, failing, steps } = await createWorld();
    const input = { ...both, idempotencyKey: "key" };
    failing.add("compact");
    await expect(start().forget(input, endlessCall)).rejects.toThrow();
    failing.clear();
    await start().forget(input, endlessCall);
    expect(steps.at(-1)).toBe("compact");
  });

  it("pruning finishes an erasure that an error interrupted over an hour ago", async () => {
    const { start, failing, begun, pass } = await createWorld();
    const service = start();
    failing.add("erase r");
    await expect(service.forget(both, endlessCall)).rejects.toThrow();
    failing.clear();
    pass(hourMs - 1);
    expect(await service.unfinished.pruneAll(endlessCall, false)).toBe(0);
    pass(1);
    expect(await service.unfinished.pruneAll(endlessCall, true)).toBe(1);
    expect(await service.unfinished.pruneAll(endlessCall, false)).toBe(1);
    expect(await begun()).toEqual([]);
  });
});
