import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { required } from "./harness/namespace-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const run = promisify(execFile);
const projectFolder = fileURLToPath(new URL("../..", import.meta.url));
/** The tools that npm has installed come first. */
const path = [fileURLToPath(new URL("../../node_modules/.bin", import.meta.url)), env["PATH"]].join(delimiter);

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

/** Runs a shell command as it stands in the documentation, with this server's addresses in place of the usual ones. */
async function shell(command: string): Promise<string> {
  const { grpcUrl, httpUrl } = required(server, "the server is not running");
  const here = command.replaceAll("127.0.0.1:50051", new URL(grpcUrl).host).replaceAll("127.0.0.1:8080", new URL(httpUrl).host);
  const { stdout } = await run("sh", ["-c", here], { cwd: projectFolder, env: { ...env, PATH: path } });
  return stdout;
}

async function has(tool: string): Promise<boolean> {
  try {
    await run("sh", ["-c", `command -v ${tool}`], { env: { ...env, PATH: path } });
    return true;
  } catch {
    return false;
  }
}

const available = new Map(await Promise.all(["curl", "buf", "grpcurl"].map(async (tool) => [tool, await has(tool)] as const)));

const namespace = { userId: "tools", agentId: "agent" };

describe("buf curl, which learns the service from the server", () => {
  it.each([
    { protocol: "grpc", url: "http://127.0.0.1:50051" },
    { protocol: "grpc", url: "http://127.0.0.1:8080" },
    { protocol: "connect", url: "http://127.0.0.1:8080" },
    { protocol: "grpcweb", url: "http://127.0.0.1:8080" },
  ])("adds, searches and recalls with the protocol $protocol at $url", async ({ protocol, url }) => {
    const call = async (method: string, request: unknown) => {
      const service = `${url}/vademecum.v1.MemoryProvider`;
      return JSON.parse(
        await shell(`buf curl --protocol ${protocol} --http2-prior-knowledge -d '${JSON.stringify(request)}' ${service}/${method}`),
      ) as unknown;
    };
    const content = `Told over ${protocol} on port ${url.split(":").at(-1)}`;
    expect(await call("Add", { namespace, content })).toMatchObject({ id: expect.any(String) as unknown });
    const query = { namespace, query: `over ${protocol}`, filter: { expression: `content == "${content}"` } };
    expect(await call("Search", query)).toMatchObject({ hits: [{ memory: { content } }], summary: { returned: 1 } });
    expect(await call("Recall", { search: query })).toMatchObject({ text: `- ${content}` });
  });

  it("prints the field at fault", async () => {
    const call = shell(
      `buf curl --protocol connect --http2-prior-knowledge -d '{"content":"x"}' http://127.0.0.1:8080/vademecum.v1.MemoryProvider/Add`,
    );
    await expect(call).rejects.toMatchObject({ stderr: expect.stringContaining("namespace") as unknown });
  });
});

describe("plain curl", () => {
  it("adds and recalls with JSON over HTTP/1.1", async ({ skip }) => {
    skip(available.get("curl") !== true, "curl is not installed");
    const call = async (method: string, request: unknown) =>
      JSON.parse(
        await shell(
          `curl -sS --fail-with-body --http1.1 http://127.0.0.1:8080/vademecum.v1.MemoryProvider/${method} -H 'content-type: application/json' -d '${JSON.stringify(request)}'`,
        ),
      ) as unknown;
    expect(await call("Add", { namespace, content: "Told with curl" })).toMatchObject({ id: expect.any(String) as unknown });
    const recalled = await call("Recall", { search: { namespace, query: "curl", filter: { expression: 'content == "Told with curl"' } } });
    expect(recalled).toMatchObject({ text: "- Told with curl", summary: { returned: 1 } });
  });
});

describe("the commands of the README", () => {
  const tools = [...available].map(([tool, isThere]) => ({ tool, isThere }));

  it.for(tools)("work as they stand: $tool", async ({ tool, isThere }, { skip }) => {
    skip(!isThere, `${tool} is not installed`);
    const commands = await commandsInReadme(tool);
    expect(commands).not.toEqual([]);
    for (const command of commands) expect(JSON.parse(await shell(command))).not.toHaveProperty("code");
  });
});

/** The shell blocks of the README that begin with a tool's name. */
async function commandsInReadme(tool: string): Promise<string[]> {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
  return blocks.filter((block) => block.startsWith(`${tool} `));
}
