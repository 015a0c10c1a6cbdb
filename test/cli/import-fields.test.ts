import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import { listedMemories, useShells } from "./shell.js";

const createShell = useShells();

/** Imports a file, given as JSON text or as a value. Returns the command's result and memories. */
async function importOf(content: unknown, from = "mem0", ...args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-import-fields-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "export.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  const shell = createShell();
  const run = await shell(["import", "--from", from, ...args, path]);
  return { ...run, memories: listedMemories((await shell(["list", "--all", "--json"])).stdout) };
}

describe("a mem0 file", () => {
  it("the spelling of the JavaScript clients is read like that of the Python client", async () => {
    const item = (userId: string) => ({
      id: userId,
      memory: `Likes tea (${userId})`,
      userId,
      runId: "r7",
      createdAt: "2026-03-02T08:15:30Z",
      updatedAt: null,
      expirationDate: "2999-01-01",
    });
    const two = await importOf([item("ada"), item("tom")]);
    expect(two).toMatchObject({ exitCode: 2, memories: [] });
    expect(two.stderr).toContain("holds memories of 2 users (ada, tom)");
    const { exitCode, memories } = await importOf(
      [item("ada"), item("tom")],
      "mem0",
      "--source-user",
      "ada",
    );
    expect(exitCode).toBe(0);
    const [memory] = memories;
    expect(memories).toHaveLength(1);
    expect(memory).toMatchObject({ content: "Likes tea (ada)", threadId: "r7" });
    expect(memory?.eventTime && timestampDate(memory.eventTime).toISOString()).toBe(
      "2026-03-02T08:15:30.000Z",
    );
    expect(memory?.expireTime && timestampDate(memory.expireTime).toISOString()).toBe(
      "2999-01-01T00:00:00.000Z",
    );
    expect(memory?.metadata?.["imported_from"]).toMatchObject({ user_id: "ada", run_id: "r7" });
  });

  it("a field in two spellings with two values refuses the file", async () => {
    const { exitCode, stderr } = await importOf([
      { id: "a", memory: "x", userId: "ada", user_id: "tom" },
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('entry 0 has two values of "user_id", in two spellings');
  });

  it("fields with nearly known names are counted and named, and one for the user refuses the file", async () => {
    const { stdout, memories } = await importOf([
      { id: "a", memory: "one", user_id: "ada", expires_at: "2999-01-01", created: "2026-01-01" },
      { id: "b", memory: "two", user_id: "ada", expires_at: "2999-01-01" },
    ]);
    expect(memories).toHaveLength(2);
    expect(stdout).toContain(
      '1 × a field that mem0 does not write; if it is expiration_date, rename it ("expires_at" of 2)',
    );
    expect(stdout).toContain(
      '1 × a field that mem0 does not write; if it is created_at, rename it ("created" of 1)',
    );
    for (const key of ["usr_id", "user", "uid"]) {
      const refused = await importOf([
        { id: "a", memory: "one", [key]: "ada" },
        { id: "b", memory: "two", [key]: "tom" },
      ]);
      expect(refused).toMatchObject({ exitCode: 2, memories: [] });
      expect(refused.stderr).toContain(`"${key}" in 2 of them, which may be meant`);
    }
    for (const key of ["user", "username"]) {
      const [ann, bob] = ["ann", "bob"].map((user) => ({
        ...{ id: user, memory: `of ${user}`, metadata: { [key]: user, topic: "tea" } },
      }));
      const merged = await importOf([ann, bob]);
      expect(merged).toMatchObject({ exitCode: 2, memories: [] });
      expect(merged.stderr).toContain(`2 values of "${key}" in their metadata`);
      expect((await importOf([ann])).memories).toHaveLength(1);
    }
    const nested = await importOf([{ id: "a", memory: "one", user_id: { id: 7 } }]);
    expect(nested.stderr).toContain('the user_id {"id":7}, which is no id');
  });

  it("fields that mem0 leaves in the metadata are read, in both spellings", async () => {
    for (const [user, created, expires] of [
      ["user_id", "created_at", "expiration_date"],
      ["userId", "createdAt", "expirationDate"],
    ] as const) {
      const item = (id: string, more = {}) => ({
        ...{ id, memory: `of ${id}` },
        metadata: { [user]: id, [created]: "2026-03-02T08:15:30Z", topic: "tea", ...more },
      });
      const two = await importOf([item("ada"), item("tom")]);
      expect(two).toMatchObject({ exitCode: 2, memories: [] });
      expect(two.stderr).toContain("holds memories of 2 users (ada, tom)");
      const { stdout, memories } = await importOf([
        item("ada", { [expires]: "2999-01-01" }),
        { ...item("ada", { [expires]: "2001-01-01" }), id: "old" },
        { ...item("ada", { [expires]: "soon" }), id: "odd" },
      ]);
      expect(stdout).toContain("1 × expired (old)");
      expect(stdout).toContain("1 × an expiration_date that is no time (odd)");
      const [memory, ...rest] = memories;
      expect(rest).toEqual([]);
      expect(memory?.eventTime && timestampDate(memory.eventTime).toISOString()).toBe(
        "2026-03-02T08:15:30.000Z",
      );
      expect(memory?.expireTime && timestampDate(memory.expireTime).getUTCFullYear()).toBe(2999);
      expect(memory?.metadata).toMatchObject({ topic: "tea", [user]: "ada" });
    }
  });

  it("a field of the metadata that differs from that of the memory, or is nearly known, is reported", async () => {
    const { stdout, memories } = await importOf([
      {
        ...{ id: "a", memory: "one", user_id: "ada", created_at: "2026-03-02" },
        metadata: { createdAt: "2020-01-01", expiry: "2027-01-01" },
      },
    ]);
    expect(memories[0]?.eventTime?.seconds).toBe(BigInt(Date.UTC(2026, 2, 2) / 1000));
    expect(stdout).toContain("another created_at in the metadata, which stays there (a)");
    expect(stdout).toContain(
      '1 × an entry that stays metadata; if it is expiration_date, rename it ("expiry" in the metadata of 1)',
    );
    const refused = await importOf([
      { id: "a", memory: "one", user_id: "ada", metadata: { userId: "tom" } },
    ]);
    expect(refused).toMatchObject({ exitCode: 2, memories: [] });
    expect(refused.stderr).toContain('entry 0 has another "user_id" in its metadata');
  });

  it("whole numbers beyond 2^53 keep their digits, so two users stay two", async () => {
    const item = (id: string) =>
      `{"id":"m${id}","memory":"of ${id}","user_id":${id},"metadata":{"n":${id}}}`;
    const file = `[${item("1234567890123456788")},${item("1234567890123456789")}]`;
    expect((await importOf(file)).stderr).toContain(
      "2 users (1234567890123456788, 1234567890123456789)",
    );
    const { memories } = await importOf(file, "mem0", "--source-user", "1234567890123456789");
    expect(memories.map(({ content }) => content)).toEqual(["of 1234567890123456789"]);
    expect(memories[0]?.metadata?.["n"]).toBe("1234567890123456789");
  });

  it("digits inside of texts stay as they are", async () => {
    const content = 'say "1234567890123456789", or \\1234567890123456789 1e1234567890123456789';
    const { memories } = await importOf([{ id: "a", memory: content, metadata: { n: 5, f: 0.1 } }]);
    expect(memories[0]?.content).toBe(content);
    expect(memories[0]?.metadata).toMatchObject({ n: 5, f: 0.1 });
  });

  it("many long numbers, of any length, keep their digits", async () => {
    // Doubles hold the second number exactly, but JavaScript writes it as 1234567890123456800.
    const numbers = ["1234567890123456789", "1234567890123456768", `-${"7".repeat(400)}`];
    numbers.push("9007199254740993.0", "1e400");
    const many = Array.from({ length: 30 }, () => numbers).flat();
    const metadata = `{"Ä":[${many.join()}]}`;
    const { memories } = await importOf(`[{"id":"a","memory":"one","metadata":${metadata}}]`);
    expect(memories[0]?.metadata?.["Ä"]).toEqual(many);
  });

  it("a file is refused if an object has a name twice, because one value would be lost", async () => {
    const refused = await importOf('[{"id":"a","memory":"one","user_id":"ada","user_id":"tom"}]');
    expect(refused).toMatchObject({ exitCode: 2, memories: [] });
    expect(refused.stderr).toContain('an object has the name "user_id" twice');
  });

  it("values of other types are converted if they are plain", async () => {
    const { stdout, memories } = await importOf([
      {
        id: 12,
        memory: "Likes tea",
        created_at: 1_700_000_000,
        expiration_date: 32_472_144_000_000,
        actor_id: 7,
        run_id: 9,
        categories: "food, travel",
        metadata: '{"stars":4}',
      },
    ]);
    expect(stdout).toBe("Added 1 memory and 0 blocks.\n");
    const [memory] = memories;
    expect(memory).toMatchObject({
      author: "7",
      threadId: "9",
      tags: ["food", "travel"],
      metadata: { stars: 4, imported_from: { id: "12" } },
    });
    expect(memory?.eventTime?.seconds).toBe(1_700_000_000n);
    expect(memory?.expireTime && timestampDate(memory.expireTime).getUTCFullYear()).toBe(2999);
  });

  it("other values are reported, and a memory without a readable expiry is not stored", async () => {
    const tags = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const { stdout, memories } = await importOf([
      { id: "a", memory: "one", expiration_date: { date: "2026-01-01" } },
      { id: "b", memory: "two", expiration_date: true },
      { id: "c", memory: "three", created_at: [1], actor_id: {}, categories: 7, metadata: "abc" },
      { id: "d", memory: "four", categories: ["x", null, { y: 1 }] },
      { id: "e", memory: "five", categories: tags },
    ]);
    expect(memories.map(({ content }) => content).sort()).toEqual(["five", "four", "three"]);
    for (const line of [
      "2 × an expiration_date that is no time (a, b)",
      "1 × a created_at that is no time (c)",
      "1 × an actor_id that is no text (c)",
      "1 × a categories that is no list (c)",
      "1 × metadata that is no object (c)",
      "2 × categories that are no text of up to 128 bytes, or that follow the first 32 (d, e)",
    ])
      expect(stdout).toContain(line);
  });
});

it("a Letta file with exactly one page of passages is reported, and one with fewer or more is not", async () => {
  const passages = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `passage-${i}`, text: `text ${i}` }));
  const full = await importOf(passages(100), "letta");
  expect(full.stdout).toContain("exactly one page of 100 passages");
  expect(full.memories).toHaveLength(100);
  for (const count of [99, 101])
    expect((await importOf(passages(count), "letta")).stdout).not.toContain("page");
});

it("passages in the spelling of Letta's JavaScript client are read, and unknown fields reported", async () => {
  const { stdout, memories } = await importOf(
    [
      { id: "p1", text: "one", createdAt: "2026-03-02T08:15:30Z", archiveId: "a7", colour: "red" },
      { id: "p2", text: "two", isDeleted: true },
      { id: "p3", text: "three", metadata: { created_at: "2026-03-03" } },
    ],
    "letta",
  );
  expect(stdout).toContain("1 × a deleted passage (p2)");
  expect(stdout).toContain('1 × a field that Letta does not write ("colour" of 1)');
  const times = new Map(memories.map(({ content, eventTime }) => [content, eventTime?.seconds]));
  expect(times).toEqual(
    new Map([
      ["one", BigInt(Date.UTC(2026, 2, 2, 8, 15, 30) / 1000)],
      ["three", BigInt(Date.UTC(2026, 2, 3) / 1000)],
    ]),
  );
  const one = memories.find(({ content }) => content === "one");
  expect(one?.metadata?.["imported_from"]).toMatchObject({ archive_id: "a7" });
});

it("messages of a Letta agent file are read in any spelling, and unknown fields and roles reported", async () => {
  const message = { role: "Assistant", content: "one", createdAt: "2026-03-02T08:15:30Z" };
  const { stdout, memories } = await importOf(
    {
      agents: [
        {
          name: "guide",
          agentType: "letta_v1_agent",
          messages: [
            message,
            { Role: "USER", Content: "two", created_at: "2026-03-03", senderId: null },
            { role: "user ", content: "three", timestamp: "2026-03-04" },
            { role: "narrator", content: "four" },
            {
              role: "ASSISTANT",
              toolCalls: [{ function: { name: "send_message", arguments: '{"message":"five"}' } }],
            },
          ],
        },
      ],
    },
    "letta",
  );
  expect(stdout).toContain('1 × a message of the unknown role "narrator"');
  expect(stdout).toContain(
    '1 × a field that Letta does not write; if it is created_at, rename it ("timestamp" of 1)',
  );
  const read = memories.map(({ content, kind, eventTime }) => [content, kind, eventTime?.seconds]);
  expect(read.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ["five", "assistant_message", undefined],
    ["one", "assistant_message", BigInt(Date.UTC(2026, 2, 2, 8, 15, 30) / 1000)],
    ["three", "user_message", undefined],
    ["two", "user_message", BigInt(Date.UTC(2026, 2, 3) / 1000)],
  ]);
});

it("an agent file of early 2025 is read in the spelling of JavaScript", async () => {
  const { stdout, memories } = await importOf(
    { coreMemory: [], messages: [{ role: "user", content: "one", createdAt: "2026-03-02" }] },
    "letta",
  );
  expect(stdout).toContain("Added 1 memory");
  expect(memories[0]?.eventTime?.seconds).toBe(BigInt(Date.UTC(2026, 2, 2) / 1000));
});
