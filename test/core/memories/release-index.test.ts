import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { expiredMemories } from "../../../src/core/memories/prune-expired.js";
import type { Namespace } from "../../../src/core/model/namespace.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { SearchIndex } from "../../../src/core/ports/search-index.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createSkillService } from "../../../src/core/skills/create-service.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { call } from "../search/search-service.js";

const namespace = { userId: "ann", agentId: "one" };
const hourMs = 3_600_000;

/** Creates services. `released` names each index that they released: `memories` or `skills`. */
async function createServices() {
  const store = createInMemoryStore();
  const released: string[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  const watch = (name: "memories" | "skills", watched: SearchIndex): SearchIndex => ({
    profileOf: (of) => watched.profileOf(of),
    read: (of, signal, read, wanted) => watched.read(of, signal, read, wanted),
    readLoaded: (of, signal, read) => watched.readLoaded(of, signal, read),
    async release(freed: Namespace) {
      expect(freed).toEqual(namespace);
      released.push(name);
    },
  });
  const timer = createManualTimer();
  const common = {
    store,
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    timer,
    clock: { nowMs: () => nowMs },
    ids: createIdSource(),
  };
  const uses = createSkillUses({
    store,
    timer,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const memoryParts = {
    ...common,
    index: watch("memories", index),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    allowReset: true,
  };
  const skillParts = { ...common, index: watch("skills", index.skills), uses };
  return {
    memories: createMemoryService(memoryParts),
    expired: expiredMemories(memoryParts),
    skills: createSkillService(skillParts),
    released,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

it("any call that deletes the last memory of a namespace releases the index of its memories", async () => {
  const { memories, expired, released, pass } = await createServices();
  const add = async () => (await memories.add({ namespace, content: "x", tags: ["t"] }, call)).id;
  const first = await add();
  const second = await add();
  await memories.delete({ namespace, id: first }, call);
  await memories.delete({ namespace, id: "missing" }, call);
  expect(released).toEqual([]);
  await memories.delete({ namespace, id: second }, call);
  expect(released).toEqual(["memories"]);
  await add();
  await memories.deleteWhere({ namespace, filter: { tagsAny: ["t"] }, dryRun: true }, call);
  expect(released).toHaveLength(1);
  await memories.deleteWhere({ namespace, filter: { tagsAny: ["t"] }, dryRun: false }, call);
  expect(released).toHaveLength(2);
  await add();
  await memories.reset({ target: namespace }, call);
  expect(released).toHaveLength(3);
  await add();
  await memories.reset({ target: "everything" }, call);
  expect(released).toHaveLength(4);
  const expireTime = { seconds: Date.UTC(2026, 0, 1) / 1000 + 60, nanos: 0 };
  await memories.add({ namespace, content: "x", expireTime }, call);
  pass(hourMs);
  await expired.pruneAll(call, false);
  expect(released).toHaveLength(5);
});

it("any call that deletes the last skill of a namespace releases the index of its skills", async () => {
  const { skills, released, pass } = await createServices();
  const store = () => skills.store({ namespace, context: "c", lesson: "l", id: "s" }, call);
  await store();
  await skills.delete({ namespace, id: "s" }, call);
  expect(released).toEqual(["skills"]);
  await store();
  pass(365 * 24 * hourMs);
  expect(await skills.pruneStale({ namespace, dryRun: false }, call)).toHaveLength(1);
  expect(released).toEqual(["skills", "skills"]);
});
