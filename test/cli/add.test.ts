import { describe, expect, it } from "vitest";
import { add, listedMemories, useShells } from "./shell.js";

const createShell = useShells();

describe("add", () => {
  it("add stores a text and prints its id", async () => {
    const shell = createShell();
    const { stdout, exitCode } = await shell(["add", "Ada prefers dry Burgundy"]);
    const id = /^Stored (\S+)\.\n$/.exec(stdout)?.[1];
    expect(exitCode).toBe(0);
    expect((await shell(["get", id ?? ""])).stdout).toContain("Ada prefers dry Burgundy");
  });

  it("add reads the text from standard input, and drops the final line break", async () => {
    const shell = createShell();
    await shell(["add"], { stdin: "line one\n  line two\n\n" });
    const { stdout } = await shell(["list", "--json"]);
    expect(listedMemories(stdout)[0]?.content).toBe("line one\n  line two\n");
  });

  it("add refuses input that is not UTF-8, and never waits for input at a terminal", async () => {
    const shell = createShell();
    expect(await shell(["add"], { stdin: Uint8Array.of(0xff, 0xfe) })).toMatchObject({
      exitCode: 2,
      stderr:
        "error: content: standard input is not valid UTF-8 text. Convert it first, for example with iconv.\n",
    });
    expect(await shell(["add"], { isTTY: true })).toMatchObject({
      exitCode: 2,
      stderr: "error: content: missing. Give the text as an argument, or pipe it in.\n",
    });
  });

  it("add with an external id stores an event once, and the id names the memory", async () => {
    const shell = createShell();
    const options = ["--external-id", "order-17"];
    const stored = (await shell(["add", "Six bottles", ...options])).stdout;
    const id = /^Stored (\S+)\.\n$/.exec(stored)?.[1] ?? "";
    const again = await shell(["add", "Twelve bottles", ...options]);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stderr).toContain("set on_conflict to replace or keep it");
    const add = (action: string) =>
      shell(["add", "Twelve bottles", ...options, "--on-conflict", action]);
    expect((await add("keep")).stdout).toBe(`Kept ${id}.\n`);
    expect((await add("replace")).stdout).toBe(`Replaced ${id}.\n`);
    const { stdout } = await shell(["get", ...options]);
    expect(stdout).toContain("Twelve bottles");
    expect(stdout).toContain("  external id: order-17\n");
    const changed = await shell(["update", ...options, "--kind", "order"]);
    expect(changed.stdout).toBe("Updated order-17: version 3.\n");
    expect((await shell(["list", ...options, "--kind", "order"])).stdout).toContain(id);
    expect((await shell(["delete", ...options])).stdout).toBe("Deleted order-17.\n");
    expect(await shell(["get"])).toMatchObject({
      exitCode: 2,
      stderr: "error: give the memory's id, or --external-id\n",
    });
    expect(await shell(["get", id, ...options])).toMatchObject({ exitCode: 2 });
  });

  it("add stores the value of each option", async () => {
    const shell = createShell();
    const old = await add(shell, "Ada likes Riesling");
    const options = [
      ["--memory-type", "semantic"],
      ["--kind", "preference"],
      ["--tag", "wine"],
      ["--tag", "white"],
      ["--importance", "0.9"],
      ["--status", "resolved"],
      ["--source", "dinner"],
      ["--author", "Ada"],
      ["--thread-id", "t1"],
      ["--metadata", '{"stars":5,"nested":{"a":[1,null]}}'],
      ["--event-time", "2026-05-01T09:30:00+02:00"],
      ["--expire-time", "2999-01-01T00:00:00Z"],
      ["--supersedes", old],
    ];
    const id = await add(shell, "--restricted", ...options.flat(), "Ada likes Sancerre");
    const { stdout } = await shell(["get", "--json", id]);
    expect(JSON.parse(stdout)).toMatchObject({
      memory: {
        memoryType: "MEMORY_TYPE_SEMANTIC",
        kind: "preference",
        tags: ["wine", "white"],
        importance: 0.9,
        status: "MEMORY_STATUS_RESOLVED",
        restricted: true,
        source: "dinner",
        author: "Ada",
        threadId: "t1",
        metadata: { stars: 5, nested: { a: [1, null] } },
        eventTime: "2026-05-01T07:30:00Z",
        expireTime: "2999-01-01T00:00:00Z",
        supersedes: old,
      },
    });
    const text = (await shell(["get", id])).stdout;
    for (const part of [
      "semantic · preference",
      "importance 0.9",
      "tags: wine, white",
      "status: resolved",
      "author: Ada",
      `supersedes: ${old}`,
    ]) {
      expect(text).toContain(part);
    }
  });

  it("two adds with one idempotency key store one memory", async () => {
    const shell = createShell();
    const first = await add(shell, "--idempotency-key", "k", "once");
    expect(await add(shell, "--idempotency-key", "k", "once")).toBe(first);
  });

  it.each([
    [["--importance", "high"], "It must be a number"],
    [["--metadata", "[1]"], "It must be a JSON object"],
    [["--metadata", "{"], "It must be a JSON object"],
    [["--event-time", "yesterday"], "It must be an instant such as"],
    [
      ["--memory-type", "nonsense"],
      "It must be one of: episodic, semantic, working, scratch_page, conversation, trace.",
    ],
    [["--event-time", "2099-02-30T00:00:00Z"], "It must be an instant that exists"],
    [["--expire-time", "2099-01-01T24:00:00Z"], "It must be an instant that exists"],
    [["--no-such-option"], "unknown option '--no-such-option'"],
  ])("add refuses %j with exit code 2, and says what is allowed", async (options, message) => {
    const { exitCode, stderr } = await createShell()(["add", ...options, "text"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
