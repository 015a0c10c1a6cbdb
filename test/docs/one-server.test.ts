import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/operate/one-server.md"), "utf8");
const script = [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, block = ""]) => block)
  .join("\n");

describe("docs/operate/one-server.md", () => {
  it("the commands of docs/operate/one-server.md are valid for a shell", () => {
    execFileSync("bash", ["-n"], { input: script });
    expect(script.split("\n").length).toBeGreaterThan(30);
  });

  it("the commands of docs/operate/one-server.md exist with their options", async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const root = await createProgram({
      ...{ stdin, stdout, stderr, environment: {}, invocation: "vademecum" },
    });
    const lines = script
      .replaceAll("\\\n", " ")
      .replaceAll(/^ *keys /gm, "vademecum keys ")
      .split("\n")
      .filter((line) => /(?:^| )vademecum [a-z]/.test(line) && !/^systemctl|\$@/.test(line));
    let options = 0;
    for (const line of lines) {
      const [, words = ""] = /(?:^| )vademecum ([a-z].*)$/.exec(line) ?? [];
      const names = words.split(" ");
      const command = root.commands.find((it) => it.name() === names[0]);
      if (command === undefined) continue;
      const subcommand = command.commands.find((it) => it.name() === names[1]) ?? command;
      const known = new Set(subcommand.options.map(({ long }) => long));
      for (const [option] of words.replaceAll(/\$\(.*?\)/g, "").matchAll(/(?<= )--[a-z-]+/g)) {
        expect(known, `${line}: ${option}`).toContain(option);
        options++;
      }
    }
    expect(options).toBeGreaterThan(20);
  });
});
