import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DescMethod, fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { randomNumbers } from "../../../bench/harness/sample-texts.js";
import type { Role } from "../../../src/core/model/principal.js";
import { bySuite } from "../../suite.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { endless } from "../harness/generic-call.js";
import { required } from "../harness/namespace-client.js";
import { framed } from "../harness/raw-calls.js";
import { runOf } from "../isolation/intrusions.js";
import { allMethods } from "../isolation/services.js";
import { foreign, own, refusalOfRole, requestsOf } from "./expected-access.js";
import { nameOf, permissions } from "./permissions.js";
import {
  type Caller,
  keyCallers,
  signTokens,
  storedPrincipals,
  tenants,
  withInvalidKeys,
} from "./probe-callers.js";
import { openProbeClient, type ProbeClient, type ProbeReply, tlsFile } from "./probe-client.js";

/** Number of random calls. `ISOLATION_PROBES` sets another number for a long run. */
const probes = Number(process.env["ISOLATION_PROBES"] ?? bySuite({ quick: 1_000, full: 20_000 }));
const seed = Number(process.env["ISOLATION_SEED"] ?? 1);

/** Calls in flight. */
const atOnce = 32;
/** The records of `own` are written again after this many probes, because probes delete some. */
const refurnishEvery = 10_000;

const namespaces = [own, ...Object.values(foreign)];
type Namespace = (typeof namespaces)[number];
/** All namespaces that have data. */
const existing = namespaces.filter((namespace) => namespace !== foreign.missing);
/** Names to use instead of the caller's tool and run: foreign names, missing names, patterns. */
const foreignTools = ["another", "missing", "too", "tool*", "*"];
const foreignRuns = [...Object.values(foreign).map(runOf), `${runOf(own)}x`, "*"];

const methods = await allMethods();
const random = randomNumbers(seed);
const pick = <T>(list: readonly T[]): T => required(list[Math.floor(random() * list.length)], "");

let folder = "";
let server: CredentialedServer;
let callers: readonly Caller[] = [];
let plain: ProbeClient;
let certified: ProbeClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-probes-"));
  const jwks = join(folder, "jwks.json");
  const tokens = await signTokens();
  await writeFile(jwks, tokens.jwks);
  const flags = {
    ...tokens.flags,
    "jwt-jwks": jwks,
    "tls-cert": tlsFile("cert.pem"),
    "tls-key": tlsFile("key.pem"),
    "tls-client-ca": tlsFile("client-ca.pem"),
  };
  server = await startCredentialedServer(storedPrincipals(), flags, undefined, withInvalidKeys);
  plain = await openProbeClient(server.grpcUrl, false);
  certified = await openProbeClient(server.grpcUrl, true);
  callers = [...keyCallers((name) => server.headerOf(name).authorization), ...tokens.callers];
  for (const tenant of tenants) for (const namespace of existing) await furnish(tenant, namespace);
});
afterAll(async () => {
  plain.close();
  certified.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** A call of one caller. */
interface Probe {
  readonly caller: Caller;
  readonly method: DescMethod;
  readonly body: Uint8Array;
  /** The expected reason of the refusal; `undefined` if the caller is served. */
  readonly reason: string | undefined;
  /** Refusals of one kind must be equal byte for byte, whether the named things exist or not. */
  readonly kind: string;
}

function randomProbe(): Probe {
  const caller = pick(callers);
  const method = pick(methods);
  const namespace = pick(namespaces);
  const name = nameOf(method);
  const calls = knownCalls(method, namespace);
  const at = Math.floor(random() * calls.length);
  const original = calls[at] ?? [];
  const twist = pick(["none", "tool", "run"] as const);
  const requests = twisted(original, twist, permissions[name]?.includes("tool") === true);
  const isTwisted = requests !== original;
  const place =
    namespace === own ? "own" : namespace === foreign["another agent"] ? "agent" : "user";
  const { access } = caller;
  const reason = reasonFor(access, method, () =>
    refusalOfRole(access as Role, name, namespace, requests, isTwisted),
  );
  // The error names the needed roles. They depend on where the caller's role fails: at the RPC, or
  // at the tool that a request of Dispatch names. So the caller's role is a part of the kind.
  const role = reason === "ROLE_REQUIRED" ? access : "";
  const kind = [reason, role, name, at, place, isTwisted && twist].join();
  return { caller, method, body: encoded(method, requests), reason, kind };
}

/** Returns why a caller is refused. `refusalOf` says it for a caller with valid credentials. */
function reasonFor(
  access: Caller["access"],
  { name }: DescMethod,
  refusalOf: () => string | undefined,
): string | undefined {
  if (access === "CREDENTIALS_REFUSED") return access;
  if (access !== "CREDENTIALS_REQUIRED") return refusalOf();
  // Everybody may ask who they are.
  return name === "GetCaller" ? undefined : access;
}

const callsOf = new Map<DescMethod, Map<Namespace, ReturnType<typeof requestsOf>>>();

/** Returns the requests of a method about a namespace. Builds them once and then reuses them. */
function knownCalls(method: DescMethod, namespace: Namespace): ReturnType<typeof requestsOf> {
  const known = callsOf.get(method) ?? new Map<Namespace, ReturnType<typeof requestsOf>>();
  callsOf.set(method, known);
  const calls = known.get(namespace) ?? requestsOf(method, namespace);
  known.set(namespace, calls);
  return calls;
}

const bodies = new WeakMap<readonly JsonObject[], Uint8Array>();

/** Returns the messages of a call with their prefixes. */
function encoded(method: DescMethod, requests: readonly JsonObject[]): Uint8Array {
  const known = bodies.get(requests);
  if (known !== undefined) return known;
  const messages = requests.map((request) =>
    toBinary(method.input, fromJson(method.input, request)),
  );
  const body = Buffer.concat(messages.map((message) => framed(message)));
  bodies.set(requests, body);
  return body;
}

/** Replaces the tool or run in requests by a foreign name. Returns other requests unchanged. */
function twisted(
  requests: readonly JsonObject[],
  twist: "none" | "tool" | "run",
  isOfTool: boolean,
): readonly JsonObject[] {
  const field = { none: "", tool: isOfTool ? "toolId" : "", run: "runId" }[twist];
  if (!requests.some((request) => field in request)) return requests;
  const name = pick(twist === "tool" ? foreignTools : foreignRuns);
  return requests.map((request) => ({ ...request, [field]: name }));
}

const reasons = [
  "CREDENTIALS_REQUIRED",
  "CREDENTIALS_REFUSED",
  "ROLE_REQUIRED",
  "OUT_OF_SCOPE",
] as const;

/** Returns the reason of an access refusal; `undefined` if the call had any other end. */
function reasonIn({ outcome, body }: ProbeReply, { method }: Probe): string | undefined {
  const details = Buffer.from(outcome.slice(outcome.lastIndexOf(" ") + 1), "base64");
  // AddBatch reports the refusal of an item in a response, and not in the status of the call.
  const places = method.name === "AddBatch" ? [details, body] : [details];
  return reasons.find((reason) => places.some((place) => place.includes(reason)));
}

/**
 * Whether a writer was refused because another writer stored the skill of its own namespace. Which
 * caller stored it last depends on the probes before.
 */
function isOfOtherWriter({ outcome }: ProbeReply, { method, reason }: Probe): boolean {
  return (
    reason === undefined &&
    /^(?:Store|Delete)Skill$/.test(method.name) &&
    outcome.includes("did%20not%20write%20skill")
  );
}

it(`${probes.toLocaleString("en")} random calls reveal no record beyond the rights of their callers (ISOLATION_SEED=${seed})`, {
  timeout: 36_000_000,
}, async ({ annotate }) => {
  const before = await everythingForeign();
  const faults: string[] = [];
  const seen = new Map<string, string>();
  const counts = { probes: 0, served: 0, refused: 0, leaks: 0, differences: 0, wrong: 0 };
  const note = (
    count: "leaks" | "differences" | "wrong",
    { caller, kind }: Probe,
    what: string,
  ) => {
    counts[count] += 1;
    if (faults.length < 20) faults.push(`${count}: ${caller.name}, ${kind}: ${what}`);
  };
  const work = async () => {
    while (counts.probes < probes) {
      counts.probes += 1;
      if (counts.probes % refurnishEvery === 0)
        for (const tenant of tenants) await furnish(tenant, own);
      const probe = randomProbe();
      const reply = await send(probe.caller, probe.method, probe.body);
      const reason = isOfOtherWriter(reply, probe) ? undefined : reasonIn(reply, probe);
      counts[reason === undefined ? "served" : "refused"] += 1;
      if (reason !== probe.reason)
        note("wrong", probe, `${reason} in place of ${probe.reason}; ${reply.outcome}`);
      if (isLeak(reply, probe.caller)) note("leaks", probe, reply.outcome);
      if (reason === undefined) continue;
      const bytes = `${reply.outcome} ${reply.body.toString("hex")}`;
      const first = seen.get(probe.kind) ?? bytes;
      seen.set(probe.kind, first);
      if (bytes !== first) note("differences", probe, `${bytes} differs from ${first}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await annotate(JSON.stringify({ ...counts, kinds: seen.size, callers: callers.length }));
  expect(faults).toEqual([]);
  expect(await everythingForeign()).toEqual(before);
});

/** Returns a text that no record outside of this namespace and tenant contains. */
function secretOf(tenant: string, namespace: Namespace): string {
  return `secret ${tenant || "none"} ${existing.indexOf(namespace)} zebra`;
}

/** Whether a reply contains a secret that is not the caller's own. */
function isLeak({ outcome, body }: ProbeReply, { tenant }: Caller): boolean {
  if (!body.includes("secret ") && !outcome.includes("secret")) return false;
  const text = `${body.toString()} ${decodeURIComponent(outcome)}`;
  return tenants.some((other) =>
    existing.some(
      (namespace) =>
        !(other === tenant && namespace === own) && text.includes(secretOf(other, namespace)),
    ),
  );
}

/**
 * Gives a namespace records of each kind. Blocks and proposals belong to the user, so a second
 * agent of a user gets none.
 */
async function furnish(tenant: string, namespace: Namespace): Promise<void> {
  const secret = secretOf(tenant, namespace);
  const { userId } = namespace;
  const call = async (name: string, request: JsonObject) => callAs(tenant, name, request);
  await call("MemoryProvider/Add", { namespace, content: secret });
  await call("SkillService/StoreSkill", { namespace, context: secret, lesson: secret, id: "s" });
  await call("KeyValueService/WriteKey", { runId: runOf(namespace), key: "zebra", value: secret });
  if (namespace === foreign["another agent"]) return;
  await call("BlockService/PutBlock", { userId, label: "kept", body: `${secret} open` });
  await call("MemoryProvider/ProposeEdit", {
    namespace,
    blockLabel: "kept",
    oldString: "open",
    newString: "shut",
    reasoning: secret,
  });
}

/** Returns the contents of the namespaces of others. Fails unless their secrets are in them. */
async function everythingForeign(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const tenant of tenants)
    for (const namespace of existing.filter((each) => each !== own)) {
      const { userId } = namespace;
      const reads: [string, JsonObject][] = [
        ["MemoryProvider/GetAll", { namespace }],
        ["SkillService/ListSkills", { namespace }],
        ["KeyValueService/ReadKey", { runId: runOf(namespace), key: "zebra" }],
      ];
      // The blocks of the user of `own` are not foreign.
      if (userId !== own.userId)
        reads.push(
          ["BlockService/ListBlocks", { userId }],
          ["ProposalService/ListProposals", { userId }],
        );
      for (const [name, request] of reads) {
        const { body } = await callAs(tenant, name, request);
        expect(body.toString(), `${name} of ${userId}`).toContain(secretOf(tenant, namespace));
        found.push(`${name} ${body.toString("hex")}`);
      }
    }
  return found;
}

/** Makes a call as a principal that may do everything in its tenant. */
async function callAs(tenant: string, name: string, request: JsonObject): Promise<ProbeReply> {
  const method = required(
    methods.find((each) => nameOf(each) === `vademecum.v1.${name}`),
    `no method ${name}`,
  );
  const caller = { ...server.headerOf(`everybody-${tenant}`), isCertified: false };
  return send(caller, method, encoded(method, [request]));
}

async function send(
  { authorization, isCertified }: Pick<Caller, "authorization" | "isCertified">,
  method: DescMethod,
  body: Uint8Array,
): Promise<ProbeReply> {
  const client = isCertified ? certified : plain;
  return client.call(`/${nameOf(method)}`, body, authorization, endless.has(method.name));
}
