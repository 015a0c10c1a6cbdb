import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { ExportRecordSchema } from "#gen/vademecum/v1/export_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  conceptOf,
  conceptText,
  parseConcept,
  recordOf,
} from "../../src/cli/exports/okf-concept.js";
import { kim, writeEveryKind } from "../e2e/harness/every-kind.js";
import { required } from "../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

let folder: string;
let source: TestServer;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-okf-"));
  source = await serve();
  await writeEveryKind(transportOf(source));
  const memories = createClient(MemoryProvider, transportOf(source));
  await memories.add({ namespace: { userId: "../é", agentId: "a".repeat(200) }, content: "x\n\n" });
  const blocks = createClient(BlockService, transportOf(source));
  for (const label of ["index", "Log", "log", "A", "a", "..", "x/y"])
    await blocks.putBlock({ userId: "kim", label, body: `---\n${label}\r\n---\n` });
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await rm(folder, { recursive: true });
});

async function serve(): Promise<TestServer> {
  const server = await startTestServer({ provider: "memory" });
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

let folders = 0;
async function exportOf(server: TestServer): Promise<string> {
  const path = join(folder, `bundle-${++folders}`);
  const { exitCode, stderr } = await run(server, "export", "--format", "okf", "--to", path);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return path;
}

/** Returns the files of a folder by their paths. */
async function filesOf(path: string): Promise<Map<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(path.length + 1), await readFile(file, "utf8")] as const;
  });
  return new Map((await Promise.all(texts)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

it("a folder of the Open Knowledge Format has a file with a type for each memory and block", async () => {
  const files = await filesOf(await exportOf(source));
  expect(files.get("index.md")).toMatch(/^---\nokf_version: "0.2"\n---\n/);
  const concepts = [...files].filter(([path]) => path !== "index.md");
  // Six memories of `writeEveryKind`, the one above, two blocks, and the seven above.
  expect(concepts).toHaveLength(6 + 1 + 2 + 7);
  for (const [path, text] of concepts) {
    expect(["index.md", "log.md"]).not.toContain(basename(path).toLowerCase());
    const [, yaml = ""] = /^---\n([\s\S]*?\n)---\n/.exec(text) ?? [];
    expect((parse(yaml) as { type: string }).type).toMatch(/^Memory/);
  }
  const lower = concepts.map(([path]) => path.toLowerCase());
  expect(new Set(lower).size).toBe(lower.length);
});

it("an export of an import of a folder is the same folder", async () => {
  const original = await exportOf(source);
  const target = await serve();
  expect(await run(target, "import", original)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await filesOf(await exportOf(target))).toEqual(await filesOf(original));
  expect((await run(target, "import", original)).stdout).toMatch(/\(added: 0, unchanged: \d+,/);
});

it("a text that was edited in a file replaces that of the server", async () => {
  const target = await serve();
  const bundle = await exportOf(source);
  await run(target, "import", bundle);
  const [path = "", text = ""] =
    [...(await filesOf(bundle))].find(([, it]) => it.includes("blue folder")) ?? [];
  await writeFile(join(bundle, path), text.replace(/\n\nKim keeps[\s\S]*$/, "\n\nKim lost it\n"));
  expect((await run(target, "import", bundle)).stdout).toContain("skipped: 1");
  const replaced = await run(target, "import", bundle, "--mode", "replace");
  expect(replaced.stdout).toContain("replaced: 1");
  const memories = createClient(MemoryProvider, transportOf(target));
  const { hits } = await memories.recall({ search: { namespace: kim, query: "lost" } });
  expect(hits[0]?.memory).toMatchObject({ content: "Kim lost it", tags: ["folder", "note"] });
});

it("concepts of other programs become memories of the named user", async () => {
  const bundle = join(folder, "foreign");
  const files = {
    "index.md": "# Tables\n\n* [Orders](tables/orders.md)\n",
    "tables/orders.md":
      "---\ntype: BigQuery Table\ntitle: Orders\ntags: [sales]\nowner: { team: 7 }\n" +
      "generated: { by: human:ann, at: 2026-05-28T14:30:00Z }\n---\n\n# Schema\n\n| a |\n",
    "tables/log.md": "# Log\n",
    ".git/x.md": "no concept",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(bundle, dirname(path)), { recursive: true });
    await writeFile(join(bundle, path), text);
  }
  expect(await run(source, "import", bundle)).toMatchObject({ exitCode: 2 });
  const names = ["--user", "eve", "--agent", "guide"];
  expect((await run(source, "import", bundle, ...names)).stdout).toContain("Added 1 memory");
  expect((await run(source, "import", bundle, ...names)).stdout).toContain("Already stored: 1");
  const memories = createClient(MemoryProvider, transportOf(source));
  const namespace = { userId: "eve", agentId: "guide" };
  const [memory] = (await memories.getAll({ namespace })).memories;
  expect(memory).toMatchObject({
    content: "Orders\n\n# Schema\n\n| a |",
    kind: "BigQuery Table",
    tags: ["sales"],
    metadata: { owner: { team: 7 }, imported_from: { from: "okf", id: "tables/orders" } },
  });
});

it("what a concept has of another type is reported", async () => {
  const bundle = join(folder, "odd");
  await mkdir(bundle);
  const odd = `---\ntype: ${"x".repeat(300)}\ntags: a, b\ngenerated: { at: 01/02/2024 }\n---\n\nOdd\n`;
  await writeFile(join(bundle, "odd.md"), odd);
  const { stdout } = await run(source, "import", bundle, "--user", "odd", "--agent", "guide");
  expect(stdout).toContain("a type that is no text of up to 256 bytes (odd.md)");
  expect(stdout).toContain("an at that is a date that countries read differently");
  const memories = createClient(MemoryProvider, transportOf(source));
  const namespace = { userId: "odd", agentId: "guide" };
  const [memory] = (await memories.getAll({ namespace })).memories;
  expect(memory).toMatchObject({ tags: ["a", "b"], kind: "" });
  expect(memory?.eventTime).toBeUndefined();
});

it.each([
  ["no front matter", "# Title\n", "it does not begin with front matter"],
  ["no type", "---\ntitle: a\n---\n", "its front matter has no type"],
  ["invalid YAML", "---\ntype: [a\n---\n", "line "],
  ["an inexact number", "---\ntype: a\nn: 9007199254740993\n---\n", "cannot hold exactly"],
  ["an inexact fraction", "---\ntype: a\nn: [9007199254740993.0]\n---\n", "cannot hold exactly"],
])("a folder with a file with %s is refused with its path", async (name, text, message) => {
  const bundle = join(folder, name);
  await mkdir(bundle);
  await writeFile(join(bundle, "one.md"), text);
  const { exitCode, stderr } = await run(source, "import", bundle, "--user", "a", "--agent", "b");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("'one.md' is no concept of the format");
  expect(stderr).toContain(message);
});

it("options that the format cannot express are refused", async () => {
  const to = join(folder, "refused");
  for (const [option, ...args] of [
    ["--to"],
    ["--vectors", "--to", to, "--vectors"],
    ["--kind", "--to", to, "--kind", "keys"],
    ["--run", "--to", to, "--run", "r"],
  ]) {
    const result = await run(source, "export", "--format", "okf", ...args);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(`${option}: `);
  }
});

it("any text and tags come back from a file as they were", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), (content, tags) => {
      const namespace = { userId: content, agentId: "a" };
      const memory = {
        id: "id",
        content,
        tags: [...tags],
        namespace,
        metadata: { [content]: tags },
      };
      const value = { version: { memory, changedBy: content } };
      const record = create(ExportRecordSchema, { record: { case: "memory", value } });
      const concept = parseConcept(conceptText(required(conceptOf(record), "no concept")));
      expect(recordOf(concept)).toEqual(record);
    }),
    {
      examples: [
        ["---\n", []],
        ["\r\n\r\n", ["yes", "1", "~"]],
        ["\u2028\u0085\u0000 a: b\n", []],
      ],
    },
  );
});
