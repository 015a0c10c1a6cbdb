import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";

const run = promisify(execFile);
const projectFolder = join(import.meta.dirname, "../..");
const path = [join(projectFolder, "node_modules", ".bin"), env["PATH"]].join(delimiter);

/** Pages that show commands with their answers. */
const pages = [
  "blocks.md",
  "context.md",
  "notes.md",
  "skills.md",
  "threads.md",
  "tools.md",
  "toolsets.md",
];

/** A command, and its answer on the page if the page shows one. */
interface Example {
  readonly command: string;
  readonly answer: string | undefined;
}

/** The commands of a page, in order. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(join(projectFolder, "docs", "guides", page), "utf8");
  const examples = text.matchAll(/^```sh\n(.*?)^```\n(?:\n```(?:json)?\n(.*?)^```$)?/gms);
  return [...examples].map(([, command = "", answer]) => ({ command, answer }));
}

const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
const timePattern = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const durationPattern = /^[\d.]+s$/;
/** Fields whose values differ from run to run. */
const changing = new Set(["commitSeq", "queryTimeMs"]);

/**
 * Replaces the varying parts of an answer by names. Each new id gets the next name, which `ids`
 * keeps for later answers.
 */
function comparable(answer: string, ids: Map<string, string>): unknown {
  const named = answer.replace(timePattern, "TIME").replace(idPattern, (id) => {
    if (!ids.has(id)) ids.set(id, `ID ${ids.size + 1}`);
    return ids.get(id) ?? id;
  });
  if (!named.startsWith("{")) return named.trim();
  // A stream is one object after another.
  return named.split(/(?<=^\})\n(?=\{)/m).map((message): unknown =>
    JSON.parse(message, (key, value: unknown) => {
      if (changing.has(key)) return "CHANGING";
      if (typeof value === "number") return Number(value.toFixed(4));
      return typeof value === "string" && durationPattern.test(value) ? "DURATION" : value;
    }),
  );
}

/** Returns whether a program is installed. */
async function has(program: string): Promise<boolean> {
  return run(program, ["--version"]).then(
    () => true,
    () => false,
  );
}

describe.each(pages)("docs/guides/%s", (page) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  /** Runs a command of the page with this server's addresses in place of the usual ones. */
  async function shell(command: string): Promise<string> {
    const { host } = new URL(server.grpcUrl);
    const here = command
      .replaceAll("curl http", "curl -s http")
      .replaceAll("http://127.0.0.1:8080", server.httpUrl)
      .replaceAll("127.0.0.1:50051", host);
    const { stdout } = await run("sh", ["-c", here], {
      cwd: projectFolder,
      env: { ...env, PATH: path, VADEMECUM_SERVER: host },
    });
    return stdout;
  }

  it(`docs/guides/${page} shows what the server answers, command by command`, async ({ skip }) => {
    skip(!(await has("curl")), "curl is not installed");
    const examples = examplesOf(page);
    expect(examples.filter(({ answer }) => answer !== undefined)).not.toEqual([]);
    const [pageIds, ids] = [new Map<string, string>(), new Map<string, string>()];
    for (const { command, answer } of examples) {
      const idOf = new Map(Array.from(ids, ([id, name]) => [name, id]));
      const stdout = await shell(
        command.replace(idPattern, (id) => idOf.get(pageIds.get(id) ?? "") ?? id),
      );
      if (answer !== undefined)
        expect(comparable(stdout, ids), command).toEqual(comparable(answer, pageIds));
    }
  });
});
