import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { fillStore } from "../../bench/harness/fill-store.js";
import { sampleMemories } from "../../bench/harness/sample-memories.js";
import { startServerProcess } from "../faults/server/server-process.js";
import { failureOf } from "../rpc/rpc-failure.js";

const namespace = { userId: "ann", agentId: "notes" };

/** The server works on 1,000 calls at one time, and lets up to 1,000 further calls wait. */
const callsMax = 1_000;
/** Number of callers. Each has one call in progress at any time. */
const callerCount = 5 * callsMax;
const callsPerCaller = 2;
/** Deadline of each call: far more than a busy machine needs. */
const timeoutMs = 300_000;
/** Number of callers that share one connection. */
const callersPerConnection = 100;

it("a server with five times too many calls answers some, refuses others, and recovers", {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-overload-"));
  const data = join(folder, "data");
  await fillStore(data, namespace, sampleMemories(2_000, 1));
  // All callers have one address, and its limit on open calls is as high as the number of callers.
  const server = await startServerProcess(data, { flags: ["--max-connections-per-address", "0"] });
  const sessions: Http2SessionManager[] = [];
  onTestFinished(async () => {
    for (const session of sessions) session.abort();
    await server.end("SIGTERM");
    await rm(folder, { recursive: true });
  });
  const connection = () => {
    const sessionManager = new Http2SessionManager(server.grpcUrl);
    sessions.push(sessionManager);
    return createGrpcTransport({
      baseUrl: server.grpcUrl,
      sessionManager,
      defaultTimeoutMs: timeoutMs,
    });
  };
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const search = async (provider: ReturnType<typeof providerOf>) => {
    for await (const _ of provider.search({ namespace, query: "wine", limit: 5 }));
  };
  const providerOf = () => createClient(MemoryProvider, connection());
  const warm = providerOf();
  await search(warm);

  let isLoaded = true;
  const health = createClient(Health, connection());
  const checks = (async () => {
    let answered = 0;
    while (isLoaded) {
      await health.check({});
      answered += 1;
    }
    return answered;
  })();
  const providers = Array.from({ length: callerCount / callersPerConnection }, providerOf);
  const callers = Array.from({ length: callerCount }, async (_, caller) => {
    const provider = providers[caller % providers.length] ?? warm;
    for (let i = 0; i < callsPerCaller; i++) {
      const call = search(provider);
      try {
        await call;
        count("OK");
      } catch {
        const { code, reason, retryDelay } = await failureOf(call);
        count(`${code} ${reason} ${retryDelay === undefined ? "without" : "with"} a delay`);
      }
    }
  });
  await Promise.all(callers);
  isLoaded = false;

  expect(await checks).toBeGreaterThan(0);
  const { OK: answered = 0, ...others } = Object.fromEntries(outcomes);
  expect(Object.keys(others)).toEqual(["ResourceExhausted OVERLOADED with a delay"]);
  expect(answered).toBeGreaterThanOrEqual(callsMax);
  // The server must now be able to answer every call.
  outcomes.clear();
  await Promise.all(
    Array.from({ length: callsMax / 2 }, () => search(warm).then(() => count("OK"))),
  );
  expect(Object.fromEntries(outcomes)).toEqual({ OK: callsMax / 2 });
});
