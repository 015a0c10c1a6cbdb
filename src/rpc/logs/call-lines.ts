import type { Logger } from "pino";
import type { EndedCall, Outcome } from "../../core/ports/ended-call.js";
import type { Timer } from "../../core/ports/timer.js";
import { callerFacts } from "./caller-facts.js";
import { createLineLimit } from "./line-limit.js";

/** Log lines about calls that have ended. They hold no texts of callers. */
export interface CallLines {
  /** Logs a call that failed or was slow. At level debug, logs every call. */
  note(call: EndedCall): void;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

/** Codes of failures that an operator can do something about. Other failures are the caller's. */
const operatorCodes: ReadonlySet<Outcome["code"]> = new Set([
  "UNAVAILABLE",
  "DATA_LOSS",
  "RESOURCE_EXHAUSTED",
  "DEADLINE_EXCEEDED",
] as const);

/** Codes of calls that need no line: answered, given up, or logged as errors or denials. */
const quietCodes: ReadonlySet<Outcome["code"]> = new Set([
  "OK",
  "CANCELLED",
  "INTERNAL",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
] as const);

/** The logger of the server, and which calls are slow. */
export interface CallLinesOptions {
  readonly log: Pick<Logger, "debug" | "info" | "isLevelEnabled" | "warn">;
  readonly timer: Pick<Timer, "after">;
  /** Time from which a call counts as slow. `Infinity`: no call does. */
  readonly slowCallMs: number;
}

/**
 * Creates the writer of lines about calls. In each second, the writer logs at most ten lines for
 * one RPC and code. At the end of the second, it logs how many lines it has omitted.
 */
export function createCallLines({ log, timer, slowCallMs }: CallLinesOptions): CallLines {
  const limit = createLineLimit(timer);
  return {
    note(call) {
      const { path: method, code, durationMs, mayLast } = call;
      const isSlow = durationMs >= slowCallMs && !mayLast;
      if (!isSlow && quietCodes.has(code)) {
        if (log.isLevelEnabled("debug")) log.debug(factsOf(call), "a call ended");
        return;
      }
      const level = isSlow || operatorCodes.has(code) ? "warn" : "info";
      const isLogged = limit.admit({ code }, { method }, (kind) =>
        log[level](kind, "further calls failed or were slow"),
      );
      if (isLogged) log[level](factsOf(call), isSlow ? "a call was slow" : "a call failed");
    },
    stop: () => limit.stop(),
  };
}

function factsOf(call: EndedCall): object {
  const { path, principal, peer, requestId, code, reason, durationMs, requestBytes, replyBytes } =
    call;
  const duration = { durationMs: Math.round(durationMs * 10) / 10 };
  const facts = { peer, requestId, code, reason, requestBytes, replyBytes };
  return { method: path, ...callerFacts(principal), ...facts, ...duration };
}
