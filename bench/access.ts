/**
 * What do credentials add to the CPU of an Add and of a Search? And what does it cost to count the
 * elements of each request before the request is decoded?
 *
 * One server for each kind of credentials answers the same calls, in turns. The benchmark compares
 * its CPU with the CPU of a server without credentials. Such ratios vary by some percent. So each
 * step is also timed alone, in this process, which gives its exact share of a call.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from "jose";
import { AddRequestSchema, MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { createAuthenticator } from "../src/credentials/authenticator.js";
import { addPrincipal } from "../src/credentials/change-credentials.js";
import { type Credentials, formatCredentials } from "../src/credentials/credentials.js";
import { createKeyAuthenticator } from "../src/credentials/key-authenticator.js";
import { createTokenAuthenticator } from "../src/credentials/token-authenticator.js";
import { type Access, createAccess, createOpenAccess } from "../src/rpc/access/access.js";
import { createRateLimits } from "../src/rpc/access/rate-limits.js";
import { decodeBinary } from "../src/rpc/adapt/decode.js";
import { binaryExcess } from "../src/rpc/validation/wire-elements.js";
import { systemClock } from "../src/system/clock.js";
import { withCallers } from "./harness/callers.js";
import { percentile } from "./harness/cost.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { type ServerProcess, startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "500" }, rounds: { type: "string", default: "10" } },
});
/** Calls of each kind in one round. */
const callsInRound = Number(values.calls);
const rounds = Number(values.rounds);
const callers = 8;
const namespace = { userId: "ann", agentId: "bench" };
const memoriesAtStart = 1_000;

const tls = join("test", "fixtures", "tls");
const certificate = { cert: join(tls, "cert.pem"), key: join(tls, "key.pem") };
const client = { cert: join(tls, "client-cert.pem"), key: join(tls, "client-key.pem") };
const issuer = "https://issuer.example";
const audience = "vademecum";

printMachine();
using folder = createTemporaryFolder();
const trust = await createTrust();
const texts = sampleTexts(memoriesAtStart, 1);
const queries = sampleQueries(texts, 2);
report(await measureServers(), await measureSteps());

/** The files with which the servers check callers, and the headers that callers send. */
interface Trust {
  readonly credentials: Credentials;
  readonly credentialsFile: string;
  readonly keySet: JSONWebKeySet;
  readonly keySetFile: string;
  readonly keyHeader: string;
  readonly tokenHeader: string;
}

async function createTrust(): Promise<Trust> {
  const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  // Rates that no run reaches. So the server counts calls and bytes, but refuses nothing.
  const limits = { calls_per_second: 1e9, bytes_per_second: 1e12 };
  const principal = { name: "bench", roles: ["writer"] as const, ...all, limits };
  const certificates = ["spiffe://example/planner"];
  const { credentials, key } = addPrincipal(
    { principals: [] },
    { ...principal, certificates },
    { nowMs: Date.now() },
  );
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "bench" }] };
  const token = await new SignJWT({ vademecum: { roles: ["writer"], ...all } })
    .setProtectedHeader({ alg: "ES256", kid: "bench" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("bench")
    .setExpirationTime("12h")
    .sign(privateKey);
  const credentialsFile = join(folder.path, "credentials.json");
  writeFileSync(credentialsFile, formatCredentials(credentials));
  chmodSync(credentialsFile, 0o600);
  const keySetFile = join(folder.path, "jwks.json");
  writeFileSync(keySetFile, JSON.stringify(keySet));
  const headers = { keyHeader: `Bearer ${key}`, tokenHeader: `Bearer ${token}` };
  return { credentials, credentialsFile, keySet, keySetFile, ...headers };
}

/** A server, and how its callers show who they are. */
interface Setup {
  readonly name: string;
  /** Name of the set-up to compare with. */
  readonly baseline: string;
  readonly flags: readonly string[];
  readonly authorization?: string;
  readonly tls?: { readonly clientCertificate: boolean };
}

function setups(): readonly Setup[] {
  const keys = ["--credentials", trust.credentialsFile];
  const tlsFlags = ["--tls-cert", certificate.cert, "--tls-key", certificate.key];
  const tokens = [
    "--jwt-jwks",
    trust.keySetFile,
    "--jwt-issuer",
    issuer,
    "--jwt-audience",
    audience,
  ];
  const authorities = ["--tls-client-ca", join(tls, "client-ca.pem")];
  return [
    { name: "no credentials", baseline: "no credentials", flags: [] },
    {
      name: "API key and bucket",
      baseline: "no credentials",
      flags: keys,
      authorization: trust.keyHeader,
    },
    {
      name: "JWT from the cache",
      baseline: "no credentials",
      flags: tokens,
      authorization: trust.tokenHeader,
    },
    {
      name: "TLS, no credentials",
      baseline: "TLS, no credentials",
      flags: tlsFlags,
      tls: { clientCertificate: false },
    },
    {
      name: "TLS, client certificate",
      baseline: "TLS, no credentials",
      flags: [...tlsFlags, ...authorities, ...keys],
      tls: { clientCertificate: true },
    },
  ];
}

/** CPU of the server for one call, in microseconds, in each round. */
interface ServerFigures {
  readonly name: string;
  readonly baseline: string;
  readonly addMicros: readonly number[];
  readonly searchMicros: readonly number[];
}

interface RunningSetup {
  readonly server: ServerProcess;
  readonly memories: Client<typeof MemoryProvider>;
  readonly disconnect: () => void;
  readonly figures: ServerFigures & {
    readonly addMicros: number[];
    readonly searchMicros: number[];
  };
}

async function measureServers(): Promise<readonly ServerFigures[]> {
  const running: RunningSetup[] = [];
  try {
    await startAll(running);
    await measureRounds(running);
    return running.map(({ figures }) => figures);
  } finally {
    for (const { server, disconnect } of running) {
      disconnect();
      await server[Symbol.asyncDispose]();
    }
  }
}

async function startAll(running: RunningSetup[]): Promise<void> {
  for (const [at, setup] of setups().entries()) {
    const server = await startServer(join(folder.path, `data-${at}`), setup.flags);
    const { name, baseline } = setup;
    const figures = { name, baseline, addMicros: [], searchMicros: [] };
    running.push({ server, ...connect(server, setup), figures });
  }
  for (const { memories } of running) {
    await withCallers(callers, texts, (content) => memories.add({ namespace, content }));
    await withCallers(callers, queries.slice(0, callsInRound), (query) => search(memories, query));
  }
}

async function measureRounds(running: readonly RunningSetup[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another server, so that no server is always the first.
    for (let at = 0; at < running.length; at++) {
      const { server, memories, figures } = running[(at + round) % running.length] as RunningSetup;
      const added = sampleTexts(callsInRound, 10 + round);
      const asked = sampleQueries(added, 100 + round);
      figures.addMicros.push(
        await cpuOf(server, added, (content) => memories.add({ namespace, content })),
      );
      figures.searchMicros.push(await cpuOf(server, asked, (query) => search(memories, query)));
    }
  }
}

function connect(
  server: ServerProcess,
  { authorization, tls: tlsSetup }: Setup,
): Pick<RunningSetup, "memories" | "disconnect"> {
  const port = server.grpcAddress.split(":").at(-1);
  const baseUrl = tlsSetup === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  const nodeOptions = tlsSetup === undefined ? {} : tlsOptions(tlsSetup.clientCertificate);
  const sessionManager = new Http2SessionManager(baseUrl, undefined, nodeOptions);
  const show: Interceptor = (next) => (request) => {
    if (authorization !== undefined) request.header.set("authorization", authorization);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl, sessionManager, interceptors: [show] });
  return {
    memories: createClient(MemoryProvider, transport),
    disconnect: () => sessionManager.abort(),
  };
}

function tlsOptions(clientCertificate: boolean) {
  const ca = readFileSync(certificate.cert);
  if (!clientCertificate) return { ca };
  return { ca, cert: readFileSync(client.cert), key: readFileSync(client.key) };
}

async function search(memories: Client<typeof MemoryProvider>, query: string): Promise<void> {
  for await (const _ of memories.search({ namespace, query })) {
    // Reads the whole answer, because all of its CPU counts.
  }
}

async function cpuOf<T>(
  server: ServerProcess,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const before = server.cpuMicros();
  await withCallers(callers, items, work);
  return (server.cpuMicros() - before) / items.length;
}

/** The CPU of one step alone, in microseconds. */
interface StepFigures {
  readonly name: string;
  /** The target: the most CPU that the step may use, as a share of a call without credentials. */
  readonly target: number;
  readonly addMicros: number;
  readonly searchMicros: number;
}

async function measureSteps(): Promise<readonly StepFigures[]> {
  const keys = createKeyAuthenticator(trust.credentials, systemClock);
  const tokens = createTokenAuthenticator(trust.keySet, { issuer, audience }, systemClock);
  const authenticator = createAuthenticator({
    keys: () => keys,
    tokens: () => tokens,
    onReview: () => undefined,
  });
  const audit = { denied: () => undefined };
  const rates = createRateLimits(() => performance.now());
  const access = createAccess({ authenticator, rates, audit });
  const open = createOpenAccess();
  const requests = {
    add: encoded(AddRequestSchema, { namespace, content: texts[0] ?? "" }),
    search: encoded(SearchRequestSchema, { namespace, query: queries[0] ?? "" }),
  };
  // The first call verifies the signature; later ones find the token in the cache.
  await access.admit(`/${MemoryProvider.typeName}/Add`, {
    certificateNames: [],
    authorization: trust.tokenHeader,
  });
  const both = (measure: (kind: "add" | "search") => number) => ({
    addMicros: measure("add"),
    searchMicros: measure("search"),
  });
  const admission = (authorization: string | undefined, by: Access) =>
    both((kind) => {
      const { schema, bytes } = requests[kind];
      const method = MemoryProvider.method[kind];
      const path = `/${MemoryProvider.typeName}/${method.name}`;
      const credentials = { certificateNames: [], ...(authorization && { authorization }) };
      const request = decodeBinary(schema, bytes);
      return microsOf(() => {
        const principal = by.admit(path, credentials);
        if (principal instanceof Promise) throw new Error("the credentials are not in the cache");
        by.countBytes(principal, bytes.byteLength);
        by.authorize(principal, method, request);
      });
    });
  const free = admission(undefined, open);
  const beyond = (figures: { addMicros: number; searchMicros: number }) => ({
    addMicros: figures.addMicros - free.addMicros,
    searchMicros: figures.searchMicros - free.searchMicros,
  });
  return [
    { name: "API key and bucket", target: 0.03, ...beyond(admission(trust.keyHeader, access)) },
    { name: "JWT from the cache", target: 0.01, ...beyond(admission(trust.tokenHeader, access)) },
    {
      name: "walk before decoding",
      target: 0.01,
      ...both((kind) => {
        const { schema, bytes } = requests[kind];
        return microsOf(() => binaryExcess(schema, bytes));
      }),
    },
  ];
}

function encoded<S extends DescMessage>(schema: S, init: MessageInitShape<S>) {
  return { schema, bytes: toBinary(schema, create(schema, init)) };
}

/** Time of one run of a step, in microseconds: the median over batches, after warming up. */
function microsOf(step: () => void): number {
  const batch = 2_000;
  const figures: number[] = [];
  for (let i = 0; i < 60; i++) {
    const start = performance.now();
    for (let run = 0; run < batch; run++) step();
    if (i >= 10) figures.push(((performance.now() - start) * 1000) / batch);
  }
  return percentile(figures, 50);
}

function report(servers: readonly ServerFigures[], steps: readonly StepFigures[]): void {
  const median = (figures: readonly number[]) => percentile(figures, 50);
  printLine(
    `CPU of the server for one call, ${rounds} rounds of ${callsInRound} calls of ${callers} callers (medians):`,
  );
  const baselineOf = ({ baseline }: ServerFigures) =>
    servers.find(({ name }) => name === baseline) as ServerFigures;
  printTable(
    ["credentials", "Add", "against none", "Search", "against none"],
    servers.map((figures) => {
      const { name, addMicros, searchMicros } = figures;
      const baseline = baselineOf(figures);
      return [
        name,
        micros(median(addMicros)),
        more(pairedRatio(addMicros, baseline.addMicros)),
        micros(median(searchMicros)),
        more(pairedRatio(searchMicros, baseline.searchMicros)),
      ];
    }),
  );
  const [none] = servers as [ServerFigures];
  const addMicros = median(none.addMicros);
  const searchMicros = median(none.searchMicros);
  printLine();
  printLine("The steps alone, and their share of a call without credentials:");
  printTable(
    ["step", "Add", "share", "Search", "share", "target"],
    steps.map((step) => [
      step.name,
      micros(step.addMicros),
      percent(step.addMicros / addMicros),
      micros(step.searchMicros),
      percent(step.searchMicros / searchMicros),
      `at most ${step.target * 100} %`,
    ]),
  );
  saveResults("access", { callsInRound, rounds, callers, servers, steps });
}

/** Returns the median ratio of two figures of the same round. */
function pairedRatio(figures: readonly number[], baseline: readonly number[]): number {
  return percentile(
    figures.map((figure, round) => figure / (baseline[round] ?? Number.NaN)),
    50,
  );
}

function micros(figure: number): string {
  return `${figure.toFixed(figure < 10 ? 2 : 0)} us`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/** Formats what a ratio adds, such as `+1.5 %`. */
function more(ratio: number): string {
  return `${ratio < 1 ? "" : "+"}${((ratio - 1) * 100).toFixed(1)} %`;
}
