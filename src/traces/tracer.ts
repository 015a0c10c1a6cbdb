import type { EndedCall } from "../core/ports/ended-call.js";
import type { CallSpan, MemoryOperation, Tracer } from "../core/ports/tracer.js";
import type { SpanExporter } from "./otlp-exporter.js";
import { formatTraceparent, newSpanId, newTraceId, parseTraceparent } from "./trace-context.js";

/** What a tracer needs. */
export interface TracerOptions {
  readonly exporter: Pick<SpanExporter, "add">;
  /** Share of the calls without a `traceparent` that are traced, from 0 to 1. */
  readonly ratio: number;
  /** The id of the data that the server has. */
  readonly storeId: string;
  /** Random number from 0 up to 1. */
  readonly random: () => number;
}

/** Codes that are failures of the server, by OpenTelemetry's conventions for RPCs. */
const errorCodes: ReadonlySet<EndedCall["code"]> = new Set([
  "DEADLINE_EXCEEDED",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
] as const);

/**
 * Creates a tracer. The span of a call has the names of OpenTelemetry's conventions for RPCs
 * (version 1.45). An operation on memories is a span below it, with the names of the conventions
 * for memory operations of generative AI (version 1.42, in development).
 */
export function createTracer(options: TracerOptions): Tracer {
  const { ratio, random } = options;
  return {
    begin(traceparent) {
      const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
      if (!(parent?.isSampled ?? random() < ratio)) return undefined;
      return new TracedCall(options, parent?.traceId ?? newTraceId(), parent?.spanId);
    },
  };
}

class TracedCall implements CallSpan {
  readonly #options: TracerOptions;
  readonly #traceId: string;
  readonly #parentSpanId: string | undefined;
  readonly #spanId = newSpanId();
  readonly #startNanos = nowNanos();

  constructor(options: TracerOptions, traceId: string, parentSpanId: string | undefined) {
    this.#options = options;
    this.#traceId = traceId;
    this.#parentSpanId = parentSpanId;
  }

  get traceparent(): string {
    return formatTraceparent({ traceId: this.#traceId, spanId: this.#spanId, isSampled: true });
  }

  beginOperation(operation: MemoryOperation): (outcome: number | string) => void {
    const { exporter, storeId } = this.#options;
    const startNanos = nowNanos();
    return (outcome) => {
      const isError = typeof outcome === "string";
      exporter.add({
        ...{ traceId: this.#traceId, spanId: newSpanId(), parentSpanId: this.#spanId },
        ...{ name: operation, kind: "internal", startNanos, endNanos: nowNanos(), isError },
        attributes: {
          "gen_ai.operation.name": operation,
          "gen_ai.memory.store.id": storeId,
          ...(isError ? { "error.type": outcome } : { "gen_ai.memory.record.count": outcome }),
        },
      });
    };
  }

  end({ path, code, reason, requestId, peer }: EndedCall): void {
    const isError = errorCodes.has(code);
    const parent = this.#parentSpanId === undefined ? {} : { parentSpanId: this.#parentSpanId };
    this.#options.exporter.add({
      ...{ traceId: this.#traceId, spanId: this.#spanId, ...parent },
      ...{
        name: path.slice(1),
        kind: "server",
        startNanos: this.#startNanos,
        endNanos: nowNanos(),
      },
      isError,
      attributes: {
        "rpc.system.name": "grpc",
        "rpc.method": path.slice(1),
        "rpc.response.status_code": code,
        "error.type": isError ? (reason ?? code) : undefined,
        "network.peer.address": peer,
        "vademecum.request_id": requestId,
      },
    });
  }
}

/** Nanoseconds since 1970 by a clock that does not jump within a call. */
function nowNanos(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
}
