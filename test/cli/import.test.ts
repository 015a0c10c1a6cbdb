import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { isFullSuite } from "../suite.js";
import { runCommand } from "./run-command.js";
import { listedMemories } from "./shell.js";

let server: TestServer;
let folder: string;
let users = 0;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
  folder = await mkdtemp(join(tmpdir(), "vademecum-import-"));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/exports/${name}`, import.meta.url));

/** Creates commands and clients for a new user, so that tests do not see each other's memories. */
function createShell() {
  const userId = `user-${++users}`;
  const environment = {
    VADEMECUM_SERVER: server.grpcUrl,
    VADEMECUM_USER: userId,
    VADEMECUM_AGENT: "guide",
  };
  const run = (...args: readonly string[]) => runCommand(args, { environment });
  const memories = async (): Promise<Memory[]> => {
    const { stdout } = await run("list", "--json", "--limit", "100");
    return listedMemories(stdout);
  };
  const blocks = createClient(BlockService, createGrpcTransport({ baseUrl: server.grpcUrl }));
  return { userId, run, memories, blocks };
}

/** Writes an export file and returns its path. */
async function fileOf(content: unknown): Promise<string> {
  const path = join(folder, `${++users}.json`);
  await writeFile(
    path,
    typeof content === "string" || content instanceof Uint8Array
      ? content
      : JSON.stringify(content),
  );
  return path;
}

describe("import --from mem0", () => {
  it("import stores mem0 memories with time, tags, thread, author and metadata", async () => {
    const { run, memories } = createShell();
    expect(await run("import", "--from", "mem0", fixture("mem0-platform.json"))).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: [
        "Added 3 memories and 0 blocks.",
        "Skipped: 2",
        "  1 × expired (6f1d2c1e-6c43-4f5c-8a53-8d4f0a3f9b03)",
        '  1 × no text under "memory" (6f1d2c1e-6c43-4f5c-8a53-8d4f0a3f9b04)',
        "",
      ].join("\n"),
    });
    const stored = await memories();
    const allergy = stored.find(({ content }) => content === "Is allergic to hazelnuts");
    expect(allergy).toMatchObject({
      source: "mem0",
      tags: ["health", "food"],
      metadata: { confirmed: true },
    });
    expect(allergy?.metadata?.["imported_from"]).toEqual({
      from: "mem0",
      id: "6f1d2c1e-6c43-4f5c-8a53-8d4f0a3f9b01",
      user_id: "ada",
      app_id: "kitchen",
      immutable: false,
      created_at: "2026-03-02T08:15:30.123456-07:00",
      updated_at: "2026-03-05T10:00:00.000000-07:00",
    });
    expect(allergy?.eventTime && timestampDate(allergy.eventTime).toISOString()).toBe(
      "2026-03-02T15:15:30.123Z",
    );
    expect(stored.find(({ content }) => content.startsWith("Prefers"))).toMatchObject({
      author: "Ada",
      threadId: "onboarding-7",
    });
    const bicycle = stored.find(({ content }) => content.startsWith("Rents"));
    expect(bicycle?.expireTime && timestampDate(bicycle.expireTime).toISOString()).toBe(
      "2999-01-01T00:00:00.000Z",
    );
  });

  it("two imports of one mem0 file at the same time add each memory once", async () => {
    const { run, memories } = createShell();
    const importFile = () =>
      run("import", "--json", "--from", "mem0", fixture("mem0-platform.json"));
    await Promise.all([importFile(), importFile()]);
    expect(JSON.parse((await importFile()).stdout)).toMatchObject({
      memoriesAdded: 0,
      alreadyThere: 3,
    });
    expect(await memories()).toHaveLength(3);
  });

  it("import keeps a stored memory when the file has another text for it, and reports the memory", async () => {
    const { run, memories } = createShell();
    const item = (memory: string) => fileOf([{ id: "one", memory, user_id: "ada" }]);
    await run("import", "--from", "mem0", await item("Likes tea"));
    const { stdout } = await run("import", "--from", "mem0", await item("Likes coffee"));
    expect(stdout).toContain("1 × already stored with another text, which stays (one)");
    expect((await memories()).map(({ content }) => content)).toEqual(["Likes tea"]);
  });

  it("import requires --source-user for a mem0 file with several users", async () => {
    const { run, memories } = createShell();
    const path = fixture("mem0-two-users.json");
    const refusal = await run("import", "--from", "mem0", path);
    expect(refusal).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refusal.stderr).toContain("holds memories of 2 users (ada, tom)");
    expect(await memories()).toEqual([]);
    const { stdout } = await run("import", "--from", "mem0", "--source-user", "tom", path);
    expect(stdout).toContain("Added 1 memory and 0 blocks.\nSkipped: 2\n");
    expect(stdout).toContain("1 × a relation of mem0's graph, without text (relation 0)");
    expect((await memories()).map(({ content }) => content)).toEqual(["Repairs clocks"]);
  });

  it("import accepts numbers as mem0 user ids", async () => {
    const { run, memories } = createShell();
    const path = await fileOf([
      { id: "a", memory: "Sings in a choir", user_id: 7 },
      { id: "b", memory: "Repairs clocks", user_id: 8 },
    ]);
    expect((await run("import", "--from", "mem0", path)).stderr).toContain(
      "holds memories of 2 users (7, 8)",
    );
    await run("import", "--from", "mem0", "--source-user", "8", path);
    expect((await memories()).map(({ content }) => content)).toEqual(["Repairs clocks"]);
  });

  it("import reports a mem0 file that is one of several pages", async () => {
    const { run } = createShell();
    const next = "https://memory.example/v2/memories/?page=2";
    const { stdout } = await run(
      "import",
      "--from",
      "mem0",
      await fileOf({ count: 2, next, results: [{ id: "a", memory: "Sings" }] }),
    );
    expect(stdout).toContain(
      "1 × not in the file, which is one of several pages: export the other pages too (the next page)",
    );
  });

  it("import skips texts that are not valid Unicode", async () => {
    const { run, memories } = createShell();
    const path = await fileOf([
      { id: "cut", memory: "Half of an emoji \ud83d" },
      { id: "key", memory: "Sings", metadata: { "\udc00": 1 } },
      { id: "whole", memory: "A whole one 🍷" },
    ]);
    expect((await run("import", "--from", "mem0", path)).stdout).toContain(
      "2 × not Unicode: it has a lone surrogate (cut, key)",
    );
    expect((await memories()).map(({ content }) => content)).toEqual(["A whole one 🍷"]);
  });

  it("import stores the memories that the server accepts, counts the refused ones with the reason, and exits with 1", async () => {
    const { run, memories } = createShell();
    const path = await fileOf([
      { id: "long", memory: "x".repeat(65_537) },
      { id: "short", memory: "Sings in a choir" },
    ]);
    const { exitCode, stdout, stderr } = await run("import", "--from", "mem0", path);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("Refused by the server: 1\n  1 × ");
    expect(stdout).toContain("65,536 bytes");
    expect(stderr).toBe(
      "error: the server refused 1 of the file's memories and blocks; the others are stored.\n",
    );
    expect((await memories()).map(({ content }) => content)).toEqual(["Sings in a choir"]);
  });

  it.runIf(isFullSuite)("import stores more memories than fit into one call", async () => {
    const { run } = createShell();
    const path = await fileOf(
      Array.from({ length: 1_201 }, (_, index) => ({
        id: `id-${index}`,
        memory: `Fact number ${index}`,
      })),
    );
    expect((await run("import", "--from", "mem0", path)).stdout).toBe(
      "Added 1201 memories and 0 blocks.\n",
    );
    expect((await run("import", "--from", "mem0", path)).stdout).toBe(
      "Added 0 memories and 0 blocks. Already stored: 1201.\n",
    );
  });
});

describe("import --from letta", () => {
  it("import stores a Letta agent's blocks and conversation, and reports skipped parts", async () => {
    const { run, memories, blocks, userId } = createShell();
    const { stdout, exitCode } = await run("import", "--from", "letta", fixture("letta-agent.af"));
    expect({ stdout, exitCode }).toEqual({
      exitCode: 0,
      stdout: [
        "Added 4 memories and 2 blocks.",
        "Skipped: 5",
        "  1 × a system message: instructions, not memory (guide: message-0)",
        "  1 × a Letta event, not words of the user (guide: message-1)",
        "  1 × a tool message (guide: message-4)",
        "  1 × a tool call (guide: message-6)",
        "  1 × an attached file: add its text yourself (timetable.pdf)",
        "",
      ].join("\n"),
    });
    expect((await blocks.getBlock({ userId, label: "human" })).block).toMatchObject({
      body: "Name: Ada\nTravels by train.",
      version: 1n,
    });
    const stored = (await memories()).map(({ content, kind, author, threadId }) => ({
      content,
      kind,
      author,
      threadId,
    }));
    const threadId = "letta/guide";
    expect(stored).toHaveLength(4);
    expect(stored).toEqual(
      expect.arrayContaining([
        {
          content: "Where does the night train to Lisbon leave?",
          kind: "user_message",
          author: undefined,
          threadId,
        },
        {
          content: "From platform nine, at 21:40.",
          kind: "assistant_message",
          author: undefined,
          threadId,
        },
        { content: "A window seat, please.", kind: "user_message", author: "Ada", threadId },
        {
          content: "Noted: a window seat.",
          kind: "assistant_message",
          author: undefined,
          threadId,
        },
      ]),
    );
  });

  it("import adds no Letta memory twice, and never overwrites a block that has another text", async () => {
    const { run, memories, blocks, userId } = createShell();
    await blocks.putBlock({ userId, label: "persona", body: "I like boats." });
    const importFile = () => run("import", "--from", "letta", fixture("letta-agent.af"));
    expect((await importFile()).stdout).toContain("Added 4 memories and 1 block.\n");
    const { stdout } = await importFile();
    expect(stdout).toContain("Added 0 memories and 0 blocks. Already stored: 5.\n");
    expect(stdout).toContain(
      "1 × the user has a block with this label and another text, which stays (block persona)",
    );
    expect((await blocks.getBlock({ userId, label: "persona" })).block?.body).toBe("I like boats.");
    expect((await blocks.getBlock({ userId, label: "human" })).block?.version).toBe(1n);
    expect(await memories()).toHaveLength(4);
  });

  it("import stores text beside a tool call only for Letta agents that address the user in such text", async () => {
    const { run, memories } = createShell();
    const tool_calls = [
      { id: "call", type: "function", function: { name: "web_search", arguments: "{}" } },
    ];
    const messages = [
      { role: "assistant", content: [{ type: "text", text: "Let me look it up." }], tool_calls },
    ];
    const agentFile = (name: string, agent_type: string) =>
      fileOf({ agents: [{ name, agent_type, messages }] });
    await run("import", "--from", "letta", await agentFile("speaks", "letta_v1_agent"));
    const { stdout } = await run(
      "import",
      "--from",
      "letta",
      await agentFile("thinks", "memgpt_agent"),
    );
    expect(stdout).toContain("1 × a tool call (thinks: message 0)");
    expect(await memories()).toMatchObject([
      { content: "Let me look it up.", threadId: "letta/speaks" },
    ]);
  });

  it("import names the damaged parts of a Letta agent file", async () => {
    const { run } = createShell();
    const agents = [
      { name: "guide", messages: [null, { role: "user", content: "Hello" }] },
      5,
      { name: "other", messages: {} },
    ];
    const { stdout } = await run(
      "import",
      "--from",
      "letta",
      await fileOf({ agents, blocks: "none" }),
    );
    expect(stdout).toContain("Added 1 memory and 0 blocks.\nSkipped: 4\n");
    expect(stdout).toContain("2 × damaged: not a list (blocks, messages)");
    expect(stdout).toContain("2 × damaged: not an object (agents 1, messages 0)");
  });

  it("import reads Letta agent files of early 2025", async () => {
    const { run, memories, blocks, userId } = createShell();
    const { stdout } = await run("import", "--from", "letta", fixture("letta-agent-2025.af"));
    expect(stdout).toContain("Added 1 memory and 1 block.\nSkipped: 1\n");
    expect((await blocks.getBlock({ userId, label: "persona" })).block?.body).toBe(
      "I keep papers in order.",
    );
    const [memory] = await memories();
    expect(memory).toMatchObject({
      content: "File the lease under 2025.",
      threadId: "letta/archivist",
    });
    expect(memory?.eventTime && timestampDate(memory.eventTime).toISOString()).toBe(
      "2025-04-01T03:48:00.000Z",
    );
  });

  it("import reads the passages of Letta's archival memory", async () => {
    const { run, memories } = createShell();
    const { stdout } = await run("import", "--from", "letta", fixture("letta-passages.json"));
    expect(stdout).toContain("Added 1 memory and 0 blocks.\nSkipped: 1\n  1 × a deleted passage");
    expect(await memories()).toMatchObject([
      { content: "Ada's rail card ends in October", tags: ["travel"], source: "letta" },
    ]);
  });
});

describe("import", () => {
  it("import refuses a file of another format before it stores anything", async () => {
    const { run, memories } = createShell();
    const cases = [
      ["mem0", fixture("letta-agent.af"), "it is not a mem0 export"],
      ["mem0", await fileOf(["text"]), "entry 0 is not an object"],
      ["letta", fixture("mem0-platform.json"), "it is neither a Letta agent file"],
      ["letta", await fileOf([{ id: "x" }]), 'entry 0 has no "text"'],
      ["mem0", await fileOf("{"), "as JSON"],
      [
        "mem0",
        await fileOf(Buffer.from('[{"id": "a", "memory": "Café"}]', "latin1")),
        "it is not UTF-8; save it in that encoding",
      ],
      ["mem0", join(folder, "missing.json"), "ENOENT"],
    ] as const;
    for (const [from, path, message] of cases) {
      const { exitCode, stderr } = await run("import", "--from", from, path);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(await memories()).toEqual([]);
  });

  it("import reads a file with a byte order mark", async () => {
    const { run } = createShell();
    const path = await fileOf(`\ufeff${JSON.stringify([{ id: "a", memory: "Sings in a choir" }])}`);
    expect((await run("import", "--from", "mem0", path)).stdout).toBe(
      "Added 1 memory and 0 blocks.\n",
    );
  });

  it("import requires --from and refuses an unknown system", async () => {
    const { run } = createShell();
    const path = fixture("mem0-platform.json");
    expect((await run("import", path)).exitCode).toBe(2);
    expect((await run("import", "--from", "zep", path)).exitCode).toBe(2);
  });
});
