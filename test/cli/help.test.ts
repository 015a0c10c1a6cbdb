import { describe, expect, it } from "vitest";
import { serverSettings } from "../../src/config/server-settings.js";
import type { Setting } from "../../src/config/setting.js";
import { environmentName } from "../../src/config/setting.js";
import { runCommand } from "./run-command.js";

const commands = [
  "serve",
  "dev",
  "serve-testing",
  "demo",
  "console",
  "health",
  "status",
  "jobs",
  "verify",
  "audit",
  "backup",
  "restore",
  "new-epoch",
  "move",
  "calibrate",
  "prune",
  "forget",
  "reindex",
  "config",
  "keys",
  "report",
  "add",
  "search",
  "recall",
  "turn-context",
  "list",
  "count",
  "get",
  "update",
  "explain",
  "delete",
  "block",
  "skills",
  "notes",
  "export",
  "import",
  "mcp",
  "test",
  "propose",
  "proposals",
  "review",
  "approve",
  "reject",
  "context",
  "completion",
];

describe("help", () => {
  it("help lists exactly the commands of vademecum", async () => {
    const { exitCode, stdout } = await runCommand(["--help"]);
    expect(exitCode).toBe(0);
    const named = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, command]) => command);
    expect(named).toEqual(commands);
  });

  it.each(commands)("the help of %s has an example", async (command) => {
    const { exitCode, stdout } = await runCommand([command, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`$ vademecum ${command}`);
  });

  it("the help of serve shows flag, environment variable and default of each setting", async () => {
    const { stdout } = await runCommand(["serve", "--help"]);
    const words = stdout.replaceAll(/\s+/g, " ");
    for (const { flag, defaultText, isSecret } of Object.values<Setting<unknown>>(serverSettings)) {
      if (isSecret) {
        // The flag for a file with the secret begins with the same words.
        expect(words).not.toMatch(new RegExp(`--${flag}(?!-)`));
        expect(words).toContain(environmentName(flag));
        continue;
      }
      expect(words).toContain(`--${flag}`);
      expect(words).toContain(
        defaultText === undefined
          ? `[${environmentName(flag)}]`
          : `[${environmentName(flag)}, default ${defaultText}]`,
      );
    }
  });

  it("a wrong command line prints an error and exits with 2", async () => {
    for (const args of [[], ["sreve"], ["add", "one", "two"], ["get"]]) {
      const { exitCode, stderr } = await runCommand(args);
      expect(exitCode).toBe(2);
      expect(stderr).not.toBe("");
    }
  });

  it("an unknown command is an error, also with --help", async () => {
    for (const args of [["sreve"], ["sreve", "--help"], ["sreve", "-h"]]) {
      const { exitCode, stdout, stderr } = await runCommand(args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toContain("unknown command 'sreve'");
    }
  });

  it("help shows the options of the connection last, and fits a terminal that tells no width", async () => {
    const { stdout } = await runCommand(["search", "--help"], { isTTY: true, columns: 0 });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(105);
    const flags = [...stdout.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(flags.indexOf("--limit")).toBeLessThan(flags.indexOf("--server"));
    expect(flags.slice(-1)).toEqual(["--tls-key"]);
  });

  it("--version prints the version", async () => {
    expect(await runCommand(["--version"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown,
    });
  });
});

it.each(commands)(
  "the examples of %s can be pasted: each line but the last one goes on",
  async (name) => {
    const { stdout } = await runCommand([name, "--help"]);
    const lines = stdout.slice(stdout.search(/^Examples?:/m)).split("\n");
    const broken = lines.filter(
      (line, at) => line.startsWith("      ") && !(lines[at - 1] ?? "").endsWith("\\"),
    );
    expect(broken).toEqual([]);
  },
);
