import type { Logger } from "pino";
import { createErrorReporter } from "./adapt/status.js";
import { listenGrpc } from "./listen/listen-grpc.js";
import { listenHttp } from "./listen/listen-http.js";
import type { ListenAddress, TlsIdentity } from "./listen/listener.js";
import { createServices, type Domain, requestTypes } from "./services/services.js";
import { createHealth } from "./standard/health.js";
import { createReflection } from "./standard/reflection.js";
import { createValidator } from "./validation/validator.js";

export interface RpcServerOptions {
  readonly domain: Domain;
  /** Where native gRPC is served. */
  readonly grpc: ListenAddress;
  /** Where Connect, gRPC-Web, JSON (and gRPC once more) are served. */
  readonly http: ListenAddress;
  /** Origins whose pages browsers let call `http` from elsewhere. Absent: none. */
  readonly httpAllowedOrigins?: readonly string[];
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
export async function startRpcServer({
  domain,
  grpc,
  http,
  httpAllowedOrigins = [],
  tls,
  log,
}: RpcServerOptions): Promise<RpcServer> {
  const parts = { validator: createValidator(requestTypes), report: createErrorReporter(log) };
  const services = createServices(domain, parts);
  const health = createHealth(services.map(({ service }) => service.typeName));
  const reflection = createReflection(
    [...services, health.implementation].map(({ service }) => service),
  );
  const implementations = [...services, health.implementation, ...reflection];
  const common = { implementations, parts, ...(tls === undefined ? {} : { tls }) };
  const grpcListener = await listenGrpc({ address: grpc, ...common });
  const httpListener = await listenHttp({
    address: http,
    allowedOrigins: httpAllowedOrigins,
    ...common,
    health,
    log,
  }).catch(async (error: unknown) => {
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
