import { pino } from "pino";
import { onTestFinished } from "vitest";
import type { MemoryService } from "../../src/core/memories/memory-service.js";
import type { TlsIdentity } from "../../src/rpc/listener.js";
import { type RpcServer, startRpcServer } from "../../src/rpc/rpc-server.js";
import { memoryServiceWith } from "./memory-service-double.js";

/** Both listeners on free ports, over a domain that the test provides. */
export interface TestRpcServer extends RpcServer {
  /** What was logged, oldest first. */
  readonly logged: readonly Record<string, unknown>[];
}

/** Starts a server that ends with the test. */
export async function startTestRpcServer(useCases: Partial<MemoryService> = {}, tls?: TlsIdentity): Promise<TestRpcServer> {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  const free = { host: "127.0.0.1", port: 0 };
  const server = await startRpcServer({ memories: memoryServiceWith(useCases), grpc: free, http: free, log, ...(tls && { tls }) });
  onTestFinished(() => server.stop(0));
  return { ...server, logged };
}
