import { Counter, Histogram, type Registry } from "prom-client";
import type { CallKind, CallObserver } from "../core/ports/ended-call.js";

/** Buckets of the duration of calls, as OpenTelemetry's conventions for RPCs advise, in seconds. */
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Creates the metrics of calls: under the names of OpenTelemetry's conventions for RPCs (version
 * 1.45), and under the name that boards for gRPC servers use. No label holds a user, an agent or a
 * text. Returns the observer that feeds them.
 */
export function createCallMetrics(registry: Registry): CallObserver {
  const durations = new Histogram({
    name: "rpc_server_call_duration_seconds",
    help: "Duration of calls, from their headers until their end.",
    labelNames: ["rpc_system_name", "rpc_method", "rpc_response_status_code"],
    buckets: callSeconds,
    registers: [registry],
  });
  const handled = new Counter({
    name: "grpc_server_handled_total",
    help: "Calls that have ended, by method and code.",
    labelNames: ["grpc_type", "grpc_service", "grpc_method", "grpc_code"],
    registers: [registry],
  });
  const refused = new Counter({
    name: "vademecum_calls_refused_total",
    help: "Calls that failed with RESOURCE_EXHAUSTED, UNAUTHENTICATED or PERMISSION_DENIED.",
    labelNames: ["reason"],
    registers: [registry],
  });
  const damaged = new Counter({
    name: "vademecum_calls_damaged_total",
    help: "Calls that failed with DATA_LOSS, because records are damaged.",
    registers: [registry],
  });
  const seriesOf = (path: string, code: string, kind: CallKind) => {
    const method = path.slice(1);
    const [service = "", name = ""] = method.split("/", 2);
    const labels = { grpc_type: grpcTypes[kind], grpc_service: service, grpc_method: name };
    return {
      duration: durations.labels({
        rpc_system_name: "grpc",
        rpc_method: method,
        rpc_response_status_code: code,
      }),
      count: handled.labels({ ...labels, grpc_code: grpcNameOf(code) }),
    };
  };
  // Finding a series by its labels costs more than counting. The keys are bounded: only RPCs of
  // the server are observed.
  const known = new Map<string, ReturnType<typeof seriesOf>>();
  return ({ path, code, reason = "NONE", durationMs, kind }) => {
    const key = `${path} ${code}`;
    let series = known.get(key);
    if (series === undefined) {
      series = seriesOf(path, code, kind);
      known.set(key, series);
    }
    series.duration.observe(durationMs / 1000);
    series.count.inc();
    if (refusals.has(code)) refused.inc({ reason });
    if (code === "DATA_LOSS") damaged.inc();
  };
}

/** The names of the kinds of calls in the metrics of gRPC libraries. */
const grpcTypes: Readonly<Record<CallKind, string>> = {
  unary: "unary",
  client_streaming: "client_stream",
  server_streaming: "server_stream",
  bidi_streaming: "bidi_stream",
};

const refusals: ReadonlySet<string> = new Set([
  "RESOURCE_EXHAUSTED",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
]);

/** Returns the name of a code as gRPC libraries in Go write it: `NotFound`, `Canceled`, `OK`. */
function grpcNameOf(code: string): string {
  if (code === "OK") return code;
  if (code === "CANCELLED") return "Canceled";
  return code
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
