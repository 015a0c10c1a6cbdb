import { Writable } from "node:stream";
import { toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  PruneReason,
  RetrieveSkillsResponseSchema,
  SkillService,
} from "#gen/vademecum/v1/skill_service_pb.js";
import { startTestEndpoint, withVectors } from "../embed/openai/test-endpoint.js";
import { isFullSuite } from "../suite.js";
import { startCredentialedServer } from "./harness/credentialed-server.js";
import { collect } from "./harness/namespace-client.js";
import { connectJson, nativeGrpc } from "./harness/protocols.js";
import type { SkillClient } from "./harness/skill-client.js";
import {
  createSkillWorld,
  namespace,
  type SkillServer,
  type SkillWorld,
} from "./skills/skill-server.js";

const dayMs = 24 * 60 * 60 * 1000;
const weather = [
  "The weather API answers 401",
  "Send the key in the x-api-key header, a query parameter is ignored",
] as const;

let world: SkillWorld;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  world = await createSkillWorld();
});

afterEach(async () => {
  await world.end();
  for (const end of ends.splice(0)) await end();
});

/** Stores three skills: `helped`, which has a success, and `found` and `idle`, which have none. */
async function threeSkills(skills: SkillClient): Promise<void> {
  for (const id of ["helped", "found", "idle"])
    await skills.store(`context of ${id}`, `lesson of ${id}`, { id });
  await skills.count("helped");
}

async function idsOf(skills: SkillClient): Promise<string[]> {
  return (await skills.list()).map(({ id }) => id).toSorted();
}

/** Waits until the server has logged a message. Returns the fields of the log line. */
async function loggedBy(
  { logged }: SkillServer,
  message: string,
): Promise<Record<string, unknown>> {
  return vi.waitUntil(() => logged.find(({ msg }) => msg === message), {
    timeout: 60_000,
    interval: 5,
  });
}

describe("PruneStale", () => {
  it("PruneStale removes skills unused for 90 days, and skills that are 30 days old and never succeeded", async () => {
    const { skills } = await world.serve({ pruning: "off" });
    await threeSkills(skills);
    world.nowMs += 30 * dayMs - 1;
    expect((await skills.prune(true)).removedCount).toBe(0);
    world.nowMs += 1;
    const { NEVER_SUCCEEDED, UNUSED } = PruneReason;
    const unsuccessful = [
      { id: "found", reason: NEVER_SUCCEEDED },
      { id: "idle", reason: NEVER_SUCCEEDED },
    ];
    expect(await skills.prune(true)).toMatchObject({ removed: unsuccessful, removedCount: 2 });
    expect(await idsOf(skills)).toEqual(["found", "helped", "idle"]);
    expect(await skills.prune(false)).toMatchObject({ removed: unsuccessful, removedCount: 2 });
    expect(await idsOf(skills)).toEqual(["helped"]);
    expect(
      (await skills.retrieve("lesson of idle", { minSimilarity: 0 })).skills.map(
        ({ skill }) => skill?.id,
      ),
    ).toEqual(["helped"]);
    world.nowMs += 90 * dayMs - 1;
    expect((await skills.prune(false)).removedCount).toBe(0);
    world.nowMs += 1;
    expect(await skills.prune(false)).toMatchObject({
      removed: [{ id: "helped", reason: UNUSED }],
      removedCount: 1,
    });
    expect(await idsOf(skills)).toEqual([]);
  });

  it("PruneStale keeps skills that were retrieved or counted within 90 days", async () => {
    const { skills } = await world.serve({ pruning: "off" });
    await threeSkills(skills);
    for (const id of ["found", "idle"]) await skills.count(id);
    world.nowMs += 89 * dayMs;
    await skills.count("helped", { increment: 0 });
    expect((await skills.lessons("lesson of found", { topK: 1 }))[0]).toBe("lesson of found");
    world.nowMs += dayMs;
    expect(await skills.prune(false)).toMatchObject({ removed: [{ id: "idle" }] });
    expect(await idsOf(skills)).toEqual(["found", "helped"]);
  });

  it("stale skills are pruned at the start of the server and every day, and the log has the counts", async () => {
    const first = await world.serve();
    await threeSkills(first.skills);
    const other = { namespace: { userId: "bob", agentId: "coder" }, context: "c", lesson: "l" };
    await first.skills.service.storeSkill(other);
    await vi.waitUntil(() => first.timer.waiting.includes(dayMs), { timeout: 60_000 });
    world.nowMs += 30 * dayMs;
    first.timer.pass(dayMs);
    expect(await loggedBy(first, "pruned")).toMatchObject({ records: "skills", removed: 3 });
    expect(await idsOf(first.skills)).toEqual(["helped"]);
    await first.stop();
    world.nowMs += 90 * dayMs;
    const second = await world.serve();
    expect(await loggedBy(second, "pruned")).toMatchObject({ records: "skills", removed: 1 });
    expect(await idsOf(second.skills)).toEqual([]);
  });

  it.runIf(isFullSuite)(
    "stale skills are pruned only by AdminService.Prune when pruning is switched off",
    async () => {
      const first = await world.serve({ pruning: "off" });
      await threeSkills(first.skills);
      await first.stop();
      world.nowMs += 200 * dayMs;
      const { skills, admin, timer, logged } = await world.serve({ pruning: "off" });
      expect(timer.waiting.filter((ms) => ms >= dayMs)).toEqual([]);
      expect(await idsOf(skills)).toHaveLength(3);
      const skillsOf = async (dryRun: boolean) =>
        (await admin.prune({ dryRun })).outcomes.find(({ name }) => name === "skills")?.result
          .value;
      expect(await skillsOf(true)).toBe(3n);
      expect(await skillsOf(false)).toBe(3n);
      expect(await idsOf(skills)).toEqual([]);
      // The line of the call, and none of a pruning by itself.
      expect(logged.filter(({ msg }) => msg === "pruned")).toHaveLength(1);
    },
  );
});

describe("a retrieval", () => {
  it("a retrieval shows the new last_used_time immediately, and stores it within a second or at the stop", async () => {
    // Pruning would store the time immediately.
    const first = await world.serve({ pruning: "off" });
    const { id } = await first.skills.skill(...weather);
    world.nowMs += 5 * dayMs;
    const seconds = BigInt(world.nowMs / 1000);
    const [found] = (await first.skills.retrieve(weather[0])).skills;
    expect(found?.skill?.lastUsedTime?.seconds).toBe(seconds);
    expect(first.timer.waiting).toContain(1000);
    await first.stop();
    world.nowMs += dayMs;
    const second = await world.serve({ pruning: "off" });
    expect((await second.skills.read(id))?.lastUsedTime?.seconds).toBe(seconds);
  });
});

describe("VADEMECUM_SKILLS=off", () => {
  it("a server with VADEMECUM_SKILLS=off warns once, gives empty answers, and keeps stored skills", async () => {
    const on = await world.serve();
    const { id } = await on.skills.skill(...weather);
    await on.stop();
    world.nowMs += 200 * dayMs;
    const off = await world.serve({}, { VADEMECUM_SKILLS: "off" });
    for (const protocol of [nativeGrpc, connectJson]) {
      const skills = off.skillsOver(protocol);
      expect(await skills.store(...weather)).toMatchObject({ created: false });
      expect((await skills.store(...weather)).skill).toBeUndefined();
      expect(await skills.retrieve(weather[0], { minSimilarity: 0 })).toMatchObject({
        skills: [],
        keywordsOnlyReason: "",
      });
      expect(await skills.service.listSkills({ namespace })).toMatchObject({
        skills: [],
        nextPageToken: "",
      });
      expect(await skills.delete(id)).toBe(false);
      expect(await skills.count(id)).toMatchObject({
        updated: false,
        successCount: 0n,
        failureCount: 0n,
      });
      expect(await skills.prune(false)).toMatchObject({ removed: [], removedCount: 0 });
    }
    const warnings = off.logged.filter(({ level }) => level === "warn");
    expect(warnings.filter(({ msg }) => String(msg).includes("skills are off"))).toHaveLength(1);
    await off.stop();
    const again = await world.serve({ pruning: "off" });
    expect(await idsOf(again.skills)).toEqual([id]);
  });

  it("a server with VADEMECUM_SKILLS=off warns once, however many tenants it serves", async () => {
    const lines: string[] = [];
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(...chunk.toString().trim().split("\n"));
        done();
      },
    });
    const everything = { roles: ["reader"], users: ["*"], agents: ["*"] } as const;
    const server = await startCredentialedServer(
      ["acme", "bolt"].map((tenant) => ({ name: tenant, tenant, ...everything })),
      { skills: "off" },
      undefined,
      undefined,
      output,
    );
    onTestFinished(() => server.stop());
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    const service = createClient(SkillService, connection.transport);
    for (const tenant of ["acme", "bolt"])
      await service.listSkills({ namespace }, { headers: server.headerOf(tenant) });
    expect(lines.filter((line) => line.includes("skills are off"))).toHaveLength(1);
  });
});

describe("a skill", () => {
  it("a skill survives a restart byte for byte, with its vector and the vector's model", async () => {
    const first = await world.serve();
    await first.skills.store("Ünïcödé 🧠 \0", weather[1], { id: "é/\0", toolName: "http_get" });
    await first.skills.store(...weather);
    await first.skills.count("é/\0", { increment: 7, failureIncrement: 2 });
    const before = await first.skills.list({ includeEmbedding: true });
    await first.stop();
    const second = await world.serve();
    const after = await second.skills.list({ includeEmbedding: true });
    expect(after).toEqual(before);
    const bytesOf = ({ embedding }: { embedding: readonly number[] }) =>
      Buffer.from(Float32Array.from(embedding).buffer).toString("hex");
    expect(after.map(bytesOf)).toEqual(before.map(bytesOf));
    for (const skill of after) expect(skill).toMatchObject({ embeddingModel: "static-256@1" });
    expect(after.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
    expect((await second.skills.lessons(weather[0]))[0]).toBe(weather[1]);
  });
});

describe("with --embedder openai, skills", () => {
  it("the endpoint embeds each text of a skill once, even across a restart, and its key is never logged", async () => {
    const endpoint = await startTestEndpoint();
    ends.push(() => endpoint.stop());
    const flags = { embedder: "openai", "openai-url": endpoint.url };
    const environment = { VADEMECUM_OPENAI_KEY: "sk-quagga-0123456789" };
    const texts = () => endpoint.requests.flatMap(({ body }) => body.input);
    const first = await world.serve(flags, environment);
    await first.skills.store(...weather);
    await first.skills.store(...weather);
    expect((await first.skills.lessons(weather.join(" ")))[0]).toBe(weather[1]);
    await first.stop();
    const second = await world.serve(flags, environment);
    await second.skills.store(...weather, { id: "again" });
    expect(await second.skills.lessons(weather.join(" "))).toHaveLength(3);
    expect(texts().filter((text) => text === weather.join(" "))).toHaveLength(1);
    expect(
      endpoint.requests.every(
        ({ headers }) => headers.authorization === "Bearer sk-quagga-0123456789",
      ),
    ).toBe(true);
    expect(endpoint.requests.every(({ body }) => body.model === "text-embedding-3-small")).toBe(
      true,
    );
    expect(JSON.stringify([...first.logged, ...second.logged])).not.toContain("quagga");
    expect(await second.skills.list({ includeEmbedding: true })).toMatchObject([
      { embedding: { length: 64 } },
      {},
      {},
    ]);
  });

  it("after a change of the model, keywords find skills until a reindex", async () => {
    const local = await world.serve();
    for (let i = 0; i < 70; i++)
      await local.skills.store(`situation ${i}`, `lesson ${i}`, { id: `🧠${i}` });
    await local.stop();
    const endpoint = await startTestEndpoint();
    ends.push(() => endpoint.stop());
    endpoint.answerAll(withVectors(64));
    const without = await world.serve({ embedder: "none" });
    const byKeywords = await without.skills.retrieve("situation 7 lesson 7", {
      minSimilarity: 0.1,
      topK: 1,
    });
    expect(byKeywords.keywordsOnlyReason).toContain("static-256@1");
    expect(byKeywords.skills[0]?.skill?.lesson).toBe("lesson 7");
    await without.stop();
    const changed = await world.serve({ embedder: "openai", "openai-url": endpoint.url });
    const messages = await collect(changed.admin.reindex({ target: { case: "all", value: true } }));
    expect(messages.at(-1)?.event).toMatchObject({
      case: "summary",
      value: { namespacesChanged: 1n, memoriesEmbedded: 70n },
    });
    const all = await changed.skills.list({ includeEmbedding: true });
    for (const { embedding, embeddingModel } of all) {
      expect(embedding).toHaveLength(64);
      expect(embeddingModel).toContain("text-embedding-3-small");
    }
    const found = await changed.skills.retrieve("situation 7 lesson 7", { topK: 1 });
    expect(found).toMatchObject({
      keywordsOnlyReason: "",
      skills: [{ skill: { lesson: "lesson 7" } }],
    });
    const again = await collect(changed.admin.reindex({ target: { case: "all", value: true } }));
    expect(again.at(-1)?.event).toMatchObject({
      value: { namespacesChanged: 0n, namespacesUnchanged: 1n },
    });
  });
});

describe("with --embedder none, skills", () => {
  it("skills are found by their words with --embedder none", async () => {
    const { skills } = await world.serve({ embedder: "none" });
    await skills.store(...weather);
    await skills.store("Reading a scanned PDF gives no text", "Run OCR first");
    const { skills: found, keywordsOnlyReason } = await skills.retrieve("weather API answers 401", {
      includeEmbedding: true,
    });
    expect(found.map(({ skill }) => skill?.lesson)).toEqual([weather[1]]);
    expect(found[0]?.skill).toMatchObject({ embedding: [], embeddingModel: "" });
    expect(keywordsOnlyReason).toBe("");
  });
});

describe("a large retrieval", () => {
  it.runIf(isFullSuite)(
    "the reply to a large retrieval stays below 4 MiB, the usual limit of clients, and counts what it omits",
    async () => {
      const { skills } = await world.serve({ provider: "memory" });
      const long = "x ".repeat(16_000);
      const stored = 70;
      for (let number = 1; number <= stored; number++)
        await skills.store(`scan ${number} ${long}`, `ocr ${long}`);
      const fields = { topK: 1000, minSimilarity: 0 };
      const reply = await skills.retrieve("scan ocr", fields);
      expect(toBinary(RetrieveSkillsResponseSchema, reply).length).toBeLessThan(4 * 1024 * 1024);
      expect(reply.skills.length).toBeGreaterThan(40);
      expect(reply.omittedCount).toBe(stored - reply.skills.length);
      expect(await skills.retrieve("scan ocr", { ...fields, topK: 3 })).toMatchObject({
        omittedCount: 0,
        skills: { length: 3 },
      });
    },
  );
});
