import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { required } from "../e2e/harness/namespace-client.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { projectFolder } from "./dockerfile.js";

const run = promisify(execFile);
const deployFolder = join(projectFolder, "deploy");
const certificates = join(projectFolder, "clients", "conformance", "tls");
/** The folder into which the script installs Envoy and the validators. */
let tools: string;
const envoy = () => join(tools, "envoy", "_bin", "envoy");
const pythonEnvironment = () => ({ ...env, PYTHONPATH: tools });

const composeCheck = `
import sys
from compose_spec import PyCompose
print(*sorted(PyCompose.from_yaml(open(sys.argv[1]).read()).service_names()))
`;

let folder: string;
beforeAll(async () => {
  tools = execFileSync(execPath, [join(projectFolder, "scripts", "deployment-tools.mjs")], {
    encoding: "utf8",
  }).trim();
  folder = await mkdtemp(join(tmpdir(), "vademecum-deployment-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a changed copy of a file of deploy/, and returns its path. */
async function changedCopy(file: string, change: (text: string) => string): Promise<string> {
  const copy = join(folder, "copy.yaml");
  await writeFile(copy, change(await readFile(join(deployFolder, file), "utf8")));
  return copy;
}

describe("the manifests for Kubernetes", () => {
  const validate = (files: readonly string[]) =>
    run("python3", ["-m", "kubernetes_validate", "--strict", ...files], {
      env: pythonEnvironment(),
    });

  it("the manifests for Kubernetes are valid by the strict schemas of Kubernetes", async () => {
    const names = await readdir(join(deployFolder, "kubernetes"));
    const files = names.map((name) => join(deployFolder, "kubernetes", name));
    const { stdout, stderr } = await validate(files);
    const passed = (stdout + stderr).match(/passed for resource \w+/g) ?? [];
    const kinds = new Set(passed.map((line) => line.split(" ").at(-1)));
    expect(kinds).toEqual(
      new Set(["deployment", "networkpolicy", "poddisruptionbudget", "secret", "service"]),
    );
  });

  it("the manifests for Kubernetes are invalid with an unknown field", async () => {
    const copy = await changedCopy("kubernetes/servers.yaml", (text) =>
      text.replace("readinessProbe:", "readynessProbe:"),
    );
    const failure = await validate([copy]).catch(({ stdout }: { stdout: string }) => stdout);
    expect(failure).toContain("readynessProbe");
  });
});

describe("the compose file", () => {
  const check = (file: string) =>
    run("python3", ["-c", composeCheck, file], { env: pythonEnvironment() });

  it("the compose file is valid by the specification of compose", async () => {
    const { stdout } = await check(join(deployFolder, "compose.yaml"));
    expect(stdout.trim()).toBe("envoy postgres vademecum");
    const one = await check(join(deployFolder, "one-server.compose.yaml"));
    expect(one.stdout.trim()).toBe("backup vademecum");
  });

  it("the compose file is invalid with an unknown field", async () => {
    const copy = await changedCopy("compose.yaml", (text) =>
      text.replace("read_only:", "readonly:"),
    );
    await expect(check(copy)).rejects.toThrow("readonly");
  });
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serveTwice(flags: Readonly<Record<string, string>>): Promise<TestServer[]> {
  const servers: TestServer[] = [];
  for (let count = 0; count < 2; count++) {
    const server = await startTestServer({ embedder: "none", ...flags });
    servers.push(server);
    ends.push(() => server.stop().catch(() => undefined));
  }
  return servers;
}

/** Starts Envoy in front of servers, and returns its address when both are healthy. */
async function startEnvoy(servers: readonly TestServer[]): Promise<string> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const configuration = await changedCopy("envoy.yaml", (text) =>
    withServers(text, servers)
      .replace("port_value: 8443", `port_value: ${port}`)
      .replace("port_value: 9901", `port_value: ${adminPort}`)
      .replace("/etc/envoy/tls/tls.crt", join(certificates, "cert.pem"))
      .replace("/etc/envoy/tls/tls.key", join(certificates, "key.pem")),
  );
  const args = ["--config-path", configuration, "--use-dynamic-base-id", "--concurrency", "1"];
  const proxy = spawn(envoy(), args, { stdio: "ignore" });
  ends.push(async () => {
    proxy.kill("SIGKILL");
    await once(proxy, "exit");
  });
  // Each server is an endpoint of two clusters.
  await untilHealthy(adminPort, 2 * servers.length);
  return `https://127.0.0.1:${port}`;
}

describe("Envoy in front of two servers", () => {
  let servers: TestServer[];
  let address: string;
  beforeEach(async () => {
    servers = await serveTwice({ provider: "level" });
    address = await startEnvoy(servers);
  });

  it("Envoy in front of two servers sends the calls of one user to one server, and uses both", async () => {
    const through = grpc(address);
    for (const userId of users)
      for (let call = 0; call < 3; call++) await add(through, userId, `${userId} ${call}`);
    const counts = await Promise.all(
      users.map((userId) =>
        Promise.all(servers.map(({ grpcUrl }) => count(grpc(grpcUrl), userId))),
      ),
    );
    expect(counts.map((pair) => new Set(pair))).toEqual(users.map(() => new Set([0, 3])));
    expect(new Set(counts.map(([first]) => first))).toEqual(new Set([0, 3]));
  });

  it("Envoy in front of two servers carries Connect over HTTP/1.1 at the same address", async () => {
    const through = connect(address);
    await add(through, "ann", "tea");
    expect(await count(through, "ann")).toBe(1);
  });

  it("Envoy in front of two servers carries the messages of a stream one by one", async () => {
    const statuses = createClient(Health, grpc(address)).watch({})[Symbol.asyncIterator]();
    const next = async () => {
      const result = await statuses.next();
      return result.done === true ? undefined : result.value.status;
    };
    expect(await next()).toBe(HealthCheckResponse_ServingStatus.SERVING);
    await Promise.all(servers.map((server) => server.stop()));
    expect(await next()).toBe(HealthCheckResponse_ServingStatus.NOT_SERVING);
  });

  it("Envoy sends the calls of a stopped server to the other server", async () => {
    const through = grpc(address);
    await servers[0]?.stop();
    for (const userId of users) await repeated(() => add(through, userId, "later"));
    const last = grpc(servers[1]?.grpcUrl ?? "");
    expect(await Promise.all(users.map((userId) => count(last, userId)))).toEqual(
      users.map(() => 1),
    );
  });
});

describe("Envoy in front of two servers over one PostgreSQL", () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.empty();
  });
  afterAll(() => postgres?.close());

  it("Envoy over one PostgreSQL serves every user when one server has stopped", async () => {
    const servers = await serveTwice({
      provider: "postgres",
      ...postgresFlags(required(postgres, "PostgreSQL is not running")),
    });
    const through = grpc(await startEnvoy(servers));
    for (const userId of users) await add(through, userId, "before");
    await servers[0]?.stop();
    for (const userId of users) await repeated(() => add(through, userId, "after"));
    const counts = users.map((userId) => repeated(() => count(through, userId)));
    expect(await Promise.all(counts)).toEqual(users.map(() => 2));
  });
});

/** Repeats a call whose connection breaks, as the clients do. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable) throw error;
    }
  }
}

const users = Array.from({ length: 24 }, (_, index) => `user ${index}`);

const certificate = readFileSync(join(certificates, "ca.pem"));

function grpc(baseUrl: string): Transport {
  return createGrpcTransport({ baseUrl, nodeOptions: { ca: certificate } });
}

function connect(baseUrl: string): Transport {
  const nodeOptions = { ca: certificate };
  return createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions });
}

function headersOf(userId: string): HeadersInit {
  return { "x-vademecum-user": createHash("sha256").update(userId).digest("hex").slice(0, 16) };
}

/** Adds a memory. A repeated call does not add the memory again. */
async function add(transport: Transport, userId: string, content: string): Promise<void> {
  const idempotencyKey = `${userId} ${content}`;
  const request = { namespace: { userId, agentId: "x" }, content, idempotencyKey };
  await createClient(MemoryProvider, transport).add(request, { headers: headersOf(userId) });
}

/** Returns how many memories a user has. */
async function count(transport: Transport, userId: string): Promise<number> {
  const request = { namespace: { userId, agentId: "x" } };
  const options = { headers: headersOf(userId) };
  const { memories } = await createClient(MemoryProvider, transport).getAll(request, options);
  return memories.length;
}

/** Puts the addresses of servers in the place of the name that Envoy looks up in DNS. */
function withServers(text: string, servers: readonly TestServer[]): string {
  const endpoint =
    /^( +)- endpoint:\n +address:\n +socket_address: .* port_value: (50051|8080) }\n/gm;
  return text.replace(endpoint, (_, indent: string, port: string) =>
    servers
      .map(({ grpcUrl, httpUrl }) => new URL(port === "8080" ? httpUrl : grpcUrl).port)
      .map(
        (own) =>
          `${indent}- endpoint: { address: { socket_address: ` +
          `{ address: 127.0.0.1, port_value: ${own} } } }\n`,
      )
      .join(""),
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until this number of endpoints is healthy for Envoy. */
async function untilHealthy(adminPort: number, endpoints: number): Promise<void> {
  for (;;) {
    const text = await fetch(`http://127.0.0.1:${adminPort}/clusters`).then(
      (response) => response.text(),
      () => "",
    );
    if (text.match(/health_flags::healthy/g)?.length === endpoints) return;
    await delay(50);
  }
}
