import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

const namespace = { userId: "kim", agentId: "guide" };
const contents = ["first", "second", "third"];

interface Line {
  readonly check?: string;
  readonly trailer?: { sha256?: string };
  readonly memory?: {
    readonly version: {
      readonly memory: { id: string; supersedes?: string; supersededBy?: string };
    };
  };
}

const memoryOf = (line: string | Line) =>
  (typeof line === "string" ? (JSON.parse(line) as Line) : line).memory?.version.memory;

async function serve() {
  const server = await startTestServer({ provider: "memory" });
  onTestFinished(() => server.stop());
  const { transport, close } = nativeGrpc.connect(server);
  onTestFinished(close);
  return { server, memories: createClient(MemoryProvider, transport) };
}

/** Imports three memories after `link` has changed their links. */
async function importLinked(
  link: (
    ids: readonly string[],
  ) => readonly Partial<Record<"supersedes" | "supersededBy", string>>[],
  ...args: readonly string[]
) {
  const source = await serve();
  for (const content of contents) await source.memories.add({ namespace, content });
  const folder = await mkdtemp(join(tmpdir(), "vademecum-links-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "export.jsonl");
  await runCommand(["export", "--to", path, "--server", source.server.grpcUrl]);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const ids = lines.flatMap((line) => memoryOf(line)?.id ?? []);
  const links = link(ids);
  const changed = lines.map((line) => {
    // Without the checks, which would no longer fit.
    const { check: _, ...record } = JSON.parse(line) as Line;
    delete record.trailer?.sha256;
    const memory = memoryOf(record);
    if (memory !== undefined) Object.assign(memory, links[ids.indexOf(memory.id)]);
    return JSON.stringify(record);
  });
  await writeFile(path, `${changed.join("\n")}\n`);
  const target = await serve();
  const run = () =>
    runCommand(["import", path, "--json", "--server", target.server.grpcUrl, ...args]);
  const { stdout, stderr, exitCode } = await run();
  if (stdout === "") throw new Error(stderr);
  const { faults, ...counts } = JSON.parse(stdout) as {
    readonly faults: readonly { readonly at: string; readonly message: string }[];
  };
  const listed = async (includeSuperseded: boolean) =>
    (await target.memories.getAll({ namespace, includeSuperseded })).memories;
  return { ids, exitCode, faults, counts, listed, run, memories: target.memories };
}

const named = (memories: readonly { readonly content: string }[]) =>
  memories.map(({ content }) => content).sort();

it("an import refuses a memory that supersedes itself, and names its line", async () => {
  const { exitCode, faults, counts, listed } = await importLinked(([a = "", b = ""]) => [
    { supersededBy: a },
    { supersedes: b },
  ]);
  expect(exitCode).toBe(1);
  expect(counts).toMatchObject({ added: 1, refused: 2 });
  expect(faults).toMatchObject([
    {
      at: "line 2",
      message: expect.stringContaining("superseded_by: must not lead back") as string,
    },
    {
      at: "line 3",
      message: expect.stringContaining("supersedes: must not be the memory itself") as string,
    },
  ]);
  expect(named(await listed(false))).toEqual(["third"]);
});

it.each([
  ["two", ([a = "", b = ""]: readonly string[]) => [{ supersededBy: b }, { supersededBy: a }, {}]],
  [
    "three",
    ([a = "", b = "", c = ""]: readonly string[]) => [
      ...[{ supersededBy: b }, { supersededBy: c }, { supersededBy: a }],
    ],
  ],
])(
  "an import refuses the last memory of a circle of %s, and the others are listed",
  async (name, link) => {
    const { exitCode, faults, listed, memories } = await importLinked(link);
    expect(exitCode).toBe(1);
    const last = name === "two" ? 1 : 2;
    expect(faults).toMatchObject([
      { at: `line ${last + 2}`, message: expect.stringContaining("must not lead back") as string },
      {
        at: `line ${last + 1}`,
        message: expect.stringContaining("is stored without it") as string,
      },
    ]);
    const kept = contents.filter((_, at) => at !== last);
    expect(named(await listed(true))).toEqual(kept);
    // The one before the refused memory has lost its successor, and is current.
    expect(named(await listed(false))).toEqual(name === "two" ? kept : ["second"]);
    // A search follows the links too, and ends.
    const recalled = await memories.recall({
      search: { namespace, query: "first", budgetTokens: 100 },
    });
    expect(recalled.text).toContain(name === "two" ? "first" : "second");
  },
);

it("an import stores a memory without a successor that does not exist, and names its line", async () => {
  const link = (ids: readonly string[]) => [
    { supersededBy: "missing" },
    { supersededBy: ids[2] ?? "" },
    {},
  ];
  const dry = await importLinked(link, "--dry-run");
  const wet = await importLinked(link);
  for (const { exitCode, faults, counts } of [dry, wet]) {
    expect({ exitCode, counts }).toMatchObject({ exitCode: 0, counts: { added: 3, refused: 0 } });
    expect(faults).toMatchObject([
      { at: "line 2", message: expect.stringContaining("names memory 'missing'") as string },
    ]);
  }
  expect(await dry.listed(true)).toEqual([]);
  const first = (await wet.listed(false)).find(({ content }) => content === "first");
  expect(first?.supersededBy).toBeUndefined();
  expect(named(await wet.listed(false))).toEqual(["first", "third"]);
  // Nothing keeps it from being superseded.
  await wet.memories.add({ namespace, content: "fourth", supersedes: first?.id ?? "" });
  expect(named(await wet.listed(false))).toEqual(["fourth", "third"]);
});
