import { pino } from "pino";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { MemoryService } from "../../src/core/memories/memory-service.js";
import type { Reindexer } from "../../src/core/reindex/reindex.js";
import type { TlsIdentity } from "../../src/rpc/listener.js";
import { type RpcServer, startRpcServer } from "../../src/rpc/rpc-server.js";
import { memoryServiceWith } from "./memory-service-double.js";
import { noReindexer } from "./no-reindexer.js";

/** Both listeners on free ports, over a domain that the test provides. */
export interface TestRpcServer extends RpcServer {
  /** What was logged, oldest first. */
  readonly logged: readonly Record<string, unknown>[];
}

async function start(
  memories: MemoryService,
  logged: Record<string, unknown>[],
  tls?: TlsIdentity,
  reindexer: Reindexer = noReindexer,
): Promise<TestRpcServer> {
  const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  const free = { host: "127.0.0.1", port: 0 };
  return { ...(await startRpcServer({ memories, reindexer, grpc: free, http: free, log, ...(tls && { tls }) })), logged };
}

/** Starts a server that ends with the test, for tests that stop or switch it. */
export async function startTestRpcServer(
  useCases: Partial<MemoryService> = {},
  tls?: TlsIdentity,
  reindexer?: Reindexer,
): Promise<TestRpcServer> {
  const server = await start(memoryServiceWith(useCases), [], tls, reindexer);
  onTestFinished(() => server.stop(0));
  return server;
}

/** Starts one server for all tests of a file. The function returned puts the domain of a test behind it. */
export function useTestRpcServer(): (useCases?: Partial<MemoryService>) => TestRpcServer {
  let current = memoryServiceWith({});
  const logged: Record<string, unknown>[] = [];
  const memories: MemoryService = {
    add: (...call) => current.add(...call),
    addTrace: (...call) => current.addTrace(...call),
    search: (...call) => current.search(...call),
    recall: (...call) => current.recall(...call),
    explain: (...call) => current.explain(...call),
    getAll: (...call) => current.getAll(...call),
    get: (...call) => current.get(...call),
    update: (...call) => current.update(...call),
    delete: (...call) => current.delete(...call),
    deleteWhere: (...call) => current.deleteWhere(...call),
    reset: (...call) => current.reset(...call),
  };
  let started: TestRpcServer | undefined;
  beforeAll(async () => {
    started = await start(memories, logged);
  });
  afterAll(() => started?.stop(0));
  return (useCases = {}) => {
    if (started === undefined) throw new Error("the server starts before the first test, not earlier");
    current = memoryServiceWith(useCases);
    logged.length = 0;
    return started;
  };
}
