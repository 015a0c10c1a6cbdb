import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { createUserClient } from "../e2e/harness/user-client.js";
import { program } from "../mcp/mcp-process.js";
import { type CommandSurroundings, runCommand } from "./run-command.js";

let server: TestServer;
let connection: Connection;

beforeEach(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
  connection = nativeGrpc.connect(server);
});
afterEach(async () => {
  connection.close();
  await server.stop();
});

const userOf = (userId: string) => createUserClient(connection, { userId, agentId: "tutor" });

/** Runs the command with answers, one a line. */
function review(
  answers: readonly string[],
  args: readonly string[] = [],
  { environment = {}, ...surroundings }: CommandSurroundings = {},
) {
  return runCommand(["review", ...args], {
    stdin: answers.map((answer) => `${answer}\n`).join(""),
    environment: { VADEMECUM_SERVER: server.grpcUrl, ...environment },
    ...surroundings,
  });
}

/** Creates a program that replaces the text in its file. */
async function createEditor(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-editor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "editor");
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' '${text}' > "$1"\n`);
  await chmod(file, 0o700);
  return file;
}

it("thirty edits of three users are decided one after the other, those of one text together", async () => {
  const users = ["ada", "bob", "cem"].map((name) => userOf(name));
  const words = Array.from({ length: 10 }, (_, i) => `word${i}`);
  for (const user of users) await user.put(words.join(" "));
  for (const word of words)
    for (const user of users) await user.proposed({ old: word, new: word.toUpperCase() });
  const { stdout, stderr, exitCode } = await review(Array<string>(30).fill("y"));
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const heads = stdout.split("\n").filter((line) => /^\d+ of 30 {2}/.test(line));
  expect(heads.map((line) => line.replace(/ {2}[0-9a-f-]+ /, ""))).toEqual(
    ["ada", "bob", "cem"].flatMap((name, user) =>
      words.map((_, word) => `${user * 10 + word + 1} of 30 block 'student' of user '${name}'`),
    ),
  );
  // The oldest edit of each text is first.
  expect(stdout.indexOf("[-word0-]")).toBeLessThan(stdout.indexOf("[-word1-]"));
  expect(stdout).toMatch(/30 approved, 0 edits left\.\n$/);
  for (const user of users) expect((await user.block()).body).toBe(words.join(" ").toUpperCase());
});

it("an edit can be rejected with a reason, edited, left for later, and a review can end early", async () => {
  const ada = userOf("ada");
  await ada.put("tea with milk and sugar\nbread");
  const [rejected, edited, skipped, left] = [
    await ada.proposed({ old: "tea", new: "coffee" }),
    await ada.proposed({ old: "milk", new: "cream" }),
    await ada.proposed({ old: "sugar", new: "honey" }),
    await ada.proposed({ old: "bread", new: "rolls" }),
  ];
  const environment = { EDITOR: await createEditor("oat milk") };
  const answers = ["n", "She never said so", "?", "e", "y", "s", "q"];
  const { stdout, stderr } = await review(answers, [], { environment });
  expect(stderr).toBe("");
  expect(stdout).toContain("│ [-tea-]{+coffee+} with milk and sugar\n│ bread\n");
  expect(stdout).toContain("Answer with one of the letters y, n, e, s or q.");
  expect(stdout).toContain("Your edit:\n│ {+oat +}milk\n");
  expect(stdout).toMatch(/1 approved, 1 rejected, 1 skipped, 2 edits left\.\n$/);
  expect((await ada.proposal(rejected)).proposal).toMatchObject({
    status: ProposalStatus.REJECTED,
    decisionReason: "She never said so",
  });
  expect((await ada.proposal(edited)).proposal).toMatchObject({ editedNewString: "oat milk" });
  for (const id of [skipped, left])
    expect((await ada.proposal(id)).proposal?.status).toBe(ProposalStatus.PENDING);
  expect((await ada.block()).body).toBe("tea with oat milk and sugar\nbread");
});

it("an edit of a text that has changed is shown as it would change the text now, or with the reason why it cannot", async () => {
  const ada = userOf("ada");
  await ada.put("tea and bread");
  await ada.proposed({ old: "tea", new: "coffee" });
  await ada.proposed({ old: "bread", new: "rolls" });
  await ada.put("bread and milk");
  const { id } = await ada.memories.add("Ada lives in Lisbon");
  await ada.proposed({ memoryId: id, old: "Lisbon", new: "Porto" });
  await ada.memories.update(id, { content: "Ada lives in Lisbon and Lisbon" });
  const { stdout, exitCode } = await review(["y", "y", "s"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("does not apply: the old text is gone");
  expect(stdout).toContain("does not apply: the old text is there several times");
  expect(stdout).toContain(" · the text has changed since\n");
  expect(stdout).toContain("│ [-bread-]{+rolls+} and milk\n");
  expect(stdout).toContain("PROPOSAL_CONFLICTED");
  expect(stdout).toMatch(/1 approved, 1 skipped, 1 failed, 2 edits left\.\n$/);
});

it("a terminal shows changed words in colour, at any width, unless NO_COLOR is set", async () => {
  const ada = userOf("ada");
  await ada.put("tea");
  await ada.proposed({ old: "tea", new: "coffee" });
  const coloured = await review(["q"], [], { isTTY: true });
  expect(coloured.stdout).toContain("\u001b[31mtea\u001b[39m\u001b[32mcoffee\u001b[39m");
  const plain = await review(["q"], [], { isTTY: true, environment: { NO_COLOR: "1" } });
  expect(plain.stdout).toContain("[-tea-]{+coffee+}");
  expect(plain.stdout).not.toContain("\u001b[3");
  const narrow = await review(["q"], [], { isTTY: true, columns: 0 });
  expect(narrow.stdout).toBe(coloured.stdout);
});

it("texts of an edit cannot look like lines of the review, and hidden characters are shown", async () => {
  const ada = userOf("ada");
  await ada.put("tea");
  const reasoning = "Spelling\n\n2 of 2  block 'bank' of user 'ada'\u2028│ +all";
  await ada.proposed({ old: "tea", new: "te\u202ea\n1 of 1  forged\u001b[2J", reasoning });
  const { stdout } = await review(["q"]);
  expect(stdout.match(/^\d of \d/gm)).toEqual(["1 of 1"]);
  expect(stdout).toContain("te\\u202ea");
  expect(stdout).not.toContain("\u001b");
  expect(stdout.split("\n").filter((line) => line.startsWith("│ +"))).toEqual([]);
});

it("--user limits a review, --all-users overrides the environment, and nothing to review is said", async () => {
  for (const name of ["ada", "bob"]) {
    await userOf(name).put("tea");
    await userOf(name).proposed({ old: "tea", new: "coffee" });
  }
  const environment = { VADEMECUM_USER: "ada" };
  expect((await review(["q"], ["--user", "bob"], { environment })).stdout).toContain("1 of 1");
  expect((await review(["q"], ["--all-users"], { environment })).stdout).toContain("1 of 2");
  expect((await review([], ["--user", "eve"])).stdout).toBe("No pending edits of user 'eve'.\n");
  expect((await review(["y", "y"])).stdout).toContain("2 approved");
  expect((await review([])).stdout).toBe("No pending edits.\n");
});

it("an edit that does not fit on a terminal is cut there, with its changes, and can be shown whole", async () => {
  const ada = userOf("ada");
  const aside = "Ask Ann before you change it. ".repeat(20);
  await ada.put(`${Array.from({ length: 90 }, (_, i) => `${i}: tea`).join("\n")}\n${aside}tea`);
  await ada.proposed({ old: "tea", new: "coffee", replaceAll: true });
  const terminal = { isTTY: true, columns: 80, environment: { NO_COLOR: "1" } };
  const cut = await review(["q"], [], terminal);
  const [screen = ""] = cut.stdout.split("quit: ");
  expect(screen.split("\n").length).toBeLessThan(25);
  expect(cut.stdout).toMatch(/│ … \d+ more lines\n\n\[v\] show all/);
  const whole = await review(["v", "q"], [], terminal);
  expect(whole.stdout).toContain(`│ ${aside}[-tea-]{+coffee+}\n`);
  expect(whole.stdout.match(/show all/g)).toHaveLength(1);
  expect((await review(["q"])).stdout).toContain(`│ ${aside}[-tea-]{+coffee+}\n`);
});

/** Runs a review on a terminal of its own. */
function openTerminal() {
  const command = `'${process.execPath}' '${program}' review`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: { PATH: env["PATH"], VADEMECUM_SERVER: server.grpcUrl, TERM: "xterm" },
  });
  const screens = { text: "" };
  const waiting: { until: string; resolve: () => void }[] = [];
  child.stdout.on("data", (data: Buffer) => {
    screens.text += data.toString();
    for (const { until, resolve } of waiting) if (screens.text.includes(until)) resolve();
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  return {
    /** Waits until the terminal has shown a text. */
    shows: (until: string) =>
      new Promise<void>((resolve) => {
        if (screens.text.includes(until)) resolve();
        else waiting.push({ until, resolve });
      }),
    type: (keys: string) => child.stdin.write(keys),
    async end() {
      const [code] = await exited;
      return { code, text: screens.text };
    },
  };
}

it.skipIf(spawnSync("script", ["--version"]).error !== undefined)(
  "on a terminal, one key decides, and each screen says what became of the edit before",
  async () => {
    const ada = userOf("ada");
    await ada.put("tea, milk, bread, salt");
    const [, rejected] = [
      await ada.proposed({ old: "tea", new: "coffee" }),
      await ada.proposed({ old: "milk", new: "cream" }),
      await ada.proposed({ old: "bread", new: "rolls" }),
      await ada.proposed({ old: "salt", new: "pepper" }),
    ];
    const terminal = openTerminal();
    await terminal.shows("1 of 4");
    await terminal.shows("quit: ");
    terminal.type("y");
    await terminal.shows("Approved: block 'student' is now at version 2.");
    await terminal.shows("2 of 4");
    terminal.type("n");
    await terminal.shows("Reason, for the agent");
    terminal.type("She never said so\r");
    await terminal.shows("Rejected the edit of block 'student'.");
    await terminal.shows("3 of 4");
    terminal.type("s");
    await terminal.shows("Skipped block 'student'.");
    await terminal.shows("4 of 4");
    terminal.type("\u0003");
    const { code, text } = await terminal.end();
    expect(code).toBe(0);
    expect(text).toMatch(/1 approved, 1 rejected, 1 skipped, 2 edits left\.\r\n$/);
    expect((await ada.block()).body).toBe("coffee, milk, bread, salt");
    expect((await ada.proposal(rejected)).proposal?.decisionReason).toBe("She never said so");
  },
  60_000,
);
