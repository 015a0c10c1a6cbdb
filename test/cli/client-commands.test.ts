import { once } from "node:events";
import { constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { fromJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  AddResponseSchema,
  DeleteResponseSchema,
  GetAllResponseSchema,
  GetResponseSchema,
  RecallResponseSchema,
  SearchResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { type CommandRun, type CommandSurroundings, runCommand } from "./run-command.js";

let server: TestServer;
let users = 0;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
});

afterAll(() => server.stop());

/** Runs commands for a user of their own, so that tests do not see each other's memories. */
function createShell() {
  const userId = `user-${++users}`;
  const environment = {
    VADEMECUM_SERVER: server.grpcUrl,
    VADEMECUM_USER: userId,
    VADEMECUM_AGENT: "sommelier",
  };
  return (args: readonly string[], surroundings: CommandSurroundings = {}): Promise<CommandRun> =>
    runCommand(args, { ...surroundings, environment });
}

/** Stores a memory and returns its id. */
async function add(
  shell: ReturnType<typeof createShell>,
  ...args: readonly string[]
): Promise<string> {
  const { stdout, stderr, exitCode } = await shell(["add", "--json", ...args]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return fromJsonString(AddResponseSchema, stdout).id;
}

describe("add", () => {
  it("stores a text and prints its id", async () => {
    const shell = createShell();
    const { stdout, exitCode } = await shell(["add", "Ada prefers dry Burgundy"]);
    const id = /^Stored (\S+)\.\n$/.exec(stdout)?.[1];
    expect(exitCode).toBe(0);
    expect((await shell(["get", id ?? ""])).stdout).toContain("Ada prefers dry Burgundy");
  });

  it("takes the text from standard input, without the line break at its end", async () => {
    const shell = createShell();
    await shell(["add"], { stdin: "line one\n  line two\n\n" });
    const { stdout } = await shell(["list", "--json"]);
    expect(fromJsonString(GetAllResponseSchema, stdout).memories[0]?.content).toBe(
      "line one\n  line two\n",
    );
  });

  it("refuses standard input that is not UTF-8, and waits for none at a terminal", async () => {
    const shell = createShell();
    expect(await shell(["add"], { stdin: Uint8Array.of(0xff, 0xfe) })).toMatchObject({
      exitCode: 2,
      stderr:
        "error: content: standard input is not valid UTF-8 text. Convert it first, for example with iconv.\n",
    });
    expect(await shell(["add"], { isTTY: true })).toMatchObject({
      exitCode: 2,
      stderr: "error: content: not given. Give the text as an argument, or pipe it in.\n",
    });
  });

  it("stores all that its options say", async () => {
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
    for (const shown of [
      "semantic · preference",
      "importance 0.9",
      "tags: wine, white",
      "status: resolved",
      "author: Ada",
      `supersedes: ${old}`,
    ]) {
      expect(text).toContain(shown);
    }
  });

  it("stores once for one idempotency key", async () => {
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
    [["--no-such-option"], "unknown option '--no-such-option'"],
  ])("refuses %j with what is allowed, before it calls the server", async (options, message) => {
    const { exitCode, stderr } = await createShell()(["add", ...options, "text"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("search", () => {
  it("shows hits with their relevance, and what was left out", async () => {
    const shell = createShell();
    const id = await add(shell, "Ada prefers dry Burgundy");
    await add(shell, "Burgundy is a region of France, Ada says");
    const { stdout, exitCode } = await shell(["search", "--limit", "1", "dry Burgundy"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^1\\. relevance [\\d.]+ · ${id} · episodic`));
    expect(stdout).toContain("1 of 2 matches");
  });

  it("says why when nothing fits", async () => {
    const shell = createShell();
    expect((await shell(["search", "anything"])).stdout).toMatch(/^0 of 0 matches, 0 tokens/);
  });

  it("prints each message of the stream as a line of protobuf JSON", async () => {
    const shell = createShell();
    await add(shell, "Ada prefers dry Burgundy");
    const { stdout } = await shell(["search", "--json", "Burgundy"]);
    const responses = stdout
      .trimEnd()
      .split("\n")
      .map((line) => fromJsonString(SearchResponseSchema, line));
    expect(responses.flatMap(({ hits }) => hits.map(({ memory }) => memory?.content))).toEqual([
      "Ada prefers dry Burgundy",
    ]);
    expect(responses.at(-1)?.summary?.returned).toBe(1);
  });

  it.each([
    [["--tag-any", "a", "--tag-any", "z"], ["first"]],
    [["--tag-all", "b", "--tag-all", "c"], ["second"]],
    [["--memory-type", "semantic", "--memory-type", "trace"], ["second"]],
    [["--kind", "k1"], ["first"]],
    [["--metadata", '{"n":1}'], ["first"]],
    [["--start-time", "2026-02-01T00:00:00Z"], ["second"]],
    [["--end-time", "2026-02-01T00:00:00Z"], ["first"]],
    [["--importance-min", "0.7"], ["second"]],
    [["--source", "s1"], ["first"]],
    [["--status", "resolved"], ["second"]],
    [["--author", "Ada"], ["first"]],
    [["--thread-id", "t2"], ["second"]],
    [["--expression", 'importance > 0.7 && "b" in tags'], ["second"]],
    [
      ["--order", "newest_first"],
      ["second", "first"],
    ],
  ])("finds with %j only what passes", async (options, contents) => {
    const shell = createShell();
    const first = [
      "--tag",
      "a",
      "--kind",
      "k1",
      "--metadata",
      '{"n":1}',
      "--source",
      "s1",
      "--author",
      "Ada",
      "--importance",
      "0.1",
    ];
    const second = [
      "--tag",
      "b",
      "--tag",
      "c",
      "--memory-type",
      "semantic",
      "--status",
      "resolved",
      "--thread-id",
      "t2",
      "--importance",
      "0.9",
    ];
    await add(shell, ...first, "--event-time", "2026-01-01T00:00:00Z", "first");
    await add(shell, ...second, "--event-time", "2026-03-01T00:00:00Z", "second");
    const { stdout } = await shell(["recall", ...options]);
    expect(stdout).toBe(`${contents.map((content) => `- ${content}`).join("\n")}\n`);
    const listed = await shell([
      "list",
      "--json",
      ...options.filter((word) => !["--order", "newest_first"].includes(word)),
    ]);
    expect(
      fromJsonString(GetAllResponseSchema, listed.stdout)
        .memories.map(({ content }) => content)
        .sort(),
    ).toEqual([...contents].sort());
  });
});

describe("recall", () => {
  it("prints a text that can go into a prompt as it is, and nothing where nothing is found", async () => {
    const shell = createShell();
    expect((await shell(["recall", "wine"])).stdout).toBe("");
    await add(shell, "Ada likes wine\nand \u001b[31mred\u001b[0m roses");
    expect((await shell(["recall", "wine"])).stdout).toBe(
      "- Ada likes wine\n  and \u001b[31mred\u001b[0m roses\n",
    );
    expect((await shell(["recall", "wine"], { isTTY: true })).stdout).toBe(
      "- Ada likes wine\n  and \\u001b[31mred\\u001b[0m roses\n",
    );
  });

  it("keeps the budget", async () => {
    const shell = createShell();
    await add(shell, "a wine with a very long description that goes on and on and on");
    await add(shell, "wine");
    const { stdout } = await shell(["recall", "--json", "--budget-tokens", "5", "wine"]);
    const { text, summary } = fromJsonString(RecallResponseSchema, stdout);
    expect(text).toBe("- wine");
    expect(summary?.tokensUsed).toBeLessThanOrEqual(5);
  });
});

describe("list", () => {
  it("shows memories newest first, page by page", async () => {
    const shell = createShell();
    for (const content of ["one", "two", "three"]) await add(shell, content);
    const first = await shell(["list", "--limit", "2"]);
    expect(first.stdout).toMatch(/three[\s\S]*two/);
    const token = /--page-token (\S+)/.exec(first.stdout)?.[1] ?? "";
    const second = await shell(["list", "--limit", "2", "--page-token", token]);
    expect(second.stdout).toContain("one");
    expect(second.stdout).not.toContain("--page-token");
  });

  it("says when there is nothing", async () => {
    expect((await createShell()(["list"])).stdout).toBe("No memories.\n");
  });

  it("shows control characters instead of sending them to the terminal", async () => {
    const shell = createShell();
    await add(shell, "--tag", "\u001b]0;title\u0007", "\u001b[2Jgone");
    const { stdout } = await shell(["list"]);
    expect(stdout).toContain("\\u001b[2Jgone");
    expect(stdout).toContain("\\u001b]0;title\\u0007");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("get and delete", () => {
  it("show a memory and delete it once", async () => {
    const shell = createShell();
    const id = await add(shell, "gone soon");
    expect(
      fromJsonString(GetResponseSchema, (await shell(["get", "--json", id])).stdout).memory
        ?.content,
    ).toBe("gone soon");
    expect((await shell(["delete", id])).stdout).toBe(`Deleted ${id}.\n`);
    expect(await shell(["delete", id])).toMatchObject({
      exitCode: 0,
      stdout: `Nothing to delete: there is no memory ${id} in this namespace.\n`,
    });
    expect(
      fromJsonString(DeleteResponseSchema, (await shell(["delete", "--json", id])).stdout).deleted,
    ).toBe(false);
  });

  it("tell a memory that is not there on standard error, with exit code 1", async () => {
    expect(await createShell()(["get", "nowhere"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error: memory 'nowhere' not found (NOT_FOUND, MEMORY_NOT_FOUND)\n",
    });
  });
});

describe("what goes wrong", () => {
  it("names the field at fault and what is allowed", async () => {
    const { exitCode, stderr } = await createShell()(["add", "x".repeat(65_537)]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: content: .*65.?536.*\(INVALID_ARGUMENT, \w+\)\n$/s);
  });

  it("names all fields when there are several", async () => {
    const { stderr } = await createShell()(["add", "--importance", "7", "--kind", "", "text"]);
    expect(stderr).toContain("\n  importance: ");
    expect(stderr).toContain("\n  kind: ");
  });

  it("is one line of JSON with --json", async () => {
    const { stderr, stdout } = await createShell()(["add", "--json", "--importance", "7", "text"]);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: [{ field: "importance" }],
    });
  });

  it("asks for user and agent", async () => {
    const { exitCode, stderr } = await runCommand(["list", "--agent", "sommelier"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "error: --user: not given. Memories belong to a user and an agent: give --user ID or set VADEMECUM_USER.\n",
    );
  });

  it("says where no server answers and how to start one", async () => {
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      "127.0.0.1:1",
      "--user",
      "u",
      "--agent",
      "a",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: no server answers at http:\/\/127\.0\.0\.1:1 .*Start one with `vademecum serve`, or name another with --server\.\n$/,
    );
  });

  it("says that the connection was cut in a call, as when the server is killed", async () => {
    const cutting = createServer().on("stream", (stream) => stream.close(constants.NGHTTP2_CANCEL));
    onTestFinished(() => void cutting.close());
    await once(cutting.listen(0, "127.0.0.1"), "listening");
    const address = `127.0.0.1:${(cutting.address() as AddressInfo).port}`;
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      address,
      "--user",
      "u",
      "--agent",
      "a",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `error: the connection to http://${address} was cut before the call had ended. Look at the server's log, and try again.\n`,
    );
  });

  it("says so when the address is not gRPC", async () => {
    const { exitCode, stderr } = await runCommand([
      "list",
      "--server",
      "https://127.0.0.1:1",
      "--user",
      "u",
      "--agent",
      "a",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: /);
  });

  it("refuses a server address that is none", async () => {
    const { exitCode, stderr } = await runCommand(["health", "--server", "nowhere"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: --server: got 'nowhere'; allowed: HOST:PORT/);
  });
});

describe("health", () => {
  it("ends with 0 while the server takes calls and with 1 when it is gone", async () => {
    const other = await startTestServer({ provider: "memory", embedder: "none" });
    expect(await runCommand(["health", "--server", other.grpcUrl])).toEqual({
      exitCode: 0,
      stdout: "SERVING\n",
      stderr: "",
    });
    expect((await runCommand(["health", "--json", "--server", other.grpcUrl])).stdout).toBe(
      '{"status":"SERVING"}\n',
    );
    await other.stop();
    expect((await runCommand(["health", "--server", other.grpcUrl])).exitCode).toBe(1);
  });
});
