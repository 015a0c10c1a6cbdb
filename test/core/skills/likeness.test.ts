import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import { createSkillService } from "../../../src/core/skills/create-service.js";
import type { SkillService } from "../../../src/core/skills/service.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { defaultMinSimilarity, defaultTopK } from "../../../src/rpc/defaults.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { call } from "../search/search-service.js";

interface SkillTexts {
  /** The context and the lesson of each skill, by the id of the skill. */
  readonly skills: Readonly<Record<string, readonly [string, string]>>;
  /** Reworded situations, each with the id of the skill that a query for it should find. */
  readonly paraphrases: readonly (readonly [string, string])[];
  /** One or two words of a skill, which describe no situation. */
  readonly tooShort: readonly string[];
  /** Situations without a skill. */
  readonly foreign: readonly string[];
}

const namespace = { userId: "u1", agentId: "a1" };
const folder = join(import.meta.dirname, "../../..");
const texts = JSON.parse(
  readFileSync(join(import.meta.dirname, "paraphrases.json"), "utf8"),
) as SkillTexts;

let bundled: Embedder;
beforeAll(async () => {
  bundled = await openStaticEmbedder({ folder: join(folder, "models", "static-256") });
});

/** Creates a service with all skills of `texts`. */
async function createService(embedder: Embedder | undefined): Promise<SkillService> {
  const store = createInMemoryStore("epoch");
  const timer = createManualTimer();
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const service = createSkillService({
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }).skills,
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    timer,
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    ids: { next: () => "unused" },
    uses: createSkillUses({ store, timer, onFailure }),
  });
  for (const [id, [context, lesson]] of Object.entries(texts.skills))
    await service.store({ namespace, id, context, lesson }, call);
  return service;
}

/** Returns the ids and similarities of the skills that a query finds by default. */
async function retrieve(
  service: SkillService,
  query: string,
  minSimilarity = defaultMinSimilarity,
) {
  const { skills } = await service.retrieve(
    { namespace, query, topK: defaultTopK, minSimilarity, includeEmbedding: false },
    call,
  );
  return skills.map(({ skill, similarity }) => ({ id: skill.id, similarity }));
}

describe("skills by keywords and vectors", () => {
  test("at least 80 % of reworded situations find their skill by default", async () => {
    const service = await createService(bundled);
    const missed: string[] = [];
    for (const [situation, id] of texts.paraphrases) {
      const found = await retrieve(service, situation);
      if (!found.some((skill) => skill.id === id)) missed.push(situation);
    }
    expect(texts.paraphrases).toHaveLength(24);
    expect(missed.length, missed.join("; ")).toBeLessThanOrEqual(0.2 * 24);
  });

  test("a query of one or two words of a skill finds nothing by default", async () => {
    const service = await createService(bundled);
    for (const words of texts.tooShort)
      expect([words, await retrieve(service, words)]).toEqual([words, []]);
  });

  test("at most one in ten unrelated situations finds a skill by default", async () => {
    const service = await createService(bundled);
    const found: string[] = [];
    for (const situation of texts.foreign)
      if ((await retrieve(service, situation)).length > 0) found.push(situation);
    expect(found.length, found.join("; ")).toBeLessThanOrEqual(0.1 * texts.foreign.length);
  });

  test("a query with the whole text of a skill finds the skill with a similarity of 1", async () => {
    const service = await createService(bundled);
    const [context, lesson] = texts.skills["login"] ?? [];
    const [first] = await retrieve(service, `${context} ${lesson}`);
    expect(first).toMatchObject({ id: "login" });
    expect(first?.similarity).toBeCloseTo(1, 6);
  });
});

test("without vectors, a situation still finds the skill with which it shares words", async () => {
  const service = await createService(undefined);
  const found = await retrieve(service, "API returns too many requests");
  expect(found.map(({ id }) => id)).toEqual(["rate-limit"]);
  expect(await retrieve(service, "OCR")).toEqual([]);
});
