import { create } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import {
  Health,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
} from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.js";
import type { CallObserver } from "../../src/core/ports/ended-call.js";
import { noMeter } from "../../src/core/ports/meter.js";
import { createOpenAccess } from "../../src/rpc/access/access.js";
import { type HandlersOf, implement } from "../../src/rpc/adapt/handler.js";
import type { RequestWaits } from "../../src/rpc/adapt/request-waits.js";
import { createErrorReporter } from "../../src/rpc/adapt/status.js";
import { createTraffic, type Traffic } from "../../src/rpc/admit/traffic.js";
import type { TrafficLimits } from "../../src/rpc/admit/traffic-limits.js";
import { listenGrpc } from "../../src/rpc/listen/listen-grpc.js";
import { listenHttp } from "../../src/rpc/listen/listen-http.js";
import { createHealth } from "../../src/rpc/standard/health.js";
import { createValidator } from "../../src/rpc/validation/validator.js";

/** The addresses of both listeners. */
export interface ProbeAddresses {
  readonly grpcAddress: string;
  readonly httpAddress: string;
}

/**
 * Handlers of a unary method, a server stream without a deadline and a bidirectional stream. No
 * validation rules apply to their requests.
 */
export type ProbeHandlers = Partial<
  HandlersOf<typeof Health> & HandlersOf<typeof ServerReflection>
>;

/** A server with handlers of a test. */
export interface ProbeServer extends ProbeAddresses {
  readonly traffic: Traffic;
  /** What the log has of unexpected errors. */
  readonly errors: readonly unknown[];
}

/**
 * Serves handlers on both listeners until the test ends, without the services of Vademecum.
 *
 * @param nowMs the clock of the traffic limits. Default: the clock of the machine
 * @param observe notes each call that has ended
 */
export async function startProbeServer(
  handlers: ProbeHandlers,
  requestWaits: RequestWaits = { firstMs: 30_000, nextMs: 60_000 },
  trafficLimits: Partial<TrafficLimits> = {},
  nowMs?: () => number,
  observe: CallObserver = () => undefined,
): Promise<ProbeServer> {
  const health = implement(
    Health,
    {
      check: handlers.check ?? (async () => create(HealthCheckResponseSchema)),
      list: handlers.list ?? (async () => create(HealthListResponseSchema)),
      watch: handlers.watch ?? async function* () {},
    },
    { openEnded: { watch: "proposalWatches" } },
  );
  const reflection = implement(ServerReflection, {
    serverReflectionInfo: handlers.serverReflectionInfo ?? async function* () {},
  });
  const errors: unknown[] = [];
  const log = { error: (line: unknown) => void errors.push(line), debug: () => undefined };
  const parts = {
    access: createOpenAccess(),
    validator: createValidator(),
    report: createErrorReporter(log),
    observe,
    meter: noMeter,
    requestWaits,
    traffic: createTraffic(trafficLimits, nowMs),
  };
  const options = {
    address: { host: "127.0.0.1", port: 0 },
    implementations: [health, reflection],
    parts,
  };
  const grpc = await listenGrpc(options);
  const http = await listenHttp({ ...options, health: createHealth([]), log });
  onTestFinished(async () => {
    await Promise.all([grpc.stop(0), http.stop(0)]);
    parts.traffic.stop();
  });
  const { traffic } = parts;
  return { grpcAddress: grpc.address, httpAddress: http.address, traffic, errors };
}
