import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";

const run = promisify(execFile);
const docsFolder = join(import.meta.dirname, "../../docs");

/** Pages that show commands, each with its answer. */
const pages = ["notes.md", "toolsets.md"];

/** A command and what the page says it answers. */
interface Example {
  readonly command: string;
  readonly answer: unknown;
}

/** The commands of a page, in order. @throws if one has no JSON right behind it */
function examplesOf(page: string): Example[] {
  const blocks = [...readFileSync(join(docsFolder, page), "utf8").matchAll(/^```(sh|json)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, command = ""], i) => {
    if (language !== "sh" || !command.startsWith("curl ")) return [];
    const [, answerLanguage, answer = ""] = blocks[i + 1] ?? [];
    if (answerLanguage !== "json") throw new Error(`${page}: no answer behind ${command}`);
    return [{ command, answer: JSON.parse(answer) as unknown }];
  });
}

async function hasCurl(): Promise<boolean> {
  return run("curl", ["--version"]).then(
    () => true,
    () => false,
  );
}

describe.each(pages)("docs/%s", (page) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it("shows what the server answers, command by command", async ({ skip }) => {
    skip(!(await hasCurl()), "curl is not installed");
    const examples = examplesOf(page);
    expect(examples).not.toEqual([]);
    for (const { command, answer } of examples) {
      const here = command.replace("curl ", "curl -s ").replaceAll("http://127.0.0.1:8080", server.httpUrl);
      const { stdout } = await run("sh", ["-c", here]);
      expect(JSON.parse(stdout), command).toEqual(answer);
    }
  });
});
