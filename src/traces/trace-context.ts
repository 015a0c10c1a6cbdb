import { randomBytes } from "node:crypto";

/** The context of a span, as the header `traceparent` of the W3C has it. */
export interface TraceContext {
  /** 16 bytes in hexadecimal. */
  readonly traceId: string;
  /** 8 bytes in hexadecimal. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version, trace, span and flags. Later versions may have more parts. */
const form =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** Returns the context of a header; `undefined` if it is not valid. */
export function parseTraceparent(header: string): TraceContext | undefined {
  const [, traceId, spanId, flags] = form.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? "0", 16) & 1) === 1 };
}

/** Returns the header of a context. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}

export function newSpanId(): string {
  return randomBytes(8).toString("hex");
}
