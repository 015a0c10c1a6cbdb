import type { Logger } from "pino";
import { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";

/** Log lines about who was refused, and who decided what. They hold no texts and no credentials. */
export interface AuditLines {
  /**
   * Logs that a call was refused for lack of credentials or rights. Does nothing for other errors.
   *
   * @param method path of the RPC
   * @param principal `undefined` if the call showed no valid credentials
   */
  denied(method: string, principal: Principal | undefined, error: unknown): void;
  /**
   * Logs a decision that was made.
   *
   * @param facts names and ids that say what was decided
   */
  decided(method: string, principal: Principal, facts: Readonly<Record<string, unknown>>): void;
}

/** Maximum number of lines of one kind in a second. The next line states how many were left out. */
const linesPerSecond = 10;

/** Lines of one kind in the second that began at `sinceMs`. */
interface Second {
  sinceMs: number;
  lines: number;
  omitted: number;
}

/**
 * Creates the writer of the audit lines. The writer logs at most ten lines of a kind in a second.
 *
 * @param nowMs milliseconds of a clock that never jumps
 */
export function createAuditLines(
  log: Pick<Logger, "info" | "warn">,
  nowMs: () => number,
): AuditLines {
  const kinds = new Map<string, Second>();
  /** Returns the number of lines omitted since the last line; `undefined`: omit this line too. */
  const admit = (kind: string): { readonly omitted?: number } | undefined => {
    const now = nowMs();
    const second = kinds.get(kind) ?? { sinceMs: now, lines: 0, omitted: 0 };
    kinds.set(kind, second);
    if (now - second.sinceMs >= 1000) {
      second.sinceMs = now;
      second.lines = 0;
    }
    if (second.lines === linesPerSecond) {
      second.omitted += 1;
      return undefined;
    }
    const { omitted } = second;
    second.lines += 1;
    second.omitted = 0;
    return omitted === 0 ? {} : { omitted };
  };
  return {
    denied(method, principal, error) {
      if (!isDenial(error)) return;
      const { reason } = error;
      const more = admit(reason);
      if (more !== undefined)
        log.warn({ method, reason, ...named(principal), ...more }, "a call was denied");
    },
    decided(method, principal, facts) {
      const more = admit(method);
      if (more !== undefined)
        log.info({ method, ...named(principal), ...facts, ...more }, "a call decided");
    },
  };
}

function isDenial(error: unknown): error is VademecumError {
  return (
    error instanceof VademecumError &&
    (error.code === "UNAUTHENTICATED" || error.code === "PERMISSION_DENIED")
  );
}

function named(principal: Principal | undefined): Readonly<Record<string, string>> {
  if (principal === undefined) return {};
  const { name, tenant } = principal;
  return { principal: name, ...(tenant === "" ? {} : { tenant }) };
}
