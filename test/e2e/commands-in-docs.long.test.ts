import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { required } from "./harness/namespace-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const run = promisify(execFile);
const projectFolder = fileURLToPath(new URL("../..", import.meta.url));
/** The folder into which `node scripts/go-tools.mjs` installs. */
const goTools = execFileSync(
  execPath,
  [join(projectFolder, "scripts", "go-tools.mjs"), "--folder"],
  { encoding: "utf8" },
).trim();
/** The PATH of the commands. Tools at pinned versions come first. */
const path = [join(projectFolder, "node_modules", ".bin"), goTools, env["PATH"]].join(delimiter);

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

/**
 * Runs a shell command of the documentation with this server's addresses instead of the usual ones.
 */
async function shell(command: string): Promise<string> {
  const { grpcUrl, httpUrl } = required(server, "the server is not running");
  const here = command
    .replaceAll("127.0.0.1:50051", new URL(grpcUrl).host)
    .replaceAll("127.0.0.1:8080", new URL(httpUrl).host);
  const { stdout } = await run("sh", ["-c", here], {
    cwd: projectFolder,
    env: { ...env, PATH: path },
  });
  return stdout;
}

const tools = ["curl", "buf", "grpcurl", "ghz"];

async function has(tool: string): Promise<boolean> {
  try {
    await run("sh", ["-c", `command -v ${tool}`], { env: { ...env, PATH: path } });
    return true;
  } catch {
    return false;
  }
}

const missing = new Set(
  (await Promise.all(tools.map(async (tool) => ((await has(tool)) ? [] : [tool])))).flat(),
);

/** Skips a test whose tool is missing. With CI_REQUIRE_TOOLCHAINS=1, a missing tool is an error. */
function needTool(tool: string, skip: (condition: boolean, note: string) => void): void {
  const isRequired = env["CI_REQUIRE_TOOLCHAINS"] === "1";
  if (isRequired && missing.has(tool))
    throw new Error(`${tool} is not installed, and CI_REQUIRE_TOOLCHAINS asks for it`);
  skip(
    missing.has(tool),
    `${tool} is not installed (node scripts/go-tools.mjs installs what Go can build)`,
  );
}

const namespace = { userId: "tools", agentId: "agent" };

describe("buf curl, which gets the service's definition from the server", () => {
  it.each([
    { protocol: "grpc", url: "http://127.0.0.1:50051" },
    { protocol: "grpc", url: "http://127.0.0.1:8080" },
    { protocol: "connect", url: "http://127.0.0.1:8080" },
    { protocol: "grpcweb", url: "http://127.0.0.1:8080" },
  ])(
    "buf curl adds, searches and recalls with the protocol $protocol at $url",
    async ({ protocol, url }) => {
      const call = async (method: string, request: unknown) => {
        const service = `${url}/vademecum.v1.MemoryProvider`;
        return JSON.parse(
          await shell(
            `buf curl --protocol ${protocol} --http2-prior-knowledge -d '${JSON.stringify(request)}' ${service}/${method}`,
          ),
        ) as unknown;
      };
      const content = `Told over ${protocol} on port ${url.split(":").at(-1)}`;
      expect(await call("Add", { namespace, content })).toMatchObject({
        id: expect.any(String) as unknown,
      });
      const query = {
        namespace,
        query: `over ${protocol}`,
        filter: { contentContains: content },
      };
      expect(await call("Search", query)).toMatchObject({
        hits: [{ memory: { content } }],
        summary: { returned: 1 },
      });
      expect(await call("Recall", { search: query })).toMatchObject({ text: `- ${content}` });
    },
  );

  it("buf curl prints the invalid field", async () => {
    const call = shell(
      `buf curl --protocol connect --http2-prior-knowledge -d '{"content":"x"}' http://127.0.0.1:8080/vademecum.v1.MemoryProvider/Add`,
    );
    await expect(call).rejects.toMatchObject({
      stderr: expect.stringContaining("namespace") as unknown,
    });
  });
});

describe("plain curl", () => {
  it("plain curl adds and recalls with JSON over HTTP/1.1", async ({ skip }) => {
    needTool("curl", skip);
    const call = async (method: string, request: unknown) =>
      JSON.parse(
        await shell(
          `curl -sS --fail-with-body --http1.1 http://127.0.0.1:8080/vademecum.v1.MemoryProvider/${method} -H 'content-type: application/json' -d '${JSON.stringify(request)}'`,
        ),
      ) as unknown;
    expect(await call("Add", { namespace, content: "Told with curl" })).toMatchObject({
      id: expect.any(String) as unknown,
    });
    const recalled = await call("Recall", {
      search: { namespace, query: "curl", filter: { contentContains: "Told with curl" } },
    });
    expect(recalled).toMatchObject({ text: "- Told with curl", summary: { returned: 1 } });
  });
});

/** A shell block of a page, with its output if the page shows it. */
interface Command {
  readonly tool: string;
  readonly command: string;
  readonly output: { readonly kind: string; readonly text: string } | undefined;
}

/** The shell blocks of a page that call one of the tools, in their order. */
function commandsIn(page: string): Command[] {
  const text = readFileSync(join(projectFolder, page), "utf8");
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n(?:\n```(json|text)\n(.*?)^```\n)?/gms);
  return [...blocks].flatMap(([, command = "", kind, printed]) => {
    const tool = tools.find((name) => new RegExp(`^ *(?:npx )?${name} `, "m").test(command));
    const output =
      kind === undefined || printed === undefined ? undefined : { kind, text: printed };
    return tool === undefined ? [] : [{ tool, command, output }];
  });
}

describe.each(["README.md", "docs/guides/recipes.md"])("the commands of %s", (page) => {
  const commands = commandsIn(page).map((it, index) => ({
    ...it,
    title: `${index + 1}: ${it.command.split("\n", 1)[0]}`,
  }));

  it(`${page} has commands for several tools`, () => {
    expect(new Set(commands.map(({ tool }) => tool)).size).toBeGreaterThanOrEqual(3);
  });

  it.for(commands)(
    "the command runs as written and prints what the page shows: $title",
    async ({ tool, command, output }, { skip }) => {
      needTool(tool, skip);
      const printed = await shell(command);
      if (tool === "ghz") {
        expect(statusCodes(printed)).toEqual(["[OK] 500 responses"]);
        if (output !== undefined) expect(statusCodes(output.text)).toEqual(statusCodes(printed));
      } else if (output?.kind === "text") {
        expect(withoutNumbers(printed)).toBe(withoutNumbers(output.text));
      } else {
        expect(JSON.parse(printed)).not.toHaveProperty("code");
        if (output !== undefined && page !== "README.md")
          expect(keysOf(JSON.parse(printed))).toEqual(keysOf(JSON.parse(output.text)));
      }
    },
  );
});

it("this test runs every command in docs/guides/recipes.md, with the versions that the page installs", () => {
  const page = readFileSync(join(projectFolder, "docs", "guides", "recipes.md"), "utf8");
  expect(page.match(/^```(?!json|text|$)/gm)).toHaveLength(
    commandsIn("docs/guides/recipes.md").length,
  );
  const installed = [...page.matchAll(/`go install (\S+)`/g)].map(([, name]) => name);
  const goToolsScript = readFileSync(join(projectFolder, "scripts", "go-tools.mjs"), "utf8");
  expect(installed).toHaveLength(2);
  expect(installed.filter((name) => !goToolsScript.includes(`"${name}"`))).toEqual([]);
});

/** The lines of a ghz report with the number of calls for each status. */
function statusCodes(report: string): string[] {
  const [, counts = ""] = report.split("Status code distribution:");
  return counts
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => line.replace(/\s+/g, " "));
}

/** Replaces ids and numbers by `#`, because they differ from run to run. */
function withoutNumbers(text: string): string {
  return text
    .trim()
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+(?:\.\d+)?(?:e-\d+)?/g, "#");
}

/** The paths of all values in JSON. */
function keysOf(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}/${key}`));
}
