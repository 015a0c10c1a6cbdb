import type { Logger } from "pino";
import { VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { Timer } from "../../core/ports/timer.js";

type Facts = Readonly<Record<string, unknown>>;

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
  decided(method: string, principal: Principal, facts: Facts): void;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

/** Maximum number of lines of one kind in a second. `createAuditLines` explains the kinds. */
const linesPerSecond = 10;

/**
 * Maximum number of kinds of lines in a second that belong to a single principal. Beyond it, the
 * lines of all further principals are of one kind for each reason or RPC.
 */
const kindsMax = 100;

/** Lines of one kind in the current second. */
interface Kind {
  /** Logs how many lines were omitted. */
  readonly logOmitted: (omitted: number) => void;
  lines: number;
  omitted: number;
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
  const kinds = new Map<string, Kind>();
  let cancelEnd = (): void => undefined;
  const endSecond = (): void => {
    cancelEnd();
    for (const { omitted, logOmitted } of kinds.values()) if (omitted > 0) logOmitted(omitted);
    kinds.clear();
  };
  /** Counts a line. Returns whether to log it. */
  const admit = (
    shared: Facts,
    principal: Principal | undefined,
    logOmitted: (kind: Facts) => void,
  ): boolean => {
    if (kinds.size === 0) cancelEnd = timer.after(1000, endSecond);
    const own = { ...shared, ...named(principal) };
    const facts = kinds.size < kindsMax || kinds.has(JSON.stringify(own)) ? own : shared;
    const key = JSON.stringify(facts);
    const kind = kinds.get(key) ?? {
      logOmitted: (omitted) => logOmitted({ ...facts, omitted }),
      lines: 0,
      omitted: 0,
    };
    kinds.set(key, kind);
    const isLogged = kind.lines < linesPerSecond;
    if (isLogged) kind.lines++;
    else kind.omitted++;
    return isLogged;
  };
  return {
    denied(method, principal, error) {
      if (!isDenial(error)) return;
      const { reason } = error;
      const isLogged = admit({ reason }, principal, (kind) =>
        log.warn(kind, "further calls were denied"),
      );
      if (isLogged) log.warn({ method, reason, ...named(principal) }, "a call was denied");
    },
    decided(method, principal, facts) {
      const isLogged = admit({ method }, principal, (kind) =>
        log.info(kind, "further calls decided"),
      );
      if (isLogged) log.info({ method, ...named(principal), ...facts }, "a call decided");
    },
    stop: endSecond,
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
