import { fromJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { BuildContextResponseSchema } from "#gen/vademecum/v1/context_pb.js";
import {
  RecallResponseSchema,
  SearchResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { add, listedMemories, useShells } from "./shell.js";

const createShell = useShells();

describe("search", () => {
  it("search shows hits with their relevance, and counts all matches", async () => {
    const shell = createShell();
    const id = await add(shell, "Ada prefers dry Burgundy");
    await add(shell, "Burgundy is a region of France, Ada says");
    const { stdout, exitCode } = await shell(["search", "--limit", "1", "dry Burgundy"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^1\\. Ada .*\\n {2}relevance [\\d.]+ · ${id} · episodic`));
    expect(stdout).toContain("1 of 2 matches");
  });

  it("search and recall return nothing if no match reaches the gate, and search gives the reason", async () => {
    const shell = createShell();
    await add(shell, "Ada prefers dry Burgundy");
    const query = ["--gate", "0.9", "Ada and the zebra of Neptune"];
    const { stdout } = await shell(["search", ...query]);
    expect(stdout).toMatch(/^0 of 1 matches, 0 tokens.* no match reaches the gate of 0\.9: /);
    expect((await shell(["recall", ...query])).stdout).toBe("");
    expect((await shell(["recall", "--gate", "0.5", "dry Burgundy"])).stdout).toContain("Burgundy");
  });

  it("search --all-agents shows hits of all agents with their names, and get --any-agent finds them", async () => {
    const shell = createShell();
    const id = await add(shell, "Ada prefers dry Burgundy");
    const other = await add(shell, "Burgundy is in the cellar", "--agent", "cellar");
    const { stdout } = await shell(["search", "--all-agents", "Burgundy"]);
    expect(stdout).toMatch(new RegExp(`agent sommelier · ${id}`));
    expect(stdout).toMatch(new RegExp(`agent cellar · ${other}`));
    const { stdout: text } = await shell(["recall", "--all-agents", "Burgundy"]);
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(2);
    expect(await shell(["get", other])).toMatchObject({ exitCode: 1 });
    expect((await shell(["get", "--any-agent", other])).stdout).toContain("in the cellar");
    const changed = await shell(["update", "--any-agent", "--kind", "wine", other]);
    expect(changed.stdout).toBe(`Updated ${other}: version 2.\n`);
    expect((await shell(["delete", "--any-agent", other])).stdout).toBe(`Deleted ${other}.\n`);
  });

  it("search counts days in the time zone of --time-zone", async () => {
    const shell = createShell();
    await add(shell, "Ann cooked noodles", "--event-time", "2026-11-27T04:00:00Z");
    const query = "what happened on 26 November?";
    const west = await shell(["search", "--time-zone", "America/Los_Angeles", query]);
    expect(west.stdout).toContain("Ann cooked noodles");
    expect((await shell(["search", query])).stdout).toMatch(/^0 of 0 matches/);
    const wrong = await shell(["search", "--time-zone", "Mars/Olympus", query]);
    expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
    expect(wrong.stderr).toContain("Europe/Madrid");
  });

  it("search prints a summary when there is no hit", async () => {
    const shell = createShell();
    expect((await shell(["search", "anything"])).stdout).toMatch(/^0 of 0 matches, 0 tokens/);
  });

  it("search --json prints each hit, and then the summary, as a line of protobuf JSON", async () => {
    const shell = createShell();
    for (const place of ["Burgundy", "Champagne"]) await add(shell, `Ada prefers wine of ${place}`);
    const { stdout } = await shell(["search", "--json", "wine"]);
    const responses = stdout
      .trimEnd()
      .split("\n")
      .map((line) => fromJsonString(SearchResponseSchema, line));
    expect(responses.map(({ hits }) => hits.length)).toEqual([1, 1, 0]);
    const contents = responses.flatMap(({ hits }) => hits.map(({ memory }) => memory?.content));
    expect(new Set(contents)).toEqual(
      new Set(["Ada prefers wine of Burgundy", "Ada prefers wine of Champagne"]),
    );
    expect(responses.map(({ summary }) => summary?.returned)).toEqual([undefined, undefined, 2]);
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
    [["--content-contains", "SECO"], ["second"]],
    [["--expression", 'importance > 0.7 && "b" in tags'], ["second"]],
    [
      ["--order", "newest_first"],
      ["second", "first"],
    ],
  ])(
    "recall, list and count use only the memories that the options %j select",
    async (options, contents) => {
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
      const filter = options.filter((word) => !["--order", "newest_first"].includes(word));
      const list = await shell(["list", "--json", ...filter]);
      const listed = listedMemories(list.stdout).map(({ content }) => content);
      expect(listed.sort()).toEqual([...contents].sort());
      expect((await shell(["count", ...filter])).stdout).toBe(`${contents.length}\n`);
    },
  );
});

describe("turn-context", () => {
  it("turn-context prints memories and the turns of a thread as one text", async () => {
    const shell = createShell();
    await add(shell, "Ada prefers dry Burgundy");
    const turn = ["--memory-type", "conversation", "--thread-id", "monday"];
    await add(shell, "Which wine tonight?", ...turn, "--author", "user");
    const options = ["--budget-tokens", "100", "--thread", "monday"];
    const { stdout } = await shell(["turn-context", ...options, "dry Burgundy"]);
    expect(stdout).toMatch(/^- \[\d{4}-\d\d-\d\d\] Ada prefers dry Burgundy$/m);
    expect(stdout).toMatch(/^- \[\d{4}-\d\d-\d\d\] user: Which wine tonight\?$/m);
    const bare = await shell(["turn-context", "--no-annotate", ...options, "dry Burgundy"]);
    expect(bare.stdout).toBe(
      "## Memories\n\n- Ada prefers dry Burgundy\n\n## Conversation\n\n- user: Which wine tonight?\n\n",
    );
    const json = await shell(["turn-context", "--json", ...options, "dry Burgundy"]);
    const reply = fromJsonString(BuildContextResponseSchema, json.stdout);
    expect(reply.text).toBe(stdout);
    expect((await shell(["turn-context", "dry Burgundy"])).exitCode).toBe(2);
  });
});

describe("recall", () => {
  it("recall prints the exact text for a prompt, and prints nothing without a hit", async () => {
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

  it("recall stays within the token budget", async () => {
    const shell = createShell();
    await add(shell, "a wine with a very long description that goes on and on and on");
    await add(shell, "wine");
    const { stdout } = await shell(["recall", "--json", "--budget-tokens", "5", "wine"]);
    const { text, summary } = fromJsonString(RecallResponseSchema, stdout);
    expect(text).toBe("- wine");
    expect(summary?.tokensUsed).toBeLessThanOrEqual(5);
  });
});
