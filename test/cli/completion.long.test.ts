import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program } from "../mcp/mcp-process.js";
import { runCommand } from "./run-command.js";

/** A folder with the command `vademecum` for the shells, and the home of its user. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-completion-"));
  const command = join(folder, "vademecum");
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(command, 0o755);
  await writeFile(join(folder, "memories.json"), "[]");
  const added = await runCommand(["context", "add", "work"], { environment: { HOME: folder } });
  expect(added.exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script in a shell whose user has the completions of `vademecum`. */
async function inShell(shell: string, before: string, script: string): Promise<string[]> {
  const { stdout: completion } = await runCommand(["completion", shell]);
  const { stdout, stderr } = spawnSync(shell, ["-c", `${before}\n${completion}\n${script}`], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: `${folder}:${env["PATH"] ?? ""}`, HOME: folder },
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

/** Returns what bash would offer for the last of the words. */
async function inBash(...words: readonly string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  return inShell(
    "bash",
    "",
    `COMP_WORDS=(vademecum ${quoted}); COMP_CWORD=${words.length}
     _vademecum vademecum; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
}

/** Returns what the command line offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommand(["__complete", ...words], { environment: { HOME: folder } });
  return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

it("bash completes commands, subcommands, options, their values and contexts", async () => {
  expect(await inBash("re")).toEqual([
    "restore",
    "reindex",
    "report",
    "recall",
    "review",
    "reject",
  ]);
  expect(await inBash("block", "re")).toEqual(["restore", "rename", "render"]);
  expect(await inBash("search", "--min")).toEqual(["--min-relevance"]);
  expect(await inBash("search", "--order", "new")).toEqual(["newest_first"]);
  expect(await inBash("list", "--context", "")).toEqual(["work"]);
});

it("a shell runs nothing of what is typed when it completes", async () => {
  expect(await inBash("add", "$(touch pwned); `touch pwned`", "--tag")).toEqual(["--tag"]);
  expect(await inShell("bash", "", "ls")).not.toContain("pwned");
});

it.skipIf(spawnSync("zsh", ["--version"]).error !== undefined)(
  "zsh completes commands and the values of options",
  async () => {
    const offer = (...words: readonly string[]) =>
      inShell(
        "zsh",
        `compdef() { :; }; _describe() { print -l -- \${(P)4} }; _files() { print files }`,
        `words=(vademecum ${words.join(" ")} ''); CURRENT=${words.length + 2}; _vademecum`,
      );
    expect(await offer()).toContain("search:");
    expect(await offer("search", "--order")).toContain("newest_first:");
    expect(await offer("import")).toEqual(["files"]);
  },
);

it.skipIf(spawnSync("fish", ["--version"]).error !== undefined)(
  "fish completes commands and the values of options",
  async () => {
    const offer = (line: string) => inShell("fish", "", `complete -C '${line}'`);
    expect(await offer("vademecum sea")).toEqual(["search"]);
    expect(await offer("vademecum search --order new")).toEqual(["newest_first"]);
    expect(await offer("vademecum import mem")).toEqual(["memories.json"]);
  },
);

it("completion follows the definition of each command", async () => {
  expect(await offered("se")).toEqual(["serve", "serve-testing", "search"]);
  expect(await offered("--v")).toEqual(["--version"]);
  expect(await offered("no-command", "")).toEqual([]);
  expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await offered("context", "use", "")).toEqual(["work"]);
  expect(await offered("context", "add", "")).toEqual([]);
  expect(await offered("search", "--order=new")).toEqual(["--order=newest_first"]);
  expect(await offered("search", "--order", "=", "")).toContain("relevance");
  expect(await offered("serve", "--tls-cert", "")).toEqual([":files"]);
  expect(await offered("search", "--limit", "")).toEqual([]);
  expect(await offered("search", "--limit", "5", "--lim")).toEqual(["--limit"]);
  expect(await offered("add", "--", "--ta")).toEqual([]);
  const { stdout } = await runCommand(["__complete", "keys", "cr"]);
  expect(stdout).toMatch(/^create\t[A-Z][^\t\n]+\n$/);
});

it("completion knows only three shells", async () => {
  const { exitCode, stderr } = await runCommand(["completion", "powershell"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish");
});
