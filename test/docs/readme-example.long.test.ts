import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../e2e/harness/test-server.js";

const projectFolder = join(import.meta.dirname, "../..");

/** The blocks of the README's first example: each command, and what it prints. */
function exampleBlocks(): readonly string[] {
  const readme = readFileSync(join(projectFolder, "README.md"), "utf8");
  const [, example = ""] = /^## A first example\n(.*?)^## /ms.exec(readme) ?? [];
  return [...example.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

/** Removes ids, times and durations, which differ from run to run. */
function comparable(output: string): string {
  return output
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, "ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d+ ms\b/g, "DURATION");
}

it("the first example of the README prints what the README shows", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const { host } = new URL(server.grpcUrl);
  const [add = "", added = "", search = "", found = "", other = "", nothing = ""] = exampleBlocks();
  const separator = "echo next";
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", [add, search, other].join(`${separator}\n`)],
    { cwd: projectFolder, env: { ...env, VADEMECUM_SERVER: host } },
  );
  const [addOutput = "", ...searches] = stdout.split("next\n").map(comparable);
  expect(addOutput.match(/Stored/g)).toHaveLength(6);
  expect(addOutput).toContain(comparable(added));
  expect(searches).toEqual([found, nothing].map(comparable));
});
