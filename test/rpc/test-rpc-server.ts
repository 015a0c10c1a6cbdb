import { pino } from "pino";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { MemoryService } from "../../src/core/memories/service.js";
import type { Authenticator } from "../../src/core/ports/authenticator.js";
import type { TrafficLimits } from "../../src/rpc/admit/traffic-limits.js";
import type { TlsIdentity } from "../../src/rpc/listen/tls-identity.js";
import { type RpcServer, startRpcServer } from "../../src/rpc/rpc-server.js";
import { systemTimer } from "../../src/system/timer.js";
import { domainOf, type UseCases } from "./domain-double.js";

/** A server on free ports, over a domain that the test provides. */
export interface TestRpcServer extends RpcServer {
  /** Log lines, oldest first. */
  readonly logged: readonly Record<string, unknown>[];
}

async function start(
  current: () => UseCases,
  logged: Record<string, unknown>[],
  tls?: TlsIdentity,
  trafficLimits: Partial<TrafficLimits> = {},
  authenticator?: Authenticator,
): Promise<TestRpcServer> {
  const log = pino(
    { base: null },
    { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const free = { host: "127.0.0.1", port: 0 };
  return {
    ...(await startRpcServer({
      domainOf: () => domainOf(current),
      grpc: free,
      http: free,
      log,
      trafficLimits,
      timer: systemTimer,
      ...(authenticator && { authenticator }),
      ...(tls && { tls: { current: tls, onChange: () => undefined } }),
    })),
    logged,
  };
}

/** Starts a server that stops with the test, for tests that change its state. */
export async function startTestRpcServer(
  useCases: Partial<MemoryService> = {},
  tls?: TlsIdentity,
  more: UseCases = {},
  trafficLimits: Partial<TrafficLimits> = {},
  authenticator?: Authenticator,
): Promise<TestRpcServer> {
  const current = () => ({ memories: useCases, ...more });
  const server = await start(current, [], tls, trafficLimits, authenticator);
  onTestFinished(() => server.stop(0));
  return server;
}

/** Starts one server for all tests of a file. The returned function sets the domain of a test. */
export function useTestRpcServer(): (useCases?: Partial<MemoryService>) => TestRpcServer {
  let current: Partial<MemoryService> = {};
  const logged: Record<string, unknown>[] = [];
  let started: TestRpcServer | undefined;
  beforeAll(async () => {
    started = await start(() => ({ memories: current }), logged);
  });
  afterAll(() => started?.stop(0));
  return (useCases = {}) => {
    if (started === undefined)
      throw new Error("call this inside a test: the server starts before the first test");
    current = useCases;
    logged.length = 0;
    return started;
  };
}
