import { execPath } from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../cli/run-command.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../e2e/harness/credentialed-server.js";
import { required } from "../e2e/harness/namespace-client.js";
import { tlsFile, tlsUrl } from "../e2e/harness/tls-client.js";
import { program, startMcpProcess } from "./mcp-process.js";

const writer = { roles: ["writer"], users: ["ann"], agents: ["desktop"] } as const;
const owner = ["--user", "ann", "--agent", "desktop"];

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(
    [
      { name: "desktop", ...writer },
      { name: "reader", ...writer, roles: ["reader"] },
      { name: "planner", ...writer, certificates: ["spiffe://example/planner"] },
    ],
    {
      "tls-cert": tlsFile("cert.pem"),
      "tls-key": tlsFile("key.pem"),
      "tls-client-ca": tlsFile("client-ca.pem"),
    },
  );
});
afterAll(() => server?.stop());

function keyOf(name: string): string {
  return required(server, "no server").headerOf(name).authorization.replace("Bearer ", "");
}

/** Calls a tool through `vademecum mcp` in its own process, over TLS. */
async function callTool(
  tool: { readonly name: string; readonly arguments: Record<string, unknown> },
  env: Record<string, string>,
  flags: readonly string[] = [],
) {
  const client = new Client({ name: "test host", version: "1" });
  onTestFinished(() => client.close());
  const url = tlsUrl(required(server, "no server").grpcUrl);
  await client.connect(
    new StdioClientTransport({
      command: execPath,
      args: [program, "mcp", ...owner, "--server", url, "--tls-ca", tlsFile("cert.pem"), ...flags],
      env,
      stderr: "inherit",
    }),
  );
  const { isError, content } = await client.callTool(tool);
  return { isError: isError === true, text: JSON.stringify(content) };
}

const add = { name: "add_memory", arguments: { content: "Ann prefers the aisle seat" } };
const search = { name: "search_memory", arguments: { query: "seat" } };

it("`vademecum mcp` can call a server over TLS with the API key of its environment", async () => {
  const env = { VADEMECUM_API_KEY: keyOf("desktop") };
  expect((await callTool(add, env)).isError).toBe(false);
  expect((await callTool(search, env)).text).toContain("aisle seat");
});

it("`vademecum mcp` can call a server over TLS with a client certificate", async () => {
  const shown = ["--tls-cert", tlsFile("client-cert.pem"), "--tls-key", tlsFile("client-key.pem")];
  expect((await callTool(add, {}, shown)).isError).toBe(false);
});

it("`vademecum mcp` reports a missing key or role to its MCP host", async () => {
  const missing = await callTool(add, {});
  expect(missing).toMatchObject({ isError: true });
  expect(missing.text).toContain("this server needs valid credentials");
  const reading = await callTool(add, { VADEMECUM_API_KEY: keyOf("reader") });
  expect(reading).toMatchObject({ isError: true });
  expect(reading.text).toContain("needs the role 'writer'");
});

it("`vademecum mcp` refuses to start with a key that would cross a network in plaintext", async () => {
  const environment = { VADEMECUM_API_KEY: keyOf("desktop") };
  for (const address of ["memory.example:50051", "http://192.168.1.5:50051", "[2001:db8::1]:1"]) {
    const { exitCode, stderr } = await runCommand(["mcp", ...owner, "--server", address], {
      environment,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("in plaintext, so others could read it");
    expect(stderr).not.toContain(environment.VADEMECUM_API_KEY);
  }
});

it("`vademecum mcp --listen` with a key answers only callers with the secret that it printed, a new one at each start", async () => {
  const flags = ["--run", "r", "--server", "127.0.0.1:1"];
  const start = async (environment: Readonly<Record<string, string>>) => {
    const started = await startMcpProcess(flags, environment);
    onTestFinished(async () => void (await started.end()));
    return started;
  };
  const statusOf = async (url: URL, authorization = "") => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const key = { VADEMECUM_API_KEY: keyOf("desktop") };
  const [first, second, open] = [await start(key), await start(key), await start({})];
  expect(first.authorization).not.toBe(second.authorization);
  expect(open.authorization).toBeUndefined();
  expect(await statusOf(first.url)).toBe(401);
  expect(await statusOf(first.url, second.authorization)).toBe(401);
  expect(await statusOf(first.url, first.authorization)).toBe(200);
  expect(await statusOf(open.url)).toBe(200);
  const chosen = await start({ ...key, VADEMECUM_LISTEN_SECRET: "none" });
  expect(await statusOf(chosen.url)).toBe(200);
});
