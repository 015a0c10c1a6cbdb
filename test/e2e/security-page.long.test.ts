import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env, execPath } from "node:process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { required } from "./harness/namespace-client.js";

const run = promisify(execFile);
const projectFolder = join(import.meta.dirname, "..", "..");

async function has(command: string): Promise<boolean> {
  return run("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  );
}

const tools = { openssl: await has("openssl"), nginx: await has("nginx") };

/** A code block of a section, with its language. */
interface Block {
  readonly language: string;
  readonly text: string;
}

let page = "";
beforeAll(async () => {
  page = await readFile(join(projectFolder, "docs", "operate", "security.md"), "utf8");
});

/** Returns the code blocks of a section of the page, in their order. */
function blocksOf(section: string): Block[] {
  const [, after = ""] = page.split(`\n## ${section}\n`);
  const [text = ""] = after.split("\n## ");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", block = ""]) => ({
    language,
    text: block,
  }));
}

/** A new folder for each test. Its subfolder `work` is where the commands of the page run. */
let folder = "";
let work = "";
let processes: ChildProcess[] = [];
/** The ports that the page names, each with the free port that replaces it. */
let ports: ReadonlyMap<string, number> = new Map();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-security-"));
  work = join(folder, "work");
  for (const name of ["work", "home", "bin"]) await mkdir(join(folder, name));
  const program = join(folder, "bin", "vademecum");
  await writeFile(program, `#!/bin/sh\nexec '${execPath}' '${projectFolder}/dist/main.js' "$@"\n`);
  await chmod(program, 0o755);
  ports = new Map([
    ["50051", await freePort()],
    ["8080", await freePort()],
    ["443", await freePort()],
  ]);
  variables = {};
});

afterEach(async () => {
  for (const child of processes) {
    const exit = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await exit;
  }
  processes = [];
  await rm(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Returns a text of the page with free ports and folders of this test. */
function here(text: string): string {
  let changed = text
    .replaceAll("/etc/vademecum", join(folder, "etc"))
    .replaceAll("https://memory.example.com", "https://localhost");
  for (const [usual, port] of ports) {
    changed = changed.replaceAll(new RegExp(`(?<=[:\\s])${usual}(?=\\D)`, "g"), String(port));
  }
  return changed;
}

/** Variables that blocks have exported. */
let variables: Record<string, string> = {};

function environment(): NodeJS.ProcessEnv {
  const path = [join(folder, "bin"), env["PATH"]].join(delimiter);
  return { PATH: path, HOME: join(folder, "home"), ...variables };
}

/**
 * Runs the lines of a block in a shell, and returns their output. If the last line starts a server,
 * starts that server and lets it run. If that line names no addresses, adds addresses to it.
 */
async function runBlock(text: string): Promise<string> {
  const lines = here(text).replaceAll("\\\n", " ").trimEnd().split("\n");
  const serve = lines.at(-1)?.startsWith("vademecum serve") === true ? lines.pop() : undefined;
  const exported = join(folder, "exported");
  const script = ["set -e", ...lines, `env -0 > '${exported}'`].join("\n");
  const { stdout } = await run("sh", ["-c", script], { cwd: work, env: environment() });
  const entries = (await readFile(exported, "utf8")).split("\0").filter(Boolean);
  variables = Object.fromEntries(
    entries
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)])
      .filter(([name = ""]) => name.startsWith("VADEMECUM_")),
  ) as Record<string, string>;
  if (serve !== undefined) await startServing(serve);
  return stdout;
}

async function startServing(command: string): Promise<void> {
  const addresses = command.includes("--grpc")
    ? ""
    : ` --grpc 127.0.0.1:${ports.get("50051")} --http 127.0.0.1:${ports.get("8080")}`;
  const child = spawn("sh", ["-c", `umask 077; exec ${command}${addresses}`], {
    cwd: work,
    env: environment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  processes.push(child);
  const ended = once(child, "exit").then(() => "the server ended before it accepted calls");
  const ready = once(createInterface(required(child.stdout, "no output")), "line");
  expect(await Promise.race([ended, ready.then(() => "ready")])).toBe("ready");
}

/** Makes commands without an address call the server of this test. */
function useServerHere(): void {
  variables = { ...variables, VADEMECUM_SERVER: `127.0.0.1:${ports.get("50051")}` };
}

describe("the page about security", () => {
  it("the steps of the page about security set up one machine", async () => {
    const [server, client, ...rest] = blocksOf("Set up one machine");
    expect(rest).toEqual([]);
    await runBlock(required(server, "no block").text);
    useServerHere();
    expect(await runBlock(required(client, "no block").text)).toContain("Stored");
    const listing = "vademecum list --user ann --agent desktop";
    expect(await runBlock(listing)).toContain("Ann prefers the aisle seat");
    await expect(runBlock(`unset VADEMECUM_API_KEY_FILE\n${listing}`)).rejects.toMatchObject({
      stderr: expect.stringContaining("CREDENTIALS_REQUIRED") as unknown,
    });
  });

  it("the steps of the page about security set up a team", async ({ skip }) => {
    skip(!tools.openssl, "openssl is not installed");
    const [certificate, server, client, ...rest] = blocksOf("Set up a team");
    expect(rest).toEqual([]);
    for (const block of [certificate, server]) await runBlock(required(block, "no block").text);
    expect(await runBlock(required(client, "no block").text)).toContain("Stored");
    const pruning = `curl -sS --fail-with-body --cacert server.pem -H 'content-type: application/json'
      -d '{"dryRun": true}' https://localhost:8080/vademecum.v1.AdminService/Prune`;
    const asKey = (name: string) =>
      runBlock(`${pruning.replaceAll("\n", " ")} -H "authorization: Bearer $(cat ${name}.key)"`);
    expect(await asKey("ops")).toContain("expired_memories");
    await expect(asKey("reviewer")).rejects.toMatchObject({
      stdout: expect.stringContaining("ROLE_REQUIRED") as unknown,
    });
  });

  it("the steps of the page about security set up a server behind nginx", async ({ skip }) => {
    skip(!tools.openssl || !tools.nginx, "openssl or nginx is not installed");
    const [certificate] = blocksOf("Set up a team");
    const [server, proxy, client, ...rest] = blocksOf("Set up a server behind a proxy");
    expect(rest).toEqual([]);
    for (const block of [certificate, server]) await runBlock(required(block, "no block").text);
    await startNginx(required(proxy, "no block").text);
    variables = { ...variables, VADEMECUM_TLS_CA: "server.pem" };
    expect(await runBlock(required(client, "no block").text)).toContain("Stored");
    expect(await runBlock("vademecum search --user ann --agent desktop seat")).toContain("aisle");
    const call = (headers: string) =>
      runBlock(
        `curl -sS --cacert server.pem ${headers} -H 'content-type: application/json' ` +
          `-d '{"namespace": {"userId": "ann", "agentId": "desktop"}}' ` +
          "https://localhost:443/vademecum.v1.MemoryProvider/GetAll",
      );
    const key = '-H "authorization: Bearer $(cat assistant.key)"';
    expect(await call(key)).toContain("aisle");
    expect(await call("")).toContain("CREDENTIALS_REQUIRED");
    // `here` would replace `https://memory.example.com`. `$(echo ...)` hides it, so the header
    // keeps the name.
    const host = "memory.example.com";
    const page = `-H 'host: ${host}' -H "origin: https://$(echo ${host})"`;
    expect(await call(`${key} ${page}`)).toContain("aisle");
  });

  it("behind nginx as the page about security sets it up, only the server limits the sizes of requests", async ({
    skip,
  }) => {
    skip(!tools.openssl || !tools.nginx, "openssl or nginx is not installed");
    const [certificate] = blocksOf("Set up a team");
    const [server, proxy] = blocksOf("Set up a server behind a proxy");
    for (const block of [certificate, server]) await runBlock(required(block, "no block").text);
    await startNginx(required(proxy, "no block").text);
    const baseUrl = `https://localhost:${ports.get("443")}`;
    const ca = await readFile(join(work, "server.pem"));
    const key = (await readFile(join(work, "assistant.key"), "utf8")).trim();
    const headers = { authorization: `Bearer ${key}` };
    const session = new Http2SessionManager(baseUrl, {}, { ca });
    onTestFinished(() => session.abort());
    const memories = createClient(
      MemoryProvider,
      createGrpcTransport({ baseUrl, sessionManager: session }),
    );
    const namespace = { userId: "ann", agentId: "desktop" };

    // Twice 4 MiB in one stream, in messages of 60,000 bytes.
    async function* batch() {
      for (let i = 0; i < 140; i++)
        yield { clientId: String(i), add: { namespace, content: `${i} `.padEnd(60_000, "tea ") } };
    }
    const results = [];
    for await (const { result } of memories.addBatch(batch(), { headers }))
      results.push(result.case);
    expect(results).toEqual(Array.from({ length: 140 }, () => "id"));

    await writeFile(
      join(work, "large.json"),
      JSON.stringify({ namespace, content: "tea ".repeat(2 ** 21) }),
    );
    const answer = await runBlock(
      `curl -sS --cacert server.pem -H "authorization: Bearer ${key}" -H 'content-type: application/json' ` +
        "--data-binary @large.json https://localhost:443/vademecum.v1.MemoryProvider/Add",
    );
    expect(answer).toContain("REQUEST_TOO_LARGE");
  });
});

/** Starts nginx with a server block of the page. Its other files are in the test's folder. */
async function startNginx(serverBlock: string): Promise<void> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(" ");
  const block = here(serverBlock).replaceAll(/(?<=ssl_certificate(?:_key)? )/g, `${work}/`);
  const file = join(folder, "nginx.conf");
  const log = join(folder, "nginx.log");
  await writeFile(
    file,
    `daemon off; pid ${join(folder, "nginx.pid")}; error_log ${log} notice; events {}
http { access_log off; ${temporary}
${block}}`,
  );
  const child = spawn("nginx", ["-e", log, "-p", folder, "-c", file], { stdio: "inherit" });
  processes.push(child);
  const port = required(ports.get("443"), "no port");
  // nginx does not report when it is ready, so this polls the port.
  await run("sh", [
    "-c",
    `for i in $(seq 100); do curl -sk https://127.0.0.1:${port} >/dev/null && exit 0; sleep 0.1; done; exit 1`,
  ]);
}
