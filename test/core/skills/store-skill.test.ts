import { describe, expect, it } from "vitest";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createSkillService } from "../../../src/core/skills/create-service.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { testModel } from "../reindex/reindex-domain.js";
import { call } from "../search/search-service.js";

const namespace = { userId: "u1", agentId: "a1" };
const skill = { namespace, context: "the build fails", lesson: "clear the cache" };

function createService(store: Store, embedder: Embedder) {
  let made = 0;
  const timer = createManualTimer();
  const fail = (error: unknown): never => {
    throw error;
  };
  return createSkillService({
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }).skills,
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    timer,
    clock: { nowMs: () => Date.UTC(2026, 0, 1) + made },
    ids: { next: () => `s${++made}` },
    uses: createSkillUses({ store, timer, onFailure: fail }),
  });
}

describe("storing a skill", () => {
  it("storing a skill reuses the vector of an equal text in the namespace", async () => {
    const store = createInMemoryStore("epoch");
    const model = testModel("model@1");
    const service = createService(store, model);
    await service.store(skill, call);
    await service.store(skill, call);
    await service.store({ ...skill, id: "mine" }, call);
    await service.store({ ...skill, id: "mine", toolName: "make" }, call);
    await createService(store, model).store({ ...skill, id: "later" }, call);
    expect(model.embedded).toEqual(["the build fails clear the cache"]);
    const { skills } = await service.list(
      { namespace, limit: 10, pageToken: "", includeEmbedding: true },
      call,
    );
    expect(skills).toHaveLength(4);
    for (const { embedding } of skills)
      expect(embedding?.vector).toEqual(model.vectorOf("the build fails clear the cache"));
  });

  it("storing a skill embeds a text again when no skill has the text any more", async () => {
    const model = testModel("model@1");
    const service = createService(createInMemoryStore("epoch"), model);
    await service.store({ ...skill, id: "mine" }, call);
    await service.store({ ...skill, id: "mine", lesson: "wait" }, call);
    await service.store(skill, call);
    expect(model.embedded).toEqual([
      "the build fails clear the cache",
      "the build fails wait",
      "the build fails clear the cache",
    ]);
  });

  it("storing a skill takes no vector from a skill whose text changes during the call", async () => {
    const model = testModel("model@1");
    const service = createService(createInMemoryStore("epoch"), model);
    await service.store({ ...skill, id: "first" }, call);
    await Promise.all([
      service.store({ ...skill, id: "first", lesson: "wait" }, call),
      service.store({ ...skill, id: "second" }, call),
    ]);
    const { skills } = await service.list(
      { namespace, limit: 10, pageToken: "", includeEmbedding: true },
      call,
    );
    for (const { skill: found, embedding } of skills) {
      expect(embedding?.vector).toEqual(model.vectorOf(`${found.context} ${found.lesson}`));
    }
  });
});
