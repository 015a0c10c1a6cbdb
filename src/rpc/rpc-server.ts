import type { Logger } from "pino";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryService } from "../core/memories/memory-service.js";
import type { Reindexer } from "../core/reindex/reindex.js";
import { createAdminService } from "./admin-service.js";
import { createHealth } from "./health.js";
import { listenGrpc } from "./listen-grpc.js";
import { listenHttp } from "./listen-http.js";
import type { ListenAddress, TlsIdentity } from "./listener.js";
import { createMemoryProvider } from "./memory-provider.js";
import { createReflection } from "./reflection.js";
import { createErrorReporter } from "./status.js";
import { createValidator } from "./validation/validator.js";

export interface RpcServerOptions {
  readonly memories: MemoryService;
  readonly reindexer: Reindexer;
  /** Where native gRPC is served. */
  readonly grpc: ListenAddress;
  /** Where Connect, gRPC-Web, JSON (and gRPC once more) are served. */
  readonly http: ListenAddress;
  /** Absent: both in plaintext. */
  readonly tls?: TlsIdentity;
  readonly log: Pick<Logger, "debug" | "error">;
}

/** Both listeners, open. */
export interface RpcServer {
  /** `host:port`, with the real port. */
  readonly grpcAddress: string;
  /** `host:port`, with the real port. */
  readonly httpAddress: string;
  /** What health checks and `/healthz` say; calls are served either way. */
  setServing(serving: boolean): void;
  /**
   * Says NOT_SERVING, takes no new calls, lets those in flight finish for up to `graceMs`, then cuts them. Resolves when all sockets are closed.
   */
  stop(graceMs: number): Promise<void>;
}

/** Puts the service on both listeners, with health checks and reflection. Serving at once. @throws if a port cannot be opened */
export async function startRpcServer({ memories, reindexer, grpc, http, tls, log }: RpcServerOptions): Promise<RpcServer> {
  const validator = createValidator([MemoryProvider, AdminService].flatMap(({ methods }) => methods.map(({ input }) => input)));
  const parts = { validator, report: createErrorReporter(log) };
  const own = [createMemoryProvider({ memories, ...parts }), createAdminService(reindexer)];
  const health = createHealth(own.map(({ service }) => service.typeName));
  const described = [...own, health.implementation];
  const implementations = [...described, ...createReflection(described.map(({ service }) => service))];
  const common = { implementations, parts, ...(tls === undefined ? {} : { tls }) };
  const grpcListener = await listenGrpc({ address: grpc, ...common });
  const httpListener = await listenHttp({ address: http, ...common, health, log }).catch(async (error: unknown) => {
    await grpcListener.stop(0);
    throw error;
  });
  health.setServing(true);
  return {
    grpcAddress: grpcListener.address,
    httpAddress: httpListener.address,
    setServing: (serving) => health.setServing(serving),
    stop: async (graceMs) => {
      health.shutDown();
      await Promise.all([grpcListener.stop(graceMs), httpListener.stop(graceMs)]);
    },
  };
}
