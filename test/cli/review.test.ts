import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { createUserClient } from "../e2e/harness/user-client.js";
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

it("thirty edits of three users are decided one after the other, the oldest first", async () => {
  const users = ["ada", "bob", "cem"].map((name) => userOf(name));
  const words = Array.from({ length: 10 }, (_, i) => `word${i}`);
  for (const user of users) await user.put(words.join(" "));
  for (const word of words)
    for (const user of users) await user.proposed({ old: word, new: word.toUpperCase() });
  const { stdout, stderr, exitCode } = await review(Array<string>(30).fill("y"));
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const heads = stdout.split("\n").filter((line) => /^\d+ of 30 {2}/.test(line));
  expect(heads.map((line) => line.replace(/ {2}[0-9a-f-]+ /, ""))).toEqual(
    words.flatMap((_, word) =>
      ["ada", "bob", "cem"].map(
        (name, user) => `${word * 3 + user + 1} of 30 block 'student' of user '${name}'`,
      ),
    ),
  );
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

it("an edit that cannot be applied is reported, and the review goes on", async () => {
  const ada = userOf("ada");
  await ada.put("tea and bread");
  await ada.proposed({ old: "tea", new: "coffee" });
  await ada.proposed({ old: "bread", new: "rolls" });
  await ada.put("bread");
  const { stdout, exitCode } = await review(["y", "y"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("PROPOSAL_CONFLICTED");
  expect(stdout).toMatch(/1 approved, 1 failed, 1 edit left\.\n$/);
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
