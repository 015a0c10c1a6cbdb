import { errorText } from "../core/model/errors.js";
import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";

/** A span that has ended. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent: the span begins the trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: "internal" | "server";
  /** Nanoseconds since 1970. */
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly isError: boolean;
}

/** Sends spans to a collector. Never fails: it counts and logs the spans that it loses. */
export interface SpanExporter {
  /** Takes a span, which is sent within five seconds. */
  add(span: EndedSpan): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface OtlpExporterOptions {
  /** The URL of the collector, without `/v1/traces`. */
  readonly endpoint: URL;
  readonly version: string;
  readonly timer: Pick<Timer, "after">;
  readonly log: Log;
}

const sendAfterMs = 5_000;
const batchMax = 512;
/** Maximum number of spans that wait. Further spans are lost, such as while the collector hangs. */
const waitingMax = 4_096;
const requestTimeoutMs = 10_000;

/** The version of OpenTelemetry's conventions by which names and attributes are chosen. */
const schemaUrl = "https://opentelemetry.io/schemas/1.45.0";

/** Codes of OTLP for the kinds of spans and for a failure. */
const kindCodes = { internal: 1, server: 2 } as const;
const errorCode = 2;

/** Creates an exporter that speaks OTLP over HTTP, in JSON. */
export function createOtlpExporter(options: OtlpExporterOptions): SpanExporter {
  const { endpoint, version, timer, log } = options;
  const url = new URL(`${endpoint.pathname.replace(/\/$/, "")}/v1/traces`, endpoint);
  const attributes = toAttributes({ "service.name": "vademecum", "service.version": version });
  const waiting: EndedSpan[] = [];
  let lost = 0;
  let cancelSend: (() => void) | undefined;
  let sending: Promise<void> = Promise.resolve();
  const post = async (spans: readonly EndedSpan[]): Promise<void> => {
    const scopeSpans = [
      { scope: { name: "vademecum", version }, spans: spans.map(toOtlp), schemaUrl },
    ];
    const body = JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(url, { method: "POST", headers, body, signal });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the collector answered with HTTP ${response.status}`);
    if (lost > 0) log("info", "traces are sent again", { lost });
    lost = 0;
  };
  const send = (): Promise<void> => {
    cancelSend?.();
    cancelSend = undefined;
    sending = sending.then(async () => {
      for (
        let spans = waiting.splice(0, batchMax);
        spans.length > 0;
        spans = waiting.splice(0, batchMax)
      )
        await post(spans).catch((error: unknown) => lose(spans.length, error));
    });
    return sending;
  };
  const lose = (spans: number, error: unknown): void => {
    if (lost === 0)
      log("warn", `cannot send traces; they are lost until this works: ${errorText(error)}`, {
        error,
      });
    lost += spans;
  };
  return {
    add(span) {
      if (waiting.length >= waitingMax) {
        lose(1, new Error(`${waitingMax} spans wait for the collector`));
        return;
      }
      waiting.push(span);
      if (waiting.length === batchMax) void send();
      else cancelSend ??= timer.after(sendAfterMs, () => void send());
    },
    close: send,
  };
}

function toOtlp(span: EndedSpan): object {
  const { traceId, spanId, parentSpanId, name, kind, isError } = span;
  return {
    ...{ traceId, spanId, parentSpanId, name, kind: kindCodes[kind] },
    startTimeUnixNano: String(span.startNanos),
    endTimeUnixNano: String(span.endNanos),
    attributes: toAttributes(span.attributes),
    status: isError ? { code: errorCode } : {},
  };
}

function toAttributes(values: EndedSpan["attributes"]): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const given = typeof value === "number" ? { intValue: String(value) } : { stringValue: value };
    return [{ key, value: given }];
  });
}
