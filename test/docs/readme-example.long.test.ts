import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../e2e/harness/test-server.js";

const projectFolder = join(import.meta.dirname, "../..");

const readme = readFileSync(join(projectFolder, "README.md"), "utf8");
const [, example = ""] = /^## A first example\n(.*?)^## /ms.exec(readme) ?? [];

/** The blocks of the README's first example: each command, and what it prints. */
function exampleBlocks(): readonly string[] {
  return [...example.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

/** The question of the example in other words, a word of its answer, and the relevance. */
function otherWords(): readonly string[] {
  const sentence =
    /\*([^*]+)\* returns only the memory about `(\w+)`, with a relevance of (0\.\d+)/;
  return (sentence.exec(example.replaceAll("\n", " ")) ?? []).slice(1);
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
  const [question = "", word = "", relevance = ""] = otherWords();
  const inOtherWords = search.replace(/"[^"]+"/, `"${question}"`);
  const separator = "echo next";
  const program = 'vademecum() { node dist/main.js "$@"; }\n';
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", program + [add, search, other, inOtherWords].join(`${separator}\n`)],
    { cwd: projectFolder, env: { ...env, VADEMECUM_SERVER: host } },
  );
  const [addOutput = "", ...outputs] = stdout.split("next\n").map(comparable);
  const searches = outputs.slice(0, 2);
  expect(addOutput.match(/Stored/g)).toHaveLength(6);
  expect(addOutput).toContain(comparable(added));
  expect(searches).toEqual([found, nothing].map(comparable));
  expect(question).not.toBe("");
  expect(outputs[2]).toMatch(
    new RegExp(`^1\\. .*${word}.*\\n  relevance ${relevance} .*\\n1 of 1 match`),
  );
});
