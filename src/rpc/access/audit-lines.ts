import type { Logger } from "pino";
import { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { Timer } from "../../core/ports/timer.js";
import { callerFacts } from "../logs/caller-facts.js";
import { createLineLimit, type Facts } from "../logs/line-limit.js";

/** Log lines about who was refused, and who decided what. They hold no texts and no credentials. */
export interface AuditLines {
  /**
   * Logs that a call was refused for lack of credentials or rights. Does nothing for other errors.
   *
   * @param method path of the RPC
   * @param principal `undefined` if the call showed no valid credentials
   * @param peer address of the caller's end of the connection, if it is known
   */
  denied(method: string, principal: Principal | undefined, error: unknown, peer?: string): void;
  /**
   * Logs a decision that was made.
   *
   * @param facts names and ids that say what was decided
   */
  decided(method: string, principal: Principal, facts: Facts): void;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

/**
 * Creates the writer of the audit lines. All denials of one principal for one reason are lines of
 * one kind. So are all decisions of one principal by one RPC. In each second, the writer logs at
 * most ten lines of a kind. At the end of the second, it logs how many lines it has omitted.
 */
export function createAuditLines(
  log: Pick<Logger, "info" | "warn">,
  timer: Pick<Timer, "after">,
): AuditLines {
  const limit = createLineLimit(timer);
  return {
    denied(method, principal, error, peer) {
      if (!isDenial(error)) return;
      const { reason } = error;
      const isLogged = limit.admit({ reason }, callerFacts(principal), (kind) =>
        log.warn(kind, "further calls were denied"),
      );
      if (isLogged)
        log.warn({ method, reason, ...callerFacts(principal), peer }, "a call was denied");
    },
    decided(method, principal, facts) {
      const isLogged = limit.admit({ method }, callerFacts(principal), (kind) =>
        log.info(kind, "further calls decided"),
      );
      if (isLogged) log.info({ method, ...callerFacts(principal), ...facts }, "a call decided");
    },
    stop: () => limit.stop(),
  };
}

function isDenial(error: unknown): error is VademecumError {
  return (
    error instanceof VademecumError &&
    (error.code === "UNAUTHENTICATED" || error.code === "PERMISSION_DENIED")
  );
}
