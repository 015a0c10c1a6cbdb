import { beforeEach, describe, expect, it } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { isFullSuite } from "../../suite.js";
import { call, queryOf } from "../search/search-service.js";
import {
  allEmbeddedBy,
  collectEvents,
  createDomain,
  type Domain,
  storedVectors,
  type TestModel,
  testModel,
} from "./reindex-domain.js";

const namespace = { userId: "u1", agentId: "a1" };
const neighbour = { userId: "u1", agentId: "a2" };
const texts = Array.from({ length: 200 }, (_, i) => `text number ${i}`);

let store: Store;
let old: TestModel;
let target: TestModel;
/** The services of a server whose embedder has changed from `old` to `target`. */
let domain: Domain;

beforeEach(async () => {
  store = createInMemoryStore("epoch");
  old = testModel("old@1");
  target = testModel("new@1", 12);
  const before = createDomain(store, old);
  for (const content of [...texts, "..."]) await before.memories.add({ namespace, content }, call);
  await before.memories.add({ namespace: neighbour, content: "of another agent" }, call);
  domain = createDomain(store, target, [old]);
});

/** Creates a call that `end` cancels. */
function endableCall(): Call & { end(): void } {
  const controller = new AbortController();
  return {
    ...endlessCall,
    signal: controller.signal,
    throwIfEnded: () => controller.signal.throwIfAborted(),
    end: () => controller.abort(new VademecumError("CANCELLED", "CALL_ENDED", "ended")),
  };
}

describe("reindexing a namespace", () => {
  it("Reindex gives each memory one vector of the new model, and reports progress", async () => {
    const events = await collectEvents(domain.reindexer.reindex(namespace, call));
    const { profile, byText, unused } = await storedVectors(store, namespace);
    expect(profile).toEqual({ modelId: "new@1", dimension: 12, table: "alternateVectors" });
    expect(byText).toEqual(allEmbeddedBy(target, texts));
    expect(unused).toBe(0);
    const phases = events.flatMap((event) => (event.kind === "progress" ? [event.phase] : []));
    expect([...new Set(phases)]).toEqual(["EMBEDDING", "REMOVING", "DONE"]);
    const done = events.flatMap((event) =>
      event.kind === "progress" && event.phase === "EMBEDDING" ? [event.memoriesDone] : [],
    );
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(events.at(-2)).toEqual({
      kind: "progress",
      namespace,
      collection: "memories",
      phase: "DONE",
      memoriesDone: 201,
      memoriesTotal: 201,
    });
    expect(events.at(-1)).toEqual({
      kind: "summary",
      modelId: "new@1",
      namespacesChanged: 1,
      namespacesUnchanged: 0,
      memoriesEmbedded: 201,
      memoriesRefused: 0,
      firstRefused: [],
    });
    expect((await storedVectors(store, neighbour)).profile).toMatchObject({ modelId: "old@1" });
  });

  it("Reindex can be repeated, and fills the two vector tables in turn", async () => {
    for (const table of ["alternateVectors", "vectors", "alternateVectors"]) {
      await collectEvents(domain.reindexer.reindex(namespace, call));
      const { profile, byText, unused } = await storedVectors(store, namespace);
      expect(profile?.table).toBe(table);
      expect({ byText, unused }).toEqual({ byText: allEmbeddedBy(target, texts), unused: 0 });
    }
  });

  it("searches before, during and after Reindex use vectors, and never fall back to keywords alone", async () => {
    const found: string[] = [];
    const search = async () => {
      const { hits, summary } = await domain.memories.search(queryOf("text number 7"), call);
      const [best] = hits;
      found.push(
        `${best?.memory.content} ${best?.scores.vector.toFixed(3)} ${summary.keywordsOnlyReason}`,
      );
    };
    await search();
    for await (const _ of domain.reindexer.reindex(namespace, call)) await search();
    await search();
    expect(new Set(found)).toEqual(new Set(["text number 7 1.000 undefined"]));
    expect(found.length).toBeGreaterThan(4);
  });

  it("a search during Reindex embeds its query at most once with each model", async () => {
    const asked = (question = "a question") =>
      [old, target].map(({ embedded }) => embedded.filter((text) => text === question).length);
    await domain.memories.search(queryOf("a question"), call);
    expect(asked()).toEqual([1, 0]);
    const askedDuring: string[] = [];
    for await (const _ of domain.reindexer.reindex(namespace, call)) {
      const question = `question ${askedDuring.length}`;
      await domain.memories.search(queryOf(question), call);
      askedDuring.push(asked(question).join());
    }
    // The first search after the exchange of the vectors tries the old model before the new one.
    expect([...new Set(askedDuring)]).toEqual(["1,0", "1,1", "0,1"]);
    await domain.memories.search(queryOf("a question"), call);
    await domain.memories.search(queryOf("a question"), call);
    expect(asked()[1]).toBe(2);
    await domain.memories.search(
      queryOf("a question", { namespace: { userId: "nobody", agentId: "x" } }),
      call,
    );
    expect(asked()[1]).toBe(2);
  });

  it("Reindex embeds a memory that is added while Reindex embeds the last texts", async () => {
    let added: Promise<unknown> | undefined;
    target.beforeEmbedding((given) => {
      if (given.includes("text number 199"))
        added ??= domain.memories.add({ namespace, content: "late" }, call);
    });
    await collectEvents(domain.reindexer.reindex(namespace, call));
    await added;
    expect((await storedVectors(store, namespace)).byText).toEqual(
      allEmbeddedBy(target, [...texts, "late"]),
    );
  });

  it("Reindex releases waiting writers when the embedder hangs, and finishes once the embedder answers", async () => {
    domain = createDomain(store, target, [old], 250);
    let hangs = 0;
    let waited: Promise<unknown> | undefined;
    target.beforeEmbedding(async (given, signal) => {
      if (given.includes("text number 199"))
        await domain.memories.add({ namespace, content: "late" }, call);
      if (!given.includes("late") || ++hangs > 1) return;
      waited = domain.memories.add({ namespace, content: "while it hangs" }, call);
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("given up"))),
      );
    });
    await collectEvents(domain.reindexer.reindex(namespace, call));
    await waited;
    expect(hangs).toBe(2);
    expect((await storedVectors(store, namespace)).byText).toEqual(
      allEmbeddedBy(target, [...texts, "late", "while it hangs"]),
    );
  });

  it("Reindex starts over when the namespace is reset", async () => {
    let reset = false;
    target.beforeEmbedding(async () => {
      if (reset) return;
      reset = true;
      await domain.memories.reset({ target: namespace }, call);
      await domain.memories.add({ namespace, content: "a new beginning" }, call);
    });
    await collectEvents(domain.reindexer.reindex(namespace, call));
    expect(await storedVectors(store, namespace)).toMatchObject({
      profile: { modelId: "new@1" },
      byText: allEmbeddedBy(target, ["a new beginning"]),
      unused: 0,
    });
  });

  it.runIf(isFullSuite)(
    "Reindex fails and leaves the old vectors in use when the change log no longer has all changes since Reindex began",
    async () => {
      target.beforeEmbedding(async () => {
        for (let i = 0; i < 5000; i++)
          await store.update({ kind: "user", userId: "u1" }, async (tx) =>
            tx.put("timeline", neighbour, `t${i}`, null),
          );
      });
      await expect(collectEvents(domain.reindexer.reindex(namespace, call))).rejects.toMatchObject({
        code: "ABORTED",
        reason: "REINDEX_OVERTAKEN",
      });
      expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(old, texts));
    },
  );

  it("a cancelled Reindex leaves the old vectors in use, and the next call does all the work", async () => {
    const ending = endableCall();
    let batches = 0;
    target.beforeEmbedding(() => {
      if (++batches === 3) ending.end();
    });
    await expect(collectEvents(domain.reindexer.reindex(namespace, ending))).rejects.toMatchObject({
      reason: "CALL_ENDED",
    });
    const left = await storedVectors(store, namespace);
    expect(left).toMatchObject({
      profile: { modelId: "old@1" },
      byText: allEmbeddedBy(old, texts),
    });
    expect(left.unused).toBeGreaterThan(0);
    const events = await collectEvents(domain.reindexer.reindex(namespace, call));
    expect(events[0]).toMatchObject({ phase: "CLEARING" });
    expect(await storedVectors(store, namespace)).toMatchObject({
      byText: allEmbeddedBy(target, texts),
      unused: 0,
    });
  });

  it("Reindex reports a memory whose text the embedder refuses, and leaves it without a vector", async () => {
    const poison = ["text number 7", "text number 100", "text number 199"];
    target.beforeEmbedding((given) => {
      if (given.some((text) => poison.includes(text)))
        throw new VademecumError("FAILED_PRECONDITION", "EMBEDDER_REFUSED_TEXT", "no");
    });
    const events = await collectEvents(domain.reindexer.reindex("all", call));
    expect(events.at(-1)).toMatchObject({
      namespacesChanged: 2,
      memoriesEmbedded: 199,
      memoriesRefused: 3,
      firstRefused: [{ namespace }, { namespace }, { namespace }],
    });
    const taken = texts.filter((text) => !poison.includes(text));
    expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(target, taken));
    expect((await storedVectors(store, neighbour)).profile).toMatchObject({ modelId: "new@1" });
    const { hits } = await domain.memories.search(queryOf("number 100"), call);
    const named = events.at(-1);
    expect(named?.kind === "summary" ? named.firstRefused[1]?.id : "").toBe(hits[0]?.memory.id);
  });

  it("Reindex releases the writers when the embedder fails on the last batch", async () => {
    target.beforeEmbedding((given) => {
      if (given.includes("text number 199"))
        throw new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "down");
    });
    await expect(collectEvents(domain.reindexer.reindex(namespace, call))).rejects.toMatchObject({
      reason: "EMBEDDER_UNAVAILABLE",
    });
    await domain.memories.add({ namespace, content: "afterwards" }, call);
    expect((await storedVectors(store, namespace)).byText).toEqual(
      allEmbeddedBy(old, [...texts, "afterwards"]),
    );
  });

  it("Reindex is refused while another Reindex runs, and allowed once the other one is cancelled", async () => {
    const first = domain.reindexer.reindex(namespace, call)[Symbol.asyncIterator]();
    await first.next();
    await expect(collectEvents(domain.reindexer.reindex(namespace, call))).rejects.toMatchObject({
      code: "ABORTED",
      reason: "REINDEX_RUNNING",
    });
    await first.return?.();
    await collectEvents(domain.reindexer.reindex(namespace, call));
    expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(target, texts));
  });

  it("Reindex ends when the server stops", async () => {
    const events = domain.reindexer.reindex(namespace, call)[Symbol.asyncIterator]();
    await events.next();
    domain.reindexer.stop();
    await expect(events.next()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      reason: "SERVER_STOPPING",
    });
    expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(old, texts));
  });

  it("Reindex writes nothing for an empty namespace, and counts it as unchanged", async () => {
    const events = await collectEvents(
      domain.reindexer.reindex({ userId: "nobody", agentId: "x" }, call),
    );
    expect(events).toMatchObject([
      { kind: "summary", namespacesChanged: 0, namespacesUnchanged: 1, memoriesEmbedded: 0 },
    ]);
    expect((await store.snapshot({ kind: "user", userId: "nobody" })).head.seq).toBe(0);
  });

  it("Reindex fails on a server without an embedder", async () => {
    await expect(
      collectEvents(createDomain(store, undefined).reindexer.reindex(namespace, call)),
    ).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "NO_EMBEDDER",
    });
  });
});

describe("reindexing all namespaces", () => {
  it("Reindex of all namespaces renews old vectors, adds missing ones, and keeps vectors of callers", async () => {
    const theirs = { userId: "u2", agentId: "caller" };
    const bare = { userId: "u3", agentId: "bare" };
    await domain.memories.add(
      { namespace: theirs, content: "mine", embedding: Float32Array.of(1, 0) },
      call,
    );
    await createDomain(store, undefined).memories.add(
      { namespace: bare, content: "by keywords" },
      call,
    );
    const events = await collectEvents(domain.reindexer.reindex("all", call));
    expect(events.at(-1)).toMatchObject({
      namespacesChanged: 3,
      namespacesUnchanged: 1,
      memoriesEmbedded: 203,
    });
    expect((await storedVectors(store, neighbour)).byText).toEqual(
      allEmbeddedBy(target, ["of another agent"]),
    );
    expect((await storedVectors(store, bare)).byText).toEqual(
      allEmbeddedBy(target, ["by keywords"]),
    );
    expect((await storedVectors(store, theirs)).profile).toMatchObject({ modelId: "caller" });
    await collectEvents(domain.reindexer.reindex(theirs, call));
    expect(await storedVectors(store, theirs)).toMatchObject({
      profile: { modelId: "new@1" },
      byText: allEmbeddedBy(target, ["mine"]),
    });
  });

  it("Reindex of all namespaces removes vectors that an interrupted Reindex left, without embedding again", async () => {
    const cut = { userId: "u4", agentId: "cut" };
    await domain.memories.add({ namespace: cut, content: "whole" }, call);
    await store.update({ kind: "user", userId: "u4" }, async (tx) => {
      for (let n = 0; n < 300; n++)
        tx.put("alternateVectors", cut, `left ${n}`, Float32Array.of(1));
    });
    const events = await collectEvents(domain.reindexer.reindex("all", call));
    expect(events.at(-1)).toMatchObject({ namespacesChanged: 2, namespacesUnchanged: 1 });
    expect(await storedVectors(store, cut)).toMatchObject({
      byText: allEmbeddedBy(target, ["whole"]),
      unused: 0,
    });
    expect(target.embedded.filter((text) => text === "whole")).toHaveLength(1);
  });
});

describe("a namespace whose model the server does not have", () => {
  it("a namespace whose model the server lacks is searched by keywords until Reindex embeds it again", async () => {
    const { memories, reindexer } = createDomain(store, target);
    const before = await memories.search(queryOf("text number 7"), call);
    expect(before.hits[0]?.memory.content).toBe("text number 7");
    expect(before.summary.keywordsOnlyReason).toMatch(
      /made by old@1, which this server does not have.*`vademecum reindex`/,
    );
    const bare = await createDomain(store, undefined).memories.search(
      queryOf("text number 7"),
      call,
    );
    expect(bare.summary.keywordsOnlyReason).toMatch(
      /or with another embedder and run `vademecum reindex`$/,
    );
    await memories.add({ namespace, content: "added meanwhile" }, call);
    expect(target.embedded).toEqual([]);
    expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(old, texts));
    await collectEvents(reindexer.reindex("all", call));
    const after = await memories.search(queryOf("text number 7"), call);
    expect(after.summary.keywordsOnlyReason).toBeUndefined();
    expect(after.hits[0]?.scores.vector).toBeCloseTo(1);
    expect((await storedVectors(store, namespace)).byText).toEqual(
      allEmbeddedBy(target, [...texts, "added meanwhile"]),
    );
  });
});
