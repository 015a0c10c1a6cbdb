import { expect, it } from "vitest";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { NamespaceIndex, SearchIndex } from "../../../src/core/ports/search-index.js";
import { createSkillService } from "../../../src/core/skills/create-service.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { memoryOf } from "../memory-fixture.js";
import { call } from "../search/search-service.js";

const namespace = { userId: "u1", agentId: "a1" };

/** More skills than the number of arguments that a JavaScript function accepts. */
const skillCount = 200_000;

/** Returns an index that has the skill `s1` in each of `skillCount` rows. */
function holdingManySkills(index: NamespaceIndex): NamespaceIndex {
  const many: Pick<NamespaceIndex, "candidates" | "at"> = {
    candidates: ({ text }) => {
      const count = text === "" ? skillCount : 0;
      const scores = new Float32Array(count);
      const rows = new Int32Array(count);
      return {
        tier: "exact",
        count,
        rows,
        keyword: scores,
        vector: scores,
        sameVector: [],
        thread: scores,
      };
    },
    at: () => ({ memory: memoryOf({ id: "s1" }), wordSignature: undefined }),
  };
  return new Proxy(index, {
    get: (target, name): unknown =>
      Reflect.has(many, name) ? Reflect.get(many, name) : Reflect.get(target, name, target),
  });
}

it("RetrieveSkills with a minimum similarity of 0 succeeds in a namespace of 200,000 skills", async () => {
  const store = createInMemoryStore("epoch");
  const timer = createManualTimer();
  const { skills: index } = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  const holdingMany: SearchIndex = {
    profileOf: (owner) => index.profileOf(owner),
    release: (owner) => index.release(owner),
    readLoaded: (owner, signal, read) => index.readLoaded(owner, signal, read),
    read: (owner, signal, read) =>
      index.read(owner, signal, (opened) => read(holdingManySkills(opened), undefined)),
  };
  const skills = createSkillService({
    store,
    index: holdingMany,
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    timer,
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    ids: { next: () => "s1" },
    uses: createSkillUses({ store, timer, onFailure: () => undefined }),
  });
  await skills.store({ namespace, context: "the build fails", lesson: "clear the cache" }, call);
  const query = { namespace, query: "ferry", topK: 3, minSimilarity: 0, includeEmbedding: false };
  const { skills: found } = await skills.retrieve(query, call);
  expect(found.map(({ skill }) => skill.id)).toEqual(["s1", "s1", "s1"]);
});
