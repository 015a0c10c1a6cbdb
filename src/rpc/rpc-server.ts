import type { Logger } from "pino";
import type { GuardRule } from "../core/guard/guard.js";
import type { Quota } from "../core/model/quota.js";
import type { AuditTrail } from "../core/ports/audit.js";
import type { Authenticator } from "../core/ports/authenticator.js";
import type { CallObserver, EndedCall } from "../core/ports/ended-call.js";
import { type Meter, noMeter } from "../core/ports/meter.js";
import type { Timer } from "../core/ports/timer.js";
import type { Tracer } from "../core/ports/tracer.js";
import type { WritesState } from "../core/ports/writes-state.js";
import type { Address } from "../edge/address.js";
import { createAccess, createOpenAccess } from "./access/access.js";
import { type AuditLines, createAuditLines } from "./access/audit-lines.js";
import { createRateLimits } from "./access/rate-limits.js";
import type { AdapterParts } from "./adapt/adapter-parts.js";
import { createErrorReporter } from "./adapt/status.js";
import { createTraffic } from "./admit/traffic.js";
import type { TrafficLimits } from "./admit/traffic-limits.js";
import { descriptors, requestTypes } from "./descriptors.js";
import { createForwarder } from "./forward/forwarder.js";
import { type AllowedServer, createMoveTargets } from "./forward/move-targets.js";
import { requestWaits } from "./limits.js";
import type { ConsoleFiles } from "./listen/console-pages.js";
import { listenGrpc } from "./listen/listen-grpc.js";
import { listenHttp } from "./listen/listen-http.js";
import type { TlsSource } from "./listen/tls-identity.js";
import { createCallLines } from "./logs/call-lines.js";
import { createGuardLines } from "./logs/guard-lines.js";
import { auditedServices } from "./services/audited-services.js";
import { type RecordedCalls, recordedServices } from "./services/recorded-services.js";
import { createServices, type Domain } from "./services/services.js";
import { tracedServices } from "./services/traced-services.js";
import { createHealth } from "./standard/health.js";
import { createReflection } from "./standard/reflection.js";
import { compileRules, createValidator } from "./validation/validator.js";

/** The use cases that an RPC server serves, its addresses and its limits. */
export interface RpcServerOptions {
  /** Returns the use cases of a tenant. An empty name stands for the data without a tenant. */
  readonly domainOf: (tenant: string) => Domain;
  /** Address of the listener for native gRPC. */
  readonly grpc: Address;
  /** Address of the listener for Connect, gRPC-Web and JSON, and for gRPC too. */
  readonly http: Address;
  /** Origins whose web pages may call the `http` listener. Default: none. */
  readonly httpAllowedOrigins?: readonly string[];
  /**
   * Host names of this server, such as its name behind a proxy. Web pages from these hosts may call
   * the `http` listener. `localhost` and IP addresses need no entry. Default: none.
   */
  readonly httpAllowedHosts?: readonly string[];
  /** The files of the web console. Absent: the `http` listener serves no console. */
  readonly consoleFiles?: ConsoleFiles | undefined;
  /** Finds out who calls. Absent: everybody may do everything. */
  readonly authenticator?: Authenticator;
  /** The quota of each user. Absent: no quota. */
  readonly quota?: Quota;
  /** Source of the TLS identity. Absent: both listeners serve plaintext. */
  readonly tls?: TlsSource;
  /** Limits on connections, replies and calls that replace the default limits. */
  readonly trafficLimits?: Partial<TrafficLimits>;
  /**
   * The servers to which this server forwards the calls of moved users. `undefined`: it forwards
   * nothing. Default: none.
   */
  readonly moveTargets?: readonly AllowedServer[] | undefined;
  /** What to do with texts that look like secrets, by owner. Default: nothing. */
  readonly guardRules?: readonly GuardRule[];
  /** Notes each call that has ended. Default: nobody does. */
  readonly observe?: CallObserver | undefined;
  /** Time from which a call is logged as slow. Default: no call is. */
  readonly slowCallMs?: number;
  /** Default: nobody notes figures. */
  readonly meter?: Meter;
  /** Default: no call is traced. */
  readonly tracer?: Tracer | undefined;
  /** Where calls are recorded, and which. Denials always are. Default: nowhere. */
  readonly audit?: { readonly trail: AuditTrail; readonly calls: RecordedCalls } | undefined;
  readonly timer: Timer;
  readonly log: Pick<Logger, "debug" | "error" | "info" | "isLevelEnabled" | "warn">;
}

/** How busy both listeners are. */
export interface TrafficLoad {
  /** Calls whose replies are not completely sent. */
  readonly openCalls: number;
  /** Calls that wait for a slot. */
  readonly waitingCalls: number;
  /** Bytes of the messages of calls. */
  readonly messageBytes: number;
  /** Open connections. */
  readonly connections: number;
}

/** A server with two open listeners. */
export interface RpcServer {
  /** `host:port` with the port that is open. */
  readonly grpcAddress: string;
  /** `host:port` with the port that is open. */
  readonly httpAddress: string;
  load(): TrafficLoad;
  /** Sets what health checks and `/healthz` answer. Calls are served either way. */
  setServing(serving: boolean): void;
  /** Sets whether health checks report that writes which add data fail for lack of space. */
  setWrites(state: WritesState): void;
  /** Makes health checks answer NOT_SERVING for good. Calls are still served. */
  announceStop(): void;
  /**
   * Stops the server: health checks answer NOT_SERVING, new calls are refused, and calls in flight
   * get up to `graceMs` to finish before they are cancelled. Resolves when all sockets are closed.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Serves the use cases, health checks and reflection on both listeners, and reports SERVING. Then
 * compiles the validation rules in the background; a call that needs one of them earlier compiles
 * it.
 *
 * @throws Error of the system when a port cannot be opened
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { domainOf, grpc, http, httpAllowedOrigins = [], httpAllowedHosts = [] } = options;
  const { tls, moveTargets, log, audit: recording } = options;
  const forwarder = createForwarder(createMoveTargets(moveTargets));
  const { parts, audit, stop } = createParts(options);
  const health = createHealth(descriptors.map(({ typeName }) => typeName));
  const reflection = createReflection([...descriptors, health.implementation.service]);
  const { guardRules = [] } = options;
  const guardLines = createGuardLines(log, options.timer);
  const served = createServices(domainOf, { ...parts, forwarder, guardRules, guardLines });
  const created = options.tracer === undefined ? served : tracedServices(served);
  const services =
    recording === undefined ? created : recordedServices(created, recording.trail, recording.calls);
  const logged = auditedServices(services, audit);
  const implementations = [...logged, health.implementation, ...reflection];
  const common = { implementations, parts, ...(tls === undefined ? {} : { tls }) };
  const grpcListener = await listenGrpc({ address: grpc, ...common }).catch((error: unknown) => {
    stop();
    throw error;
  });
  const httpListener = await listenHttp({
    address: http,
    allowedOrigins: httpAllowedOrigins,
    allowedHosts: httpAllowedHosts,
    consoleFiles: options.consoleFiles,
    ...common,
    health,
    log,
  }).catch(async (error: unknown) => {
    await grpcListener.stop(0);
    stop();
    throw error;
  });
  health.setServing(true);
  void compileRules(requestTypes);
  return {
    grpcAddress: grpcListener.address,
    httpAddress: httpListener.address,
    load: () => ({
      openCalls: parts.traffic.openCalls(),
      waitingCalls: parts.traffic.waitingCalls(),
      messageBytes: parts.traffic.callBytes(),
      connections: parts.traffic.connections.size,
    }),
    setServing: (serving) => health.setServing(serving),
    setWrites: (state) => health.setWrites(state),
    announceStop: () => health.shutDown(),
    stop: async (graceMs) => {
      health.shutDown();
      await Promise.all([grpcListener.stop(graceMs), httpListener.stop(graceMs)]);
      forwarder.close();
      guardLines.stop();
      stop();
    },
  };
}

/** Creates what both listeners share, and a function that stops its timers. */
function createParts(options: RpcServerOptions): {
  readonly parts: AdapterParts;
  readonly audit: AuditLines;
  readonly stop: () => void;
} {
  const { authenticator, quota, trafficLimits, timer, log } = options;
  const { observe = () => undefined, slowCallMs = Infinity, meter = noMeter } = options;
  const rates = createRateLimits(() => performance.now());
  const audit = createAuditLines(log, timer, options.audit?.trail);
  const lines = createCallLines({ log, timer, slowCallMs });
  const traffic = createTraffic(trafficLimits);
  const parts = {
    access:
      authenticator === undefined
        ? createOpenAccess(quota)
        : createAccess({ authenticator, rates, audit, quota }),
    validator: createValidator(),
    report: createErrorReporter(log),
    observe: (call: EndedCall) => {
      lines.note(call);
      observe(call);
    },
    meter,
    tracer: options.tracer,
    requestWaits,
    traffic,
  };
  const stop = (): void => {
    traffic.stop();
    audit.stop();
    lines.stop();
  };
  return { parts, audit, stop };
}
