import { endlessCall } from "../../src/core/ports/call.js";
import { createEmbedders, type Embedder } from "../../src/core/ports/embedder.js";
import { createSkillService } from "../../src/core/skills/create-service.js";
import type { FoundSkill, StoreSkillInput } from "../../src/core/skills/service.js";
import { createSkillUses } from "../../src/core/skills/skill-uses.js";
import { createWriteGate } from "../../src/core/vectors/write-gate.js";
import { createKnownWords } from "../../src/embed/static/known-words.js";
import { readVocabulary } from "../../src/embed/static/vocabulary.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { defaultMinSimilarity, defaultTopK } from "../../src/rpc/defaults.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { systemClock } from "../../src/system/clock.js";
import { createIdSource } from "../../src/system/ids.js";
import { systemTimer } from "../../src/system/timer.js";
import { bundledModel, indexBytesMax } from "./bench-service.js";

const namespace = { userId: "bench", agentId: "bench" };

/** The skill service of a server, in this process and in RAM, with one namespace. */
export interface BenchSkills {
  store(skill: Omit<StoreSkillInput, "namespace">): Promise<void>;
  /** Retrieves skills with the defaults of RetrieveSkills. */
  retrieve(query: string): Promise<readonly FoundSkill[]>;
}

/** Creates a service. Without an embedder, it retrieves by keywords alone. */
export async function createBenchSkills(embedder: Embedder | undefined): Promise<BenchSkills> {
  const store = createInMemoryStore("bench");
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const skills = createSkillService({
    store,
    index: createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes: indexBytesMax,
      isKnownWord: createKnownWords(await readVocabulary(bundledModel)),
    }).skills,
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    clock: systemClock,
    timer: systemTimer,
    ids: createIdSource(),
    uses: createSkillUses({ store, timer: systemTimer, onFailure }),
  });
  return {
    async store(skill) {
      await skills.store({ namespace, ...skill }, endlessCall);
    },
    async retrieve(query) {
      const { skills: found } = await skills.retrieve(
        {
          namespace,
          query,
          topK: defaultTopK,
          minSimilarity: defaultMinSimilarity,
          includeEmbedding: false,
        },
        endlessCall,
      );
      return found;
    },
  };
}
