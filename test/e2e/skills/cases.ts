import { expect, type TestAPI } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { ListFields, SkillClient } from "../harness/skill-client.js";

/** Creates the client of a new namespace; with `agentId`, of another agent of the same user. */
export type OpenSkills = (agentId?: string) => SkillClient;

const weather = [
  "The weather API answers 401",
  "Send the key in the x-api-key header, a query parameter is ignored",
] as const;
const pdf = [
  "Reading a scanned PDF gives no text",
  "Run OCR first, then extract the pages",
] as const;
const csv = [
  "A CSV export from Excel has strange letters",
  "Open it as Windows-1252, not as UTF-8",
] as const;

/** Cases of skills, for every store and protocol. */
export function skillCases(it: TestAPI, openSkills: OpenSkills): void {
  storingCases(it, openSkills);
  movingCases(it, openSkills);
  retrievingCases(it, openSkills);
  listingCases(it, openSkills);
  countingCases(it, openSkills);
  repeatingCases(it, openSkills);
}

function storingCases(it: TestAPI, openSkills: OpenSkills): void {
  it("a new skill has counts of 0 and its creation time as last_used_time", async () => {
    const skills = openSkills();
    const { skill, created } = await skills.store(...weather, { toolName: "http_get" });
    expect(created).toBe(true);
    expect(skill).toMatchObject({
      namespace: skills.namespace,
      context: weather[0],
      lesson: weather[1],
      toolName: "http_get",
      successCount: 0n,
      failureCount: 0n,
      embedding: [],
      embeddingModel: "",
    });
    expect(skill?.lastUsedTime).toEqual(skill?.createTime);
    expect(await skills.list()).toEqual([skill]);
  });

  it("a skill keeps its texts exactly, and the id that a caller gave", async () => {
    const skills = openSkills();
    const odd = "Ünïcödé 🧠 e\u0301 \0 $& \\1 line\r\nline";
    const { skill } = await skills.store(odd, odd, { id: odd, toolName: odd });
    expect(skill).toMatchObject({ id: odd, context: odd, lesson: odd, toolName: odd });
    expect(await skills.list()).toEqual([skill]);
    expect(await skills.delete(odd)).toBe(true);
  });

  it("StoreSkill with an existing id replaces the texts, and keeps the counts and times", async () => {
    const skills = openSkills();
    const first = await skills.skill(...weather, { id: "s", toolName: "http_get" });
    await skills.count("s", { increment: 3 });
    const { skill, created } = await skills.store(...pdf, { id: "s" });
    expect(created).toBe(false);
    expect(skill).toMatchObject({
      id: "s",
      context: pdf[0],
      lesson: pdf[1],
      successCount: 3n,
      createTime: first.createTime,
    });
    expect(skill?.toolName).toBeUndefined();
    expect(await skills.list()).toEqual([skill]);
    expect(await skills.lessons(weather.join(" "))).toEqual([]);
    expect(await skills.lessons(pdf.join(" "))).toEqual([pdf[1]]);
  });

  it("StoreSkill with an existing id returns the latest last_used_time, even that of a retrieval just before", async () => {
    const skills = openSkills();
    await skills.store(...weather, { id: "s" });
    const [found] = (await skills.retrieve(weather.join(" "))).skills;
    expect((await skills.skill(...pdf, { id: "s" })).lastUsedTime).toEqual(
      found?.skill?.lastUsedTime,
    );
  });

  it("a skill without a context, without a lesson or with too long a lesson is refused, and nothing is stored", async () => {
    const skills = openSkills();
    expect(await failureOf(skills.store("", "lesson"))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["context"],
    });
    expect(await failureOf(skills.store("context", ""))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["lesson"],
    });
    const tooLong = "x".repeat(32_769);
    expect(await failureOf(skills.store("context", tooLong))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["lesson"],
    });
    expect(await skills.list()).toEqual([]);
  });
}

function movingCases(it: TestAPI, openSkills: OpenSkills): void {
  const at = (seconds: bigint) => ({ seconds, nanos: 0 });

  it("a skill from another store keeps its counts and times", async () => {
    const skills = openSkills();
    const fields = {
      ...{ id: "s", successCount: 7n, failureCount: 2n },
      ...{ createTime: at(1_700_000_000n), lastUsedTime: at(1_750_000_000n) },
    };
    await skills.store(...csv, { id: "newer" });
    expect(await skills.skill(...weather, fields)).toMatchObject(fields);
    expect((await skills.list()).map(({ id }) => id)).toEqual(["newer", "s"]);
    const replaced = await skills.skill(...pdf, { id: "s", successCount: 8n });
    expect(replaced).toMatchObject({ ...fields, successCount: 8n });
    const future = at(BigInt(Math.floor(Date.now() / 1000) + 1000));
    for (const [name, wrong] of [
      ["create_time", { createTime: future }],
      ["last_used_time", { lastUsedTime: future }],
      ["last_used_time", { createTime: at(20n), lastUsedTime: at(10n) }],
    ] as const) {
      expect(await failureOf(skills.store(...csv, wrong))).toMatchObject({
        code: "INVALID_ARGUMENT",
        fields: [name],
      });
    }
    await skills.store(...pdf, { id: "s", createTime: at(1_600_000_000n) });
    expect(await skills.list()).toHaveLength(2);
    await skills.delete("s");
    expect((await skills.list()).map(({ id }) => id)).toEqual(["newer"]);
  });

  it("GetSkill returns one skill, and counts as no use of it", async () => {
    const skills = openSkills();
    const { namespace, service } = skills;
    const stored = await skills.skill(...weather, { id: "s" });
    const { skill } = await service.getSkill({ namespace, id: "s" });
    expect(skill).toEqual(stored);
    const embedded = await service.getSkill({ namespace, id: "s", includeEmbedding: true });
    expect(embedded.skill?.embedding.length).toBeGreaterThan(0);
    expect(await failureOf(service.getSkill({ namespace, id: "x" }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "SKILL_NOT_FOUND",
    });
  });

  it("skills are listed by tool, success and last use", async () => {
    const skills = openSkills();
    await skills.store(...weather, { id: "a", toolName: "http", successCount: 2n });
    const old = { createTime: at(1_600_000_000n) };
    await skills.store(...pdf, { id: "b", toolName: "ocr", ...old });
    await skills.store(...csv, { id: "c" });
    const idsOf = async (filter: NonNullable<ListFields["filter"]>) =>
      (await skills.list({ filter, limit: 1 })).map(({ id }) => id);
    expect(await idsOf({})).toEqual(["c", "a", "b"]);
    expect(await idsOf({ toolName: "ocr" })).toEqual(["b"]);
    expect(await idsOf({ minSuccessCount: 2n })).toEqual(["a"]);
    expect(await idsOf({ lastUsedBefore: at(1_600_000_001n) })).toEqual(["b"]);
    expect(await idsOf({ toolName: "http", minSuccessCount: 3n })).toEqual([]);
  });
}

function retrievingCases(it: TestAPI, openSkills: OpenSkills): void {
  it("RetrieveSkills returns skills similar to the situation, best first, and none below the threshold", async () => {
    const skills = openSkills();
    for (const [context, lesson] of [weather, pdf, csv]) await skills.store(context, lesson);
    const { skills: found } = await skills.retrieve(
      "the weather API answers 401, where does the key go?",
    );
    expect(found.map(({ skill }) => skill?.lesson)).toEqual([weather[1]]);
    expect(found[0]?.similarity).toBeGreaterThanOrEqual(0.7);
    const { skills: all } = await skills.retrieve("scanned PDF without text", { minSimilarity: 0 });
    expect(all[0]?.skill?.lesson).toBe(pdf[1]);
    expect(all).toHaveLength(3);
    const similarities = all.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(await skills.lessons("a birthday cake for my daughter")).toEqual([]);
  });

  it("top_k is 5 by default, and equally similar skills come newest first", async () => {
    const skills = openSkills();
    for (let i = 0; i < 7; i++) await skills.store(...weather, { id: `s${i}` });
    const idsOf = async (fields = {}) =>
      (await skills.retrieve(weather.join(" "), fields)).skills.map(({ skill }) => skill?.id);
    const newestFirst = (await skills.list()).map(({ id }) => id);
    expect(await idsOf()).toEqual(newestFirst.slice(0, 5));
    expect(await idsOf({ topK: 2 })).toEqual(newestFirst.slice(0, 2));
    expect(await idsOf({ topK: 1000 })).toEqual(newestFirst);
  });

  it("tool_name restricts the result to skills about that tool", async () => {
    const skills = openSkills();
    await skills.store(...weather, { id: "none" });
    await skills.store(...weather, { id: "get", toolName: "http_get" });
    await skills.store(...weather, { id: "post", toolName: "http_post" });
    const { skills: found } = await skills.retrieve(weather[0], { toolName: "http_get" });
    expect(found.map(({ skill }) => skill?.id)).toEqual(["get"]);
    expect(await skills.lessons(weather[0], { toolName: "HTTP_GET" })).toEqual([]);
    expect(
      await skills.lessons("nothing of it", { toolName: "http_get", minSimilarity: 0 }),
    ).toHaveLength(1);
  });

  it("RetrieveSkills updates last_used_time of the returned skills, and changes no count", async () => {
    const skills = openSkills();
    const used = await skills.skill(...weather);
    const other = await skills.skill(...pdf);
    const [found] = (await skills.retrieve(weather.join(" "))).skills;
    const listed = await skills.read(used.id);
    expect(listed?.lastUsedTime).toEqual(found?.skill?.lastUsedTime);
    const msOf = (time: { seconds: bigint; nanos: number } | undefined) =>
      Number(time?.seconds) * 1000 + Number(time?.nanos) / 1e6;
    expect(msOf(listed?.lastUsedTime)).toBeGreaterThanOrEqual(msOf(used.lastUsedTime));
    expect(listed).toMatchObject({
      successCount: 0n,
      failureCount: 0n,
      createTime: used.createTime,
    });
    expect(await skills.read(other.id)).toEqual(other);
  });

  it("embeddings are returned only on request, with their model", async () => {
    const skills = openSkills();
    await skills.store(...weather);
    const [plain] = (await skills.retrieve(weather[0])).skills;
    expect(plain?.skill).toMatchObject({ embedding: [], embeddingModel: "" });
    const [full] = (await skills.retrieve(weather[0], { includeEmbedding: true })).skills;
    const [listed] = await skills.list({ includeEmbedding: true });
    expect(full?.skill?.embedding).toHaveLength(256);
    expect(listed).toMatchObject({
      embedding: full?.skill?.embedding,
      embeddingModel: "static-256@1",
    });
  });

  it("a namespace holds either callers' vectors or the server's vectors", async () => {
    const skills = openSkills();
    await skills.store("turn left", "at the church", { embedding: [1, 0, 0] });
    await skills.store("turn right", "at the mill", { embedding: [0, 1, 0] });
    const { skills: found } = await skills.retrieve("?", { queryEmbedding: [0.1, 1, 0] });
    expect(found.map(({ skill }) => skill?.lesson)).toEqual(["at the mill"]);
    const wrong = { code: "INVALID_ARGUMENT", reason: "EMBEDDING_DIMENSION_MISMATCH" };
    expect(await failureOf(skills.store("a", "b", { embedding: [1, 0] }))).toMatchObject({
      ...wrong,
      fields: ["embedding"],
    });
    expect(await failureOf(skills.retrieve("a", { queryEmbedding: [1, 0] }))).toMatchObject({
      ...wrong,
      fields: ["query_embedding"],
    });
    const made = openSkills();
    await made.store(...weather);
    const failure = await failureOf(made.store(...pdf, { embedding: [1, 0, 0] }));
    expect(failure).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "EMBEDDING_MODEL_MISMATCH",
      fields: ["embedding"],
    });
    expect(await made.list()).toHaveLength(1);
  });
}

function listingCases(it: TestAPI, openSkills: OpenSkills): void {
  it("ListSkills returns all skills, newest first, page by page", async () => {
    const skills = openSkills();
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.push((await skills.skill(`context ${i}`, "lesson")).id);
    const { skills: page, nextPageToken } = await skills.service.listSkills({
      namespace: skills.namespace,
    });
    expect(page.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10));
    expect(nextPageToken).not.toBe("");
    expect((await skills.list({ limit: 3 })).map(({ id }) => id)).toEqual(ids.toReversed());
    const other = openSkills("another agent");
    const failure = await failureOf(
      other.service.listSkills({ namespace: other.namespace, pageToken: nextPageToken }),
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_PAGE_TOKEN" });
  });

  it("DeleteSkill deletes the skill, and reports whether the skill existed", async () => {
    const skills = openSkills();
    const { id } = await skills.skill(...weather);
    expect(await openSkills("another agent").delete(id)).toBe(false);
    expect(await skills.delete(id)).toBe(true);
    expect(await skills.delete(id)).toBe(false);
    expect(await skills.lessons(weather.join(" "))).toEqual([]);
    expect(await skills.list()).toEqual([]);
  });
}

function countingCases(it: TestAPI, openSkills: OpenSkills): void {
  it("UpdateSuccessCount adds 1 or the given number, and returns false for an unknown id", async () => {
    const skills = openSkills();
    const { id } = await skills.skill(...weather);
    expect(await skills.count(id)).toMatchObject({
      updated: true,
      successCount: 1n,
      failureCount: 0n,
    });
    expect(await skills.count(id, { increment: 5 })).toMatchObject({
      updated: true,
      successCount: 6n,
    });
    expect(await skills.count(id, { increment: 0 })).toMatchObject({
      updated: true,
      successCount: 6n,
    });
    expect(await skills.count(id, { failureIncrement: 2 })).toMatchObject({
      successCount: 6n,
      failureCount: 2n,
    });
    expect(await skills.count(id, { increment: 1, failureIncrement: 1 })).toMatchObject({
      successCount: 7n,
      failureCount: 3n,
    });
    expect(await skills.read(id)).toMatchObject({ successCount: 7n, failureCount: 3n });
    const nothing = { updated: false, successCount: 0n, failureCount: 0n };
    expect(await skills.count("no such id")).toMatchObject(nothing);
    expect(await openSkills("another agent").count(id)).toMatchObject(nothing);
    expect(await failureOf(skills.count(id, { increment: -1 }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["increment"],
    });
  });

  it("many concurrent UpdateSuccessCount calls all take effect", async () => {
    const skills = openSkills();
    const { id } = await skills.skill(...weather);
    await Promise.all(Array.from({ length: 20 }, () => skills.count(id)));
    expect(await skills.read(id)).toMatchObject({ successCount: 20n });
  });

  it("PruneStale keeps new skills", async () => {
    const skills = openSkills();
    await skills.store(...weather);
    for (const dryRun of [true, false])
      expect(await skills.prune(dryRun)).toMatchObject({ removed: [], removedCount: 0 });
    expect(await skills.list()).toHaveLength(1);
  });
}

function repeatingCases(it: TestAPI, openSkills: OpenSkills): void {
  it("a repeated call about a skill with the same idempotency key gets the first reply and changes nothing", async () => {
    const skills = openSkills();
    const idempotencyKey = "key";
    const first = await skills.store(...weather, { idempotencyKey });
    expect(await skills.store(...weather, { idempotencyKey })).toEqual(first);
    const id = first.skill?.id ?? "";
    for (let i = 0; i < 2; i++)
      expect(await skills.count(id, { idempotencyKey })).toMatchObject({ successCount: 1n });
    for (let i = 0; i < 2; i++)
      expect(await skills.prune(false, idempotencyKey)).toMatchObject({ removedCount: 0 });
    const reused = { code: "INVALID_ARGUMENT", reason: "IDEMPOTENCY_KEY_REUSED" };
    expect(await failureOf(skills.store(...pdf, { idempotencyKey }))).toMatchObject(reused);
    for (let i = 0; i < 2; i++) expect(await skills.delete(id, idempotencyKey)).toBe(true);
    expect(await skills.list()).toEqual([]);
  });
}
