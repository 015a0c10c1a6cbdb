import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import {
  type ExportKind,
  ExportRecordSchema,
  ImportMode,
  type ImportResponse,
} from "#gen/vademecum/v1/export_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { runCommand } from "../cli/run-command.js";
import { isOverPostgres } from "../suite.js";
import { startCredentialedServer } from "./harness/credentialed-server.js";
import { ann, kim, phone, writeEveryKind } from "./harness/every-kind.js";
import { failureOf } from "./harness/failure.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

let folder: string;
let source: TestServer;
let original: string;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-export-"));
  source = await serve();
  await writeEveryKind(transportOf(source));
  original = await exportOf(source, "original");
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await rm(folder, { recursive: true });
});

async function serve(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ provider: "memory", ...flags });
  ends.push(() => server.stop());
  return server;
}

function transportOf(server: TestServer) {
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  return connection.transport;
}

const run = (server: TestServer, ...args: readonly string[]) =>
  runCommand([...args, "--server", server.grpcUrl]);

let files = 0;
/** Returns the path of a new file. */
const newPath = (name = "file"): string => join(folder, `${name}-${++files}.jsonl`);

async function exportOf(server: TestServer, name: string, ...args: readonly string[]) {
  const path = newPath(name);
  const { exitCode, stderr } = await run(server, "export", "--to", path, ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return path;
}

async function linesOf(path: string): Promise<string[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  return lines;
}

/** Returns the lines between the header and the trailer. */
const dataOf = async (path: string): Promise<string[]> => (await linesOf(path)).slice(1, -1);

async function fileOf(lines: readonly string[]): Promise<string> {
  const path = newPath();
  await writeFile(path, `${lines.join("\n")}\n`);
  return path;
}

const kindOf = (line: string): string => Object.keys(JSON.parse(line) as object)[0] ?? "";

describe("vademecum export and import", () => {
  it("an export has every kind of record, and only the owner may read the file", async () => {
    const kinds = new Set((await linesOf(original)).map(kindOf));
    expect([...kinds].sort()).toEqual(
      [
        ...["header", "memory", "memoryVersion", "block", "blockVersion", "proposal"],
        ...["skill", "key", "turnEntry", "trailer"],
      ].sort(),
    );
    expect((await stat(original)).mode & 0o077).toBe(0);
  });

  it("an export of an import of an export has the same records", async () => {
    const target = await serve({ provider: "level" });
    expect(await run(target, "import", original)).toMatchObject({ exitCode: 0, stderr: "" });
    const copy = await exportOf(target, "copy");
    expect(await dataOf(copy)).toEqual(await dataOf(original));
    const [header, copied] = [await linesOf(original), await linesOf(copy)].map(([first = ""]) => {
      const { createTime: _, ...rest } = (JSON.parse(first) as { header: { createTime: string } })
        .header;
      return rest;
    });
    expect(copied).toEqual(header);
  });

  it.skipIf(isOverPostgres)(
    "a data folder is sound after an import, and after a second one",
    async () => {
      const data = join(folder, "data");
      const changed = await linesOf(original);
      for (const mode of ["skip", "replace"]) {
        const server = await startTestServer({ provider: "level", data });
        // Without its check, a changed line is read as it is.
        const path = await fileOf(
          changed.map((line) =>
            line
              .replace(/,"check":"\w+"/, "")
              .replace(/"sha256":"\w+"/, '"sha256":""')
              .replace(/"(content|body)":"/, `"$1":"${mode} `),
          ),
        );
        const { exitCode, stdout } = await run(server, "import", path, "--mode", mode);
        await server.stop();
        expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
        expect((await verifyFolder(data)).findings).toEqual([]);
      }
    },
  );

  it("an export with vectors keeps them, and its import embeds nothing", async () => {
    const vectors = await exportOf(source, "vectors", "--vectors");
    expect((await readFile(vectors, "utf8")).match(/"embeddingModel"/g)?.length).toBeGreaterThan(3);
    const target = await serve({ embedder: "none" });
    const { stdout } = await run(target, "import", vectors);
    expect(stdout).toMatch(/^Imported \(added: \d+, unchanged: 0, replaced: 0, skipped: 0, refu/);
    const plain = await serve();
    await run(plain, "import", vectors);
    expect(await dataOf(await exportOf(plain, "vectors", "--vectors"))).toEqual(
      await dataOf(vectors),
    );
  });

  it("imported records are found, counted, listed in threads, and decided on", async () => {
    const target = await serve();
    await run(target, "import", original);
    const transport = transportOf(target);
    const memories = createClient(MemoryProvider, transport);
    const { hits } = await memories.recall({ search: { namespace: kim, query: "blue folder" } });
    expect(hits[0]?.memory?.externalId).toBe("note-1");
    const { results } = await memories.addMany({
      namespace: kim,
      memories: [{ content: "again", externalId: "note-1" }],
    });
    expect(results[0]?.result.case).toBe("error");
    const { turns } = await createClient(ThreadService, transport).getTurns({
      namespace: ann,
      threadId: "thread-1",
    });
    expect(turns.map(({ content }) => content)).toEqual(["Where is the folder?", "On the shelf."]);
    const proposals = createClient(ProposalService, transport);
    const pending = await proposals.countProposals({ userId: "kim" });
    expect(pending.total).toBe(1n);
    const again = await memories.proposeEdit({
      namespace: phone,
      target: {
        case: "memoryId",
        value: (await memories.getAll({ namespace: phone })).memories[0]?.id ?? "",
      },
      ...{ oldString: "water", newString: "milk", reasoning: "again" },
    });
    expect(again.proposal?.repeatOf).toBeDefined();
    const skills = createClient(SkillService, transport);
    const found = await skills.retrieveSkills({ namespace: kim, query: "booking a table" });
    expect(found.skills[0]?.skill).toMatchObject({ successCount: 1n, toolName: "booking" });
  });

  it("a second import changes nothing, and a dry run counts without storing", async () => {
    const target = await serve();
    const dry = await run(target, "import", original, "--dry-run", "--json");
    const wet = await run(target, "import", original, "--json");
    expect(JSON.parse(dry.stdout)).toEqual(JSON.parse(wet.stdout));
    const { added } = JSON.parse(wet.stdout) as { added: number };
    expect(added).toBe((await dataOf(original)).length);
    expect(JSON.parse((await run(target, "import", original, "--json")).stdout)).toEqual({
      ...{ added: 0, unchanged: added, replaced: 0, skipped: 0, refused: 0, faults: [] },
    });
  });

  it("an import that was cut off goes on", async () => {
    const target = await serve();
    const admin = createClient(AdminService, transportOf(target));
    const records = await recordsOf(source);
    const half = records.slice(0, records.length / 2);
    async function* cut() {
      yield { records: half };
    }
    expect(await failureOf(collectAll(admin.import(cut())))).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "INVALID_EXPORT",
    });
    const { stdout } = await run(target, "import", original, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ unchanged: half.length - 1, refused: 0 });
    expect(await dataOf(await exportOf(target, "copy"))).toEqual(await dataOf(original));
  });

  it("records that differ are left, replaced or end the import, as the mode says", async () => {
    const target = await serve();
    await run(target, "import", original);
    const memories = createClient(MemoryProvider, transportOf(target));
    const [note] = (await memories.getAll({ namespace: kim })).memories;
    const changes = { content: "Kim lost the note" };
    await memories.update({ namespace: kim, id: note?.id ?? "", changes });
    const skip = await run(target, "import", original, "--json");
    expect(JSON.parse(skip.stdout)).toMatchObject({ skipped: 1, replaced: 0, added: 0 });
    const fail = await run(target, "import", original, "--mode", "fail");
    expect(fail).toMatchObject({ exitCode: 1 });
    expect(fail.stderr).toContain("the server has another memory in the place of");
    const replace = await run(target, "import", original, "--mode", "replace", "--json");
    expect(JSON.parse(replace.stdout)).toMatchObject({ skipped: 0, replaced: 1, added: 0 });
    expect(await dataOf(await exportOf(target, "copy"))).toEqual(await dataOf(original));
  });

  it("an export names the chosen users, agents, runs and kinds alone", async () => {
    const users = await dataOf(await exportOf(source, "ann", "--user", "ann"));
    expect(users.length).toBeGreaterThan(2);
    expect(users.join()).not.toContain('kim"');
    const agent = await dataOf(await exportOf(source, "agent", "--agent", "phone"));
    expect(new Set(agent.map(kindOf))).toEqual(
      new Set(["block", "blockVersion", "proposal", "memory", "memoryVersion", "key"]),
    );
    const runs = await dataOf(await exportOf(source, "run", "--run", "run-1"));
    expect(runs.map((line) => (JSON.parse(line) as { key: object }).key)).toMatchObject([
      { entry: { key: "b" } },
      { entry: { key: "a", value: "again", version: "2" } },
      { entry: { key: "c" } },
    ]);
    const kinds = await dataOf(await exportOf(source, "kind", "--kind", "skills"));
    expect(kinds.map(kindOf)).toEqual(["skill"]);
  });

  it("an export without --to goes to standard output", async () => {
    const { stdout } = await run(source, "export", "--user", "ann");
    expect(await readFile(await exportOf(source, "ann", "--user", "ann"), "utf8")).toContain(
      stdout.split("\n")[1],
    );
  });

  describe("a damaged file is refused with the number of the line, and nothing is stored", () => {
    const damaged: Readonly<Record<string, (lines: string[]) => string[]>> = {
      "line 3 of .* is damaged: its text does not have the check": (lines) =>
        lines.with(2, (lines[2] ?? "").replace(/Ann|Kim|lives/, "Bob")),
      "line 2 of .* is no record of an export": (lines) => lines.with(1, "{"),
      "line 4 of .* is missing: the file ends before its trailer": (lines) => lines.slice(0, 3),
      "counts \\d+ records of the kind": (lines) => [...lines.slice(0, 3), ...lines.slice(4)],
      "follows the trailer": (lines) => [...lines, lines[1] ?? ""],
      "is a second header": (lines) => [lines[0] ?? "", ...lines],
      "has another SHA-256": (lines) => {
        const [a = "", b = ""] = lines.slice(1, 3);
        return [lines[0] ?? "", b, a, ...lines.slice(3)];
      },
      "memory.version.memory.metadata.n is 9007199254740993": (lines) =>
        lines.with(1, '{"memory":{"version":{"memory":{"metadata":{"n":9007199254740993}}}}}'),
    };
    it.each(Object.keys(damaged))("%s", async (message) => {
      const target = await serve();
      const lines = await linesOf(original);
      const result = await run(target, "import", await fileOf(damaged[message]?.(lines) ?? []));
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
      expect(result.stderr).toMatch(new RegExp(message));
      expect(await dataOf(await exportOf(target, "empty"))).toEqual([]);
    });
  });

  it("a record that breaks a rule is refused alone, with its line", async () => {
    const target = await serve();
    const lines = (await linesOf(original)).map((line) => line.replace(/,"check":"\w+"/, ""));
    const at = lines.findIndex((line) => kindOf(line) === "memory");
    const long = (lines[at] ?? "").replace(
      /"content":"[^"]*"/,
      `"content":"${"x".repeat(70_000)}"`,
    );
    const path = await fileOf(
      lines.with(at, long).map((line) => line.replace(/"sha256":"\w+"/, '"sha256":""')),
    );
    const { exitCode, stdout } = await run(target, "import", path, "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      refused: 1,
      faults: [{ at: `line ${at + 1}`, kind: "memory", reason: "INVALID_FIELD" }],
    });
  });

  it("a file of this release stays readable", async () => {
    const fixture = join(import.meta.dirname, "../fixtures/exports/vademecum-format-1.jsonl");
    const path = newPath("fixture");
    await copyFile(fixture, path);
    const target = await serve({ pruning: "off" });
    expect(await run(target, "import", path)).toMatchObject({ exitCode: 0, stderr: "" });
    // Traces of turns expire, so an import of an older file leaves them out.
    const isKept = (line: string): boolean => kindOf(line) !== "turnEntry";
    const copy = (await dataOf(await exportOf(target, "copy"))).filter(isKept);
    expect(copy).toEqual((await dataOf(path)).filter(isKept));
  });
});

it("a restricted principal exports only what it may read, and imports nothing", async () => {
  const everything = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  const own = { users: ["kim"], agents: ["phone"], runs: ["run-1"], tools: [] };
  const server = await startCredentialedServer([
    { name: "all", roles: ["operator"], users: [], agents: [], runs: [], tools: [] },
    { name: "phone", roles: ["reader"], ...own },
    { name: "writer", roles: ["writer", "curator"], ...everything },
  ]);
  ends.push(() => server.stop());
  const admin = createClient(AdminService, transportOf(server));
  const as = (name: string) => ({ headers: server.headerOf(name) });
  const records = await recordsOf(source);
  async function* whole() {
    yield { records };
  }
  expect(await failureOf(collectAll(admin.import(whole(), as("writer"))))).toMatchObject({
    reason: "ROLE_REQUIRED",
  });
  await collectAll(admin.import(whole(), as("all")));
  const exported = async (name: string, request: object = {}) => {
    const texts: string[] = [];
    for await (const reply of admin.export(request, as(name)))
      for (const record of reply.records)
        texts.push(JSON.stringify(toJson(ExportRecordSchema, record)));
    return texts;
  };
  expect((await exported("all")).length).toBe(records.length);
  const read = await exported("phone");
  expect(read.join()).not.toMatch(/"userId":"ann"|"agentId":"desktop"|"runId":"run 2"/);
  const kinds = ["header", "block", "blockVersion", "proposal", "memory", "memoryVersion", "key"];
  expect(new Set(read.map(kindOf))).toEqual(new Set([...kinds, "trailer"]));
  for (const request of [{ users: ["ann"] }, { agents: ["desktop"] }, { runs: ["run 2"] }])
    expect(await failureOf(exported("phone", request))).toMatchObject({ reason: "OUT_OF_SCOPE" });
});

it("an export of all users names the servers of those who moved", async () => {
  const [old, current] = [await serve({ provider: "level" }), await serve({ provider: "level" })];
  await run(old, "import", original);
  const ends = ["--from", old.grpcUrl, "--to", current.grpcUrl];
  expect((await runCommand(["move", ...ends, "--user", "ann"])).exitCode).toBe(0);
  const path = newPath("rest");
  const { stderr } = await run(old, "export", "--to", path);
  expect(stderr).toBe(`Not exported: 1 user who moved to ${current.grpcUrl}. Export from there.\n`);
  expect(await readFile(path, "utf8")).not.toContain('"userId":"ann"');
  // The old server forwards a call about the moved user alone.
  const ofAnn = await dataOf(await exportOf(old, "ann", "--user", "ann"));
  expect(ofAnn).toEqual(await dataOf(await exportOf(source, "ann", "--user", "ann")));
});

it("an import refuses a stream that is out of order", async () => {
  const target = await serve();
  const admin = createClient(AdminService, transportOf(target));
  const records = await recordsOf(source);
  async function* withoutHeader() {
    yield { records: records.slice(1) };
  }
  expect(await failureOf(collectAll(admin.import(withoutHeader())))).toMatchObject({
    reason: "INVALID_EXPORT",
  });
  async function* wrongCounts() {
    yield { mode: ImportMode.SKIP, records: [...records.slice(0, 1), ...records.slice(-1)] };
  }
  expect(await failureOf(collectAll(admin.import(wrongCounts())))).toMatchObject({
    reason: "INVALID_EXPORT",
  });
});

async function recordsOf(server: TestServer) {
  const admin = createClient(AdminService, transportOf(server));
  const responses = [];
  for await (const { records } of admin.export({ kinds: [] satisfies ExportKind[] }))
    responses.push(...records);
  return responses;
}

async function collectAll(responses: AsyncIterable<ImportResponse>): Promise<ImportResponse[]> {
  const all: ImportResponse[] = [];
  for await (const response of responses) all.push(response);
  return all;
}
