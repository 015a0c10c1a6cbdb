import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { type Code, VademecumError } from "../../core/model/errors.js";
import type { Principal } from "../../core/model/principal.js";
import type { AuditEvent, AuditTrail } from "../../core/ports/audit.js";
import type { Timer } from "../../core/ports/timer.js";
import { callerFacts } from "../logs/caller-facts.js";
import { createLineLimit, type Facts } from "../logs/line-limit.js";
import { subjectsIn } from "./audit-subjects.js";

/** A request that was refused, and its definition. */
export interface RefusedRequest {
  readonly schema: DescMessage;
  readonly message: Message;
}

/** A call that decided something. */
export interface Decider {
  readonly principal: Principal;
  readonly requestId: string;
}

/** Where a call comes from. */
export interface CallSource {
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Log lines about who was refused, and who decided what. They hold no texts and no credentials.
 * Refusals go to the audit trail too, if there is one.
 */
export interface AuditLines {
  /**
   * Logs that a call was refused for lack of credentials or rights. Does nothing for other errors.
   *
   * @param method path of the RPC
   * @param principal `undefined` if the call showed no valid credentials
   * @param refused the request, if it was read. The trail says whose data it names
   */
  denied(
    method: string,
    principal: Principal | undefined,
    error: unknown,
    from?: CallSource,
    refused?: RefusedRequest,
  ): void;
  /**
   * Logs a decision that was made.
   *
   * @param facts say what was decided; without ids of users, agents and records
   */
  decided(method: string, call: Decider, facts: Facts): void;
  /** Logs how many lines were omitted in this second. Call it when the server has stopped. */
  stop(): void;
}

/**
 * Creates the writer of the audit lines. All denials of one principal for one reason are lines of
 * one kind. So are all decisions of one principal by one RPC. In each second, the writer logs at
 * most ten lines of a kind. At the end of the second, it logs how many lines it has omitted. The
 * same holds for the denials in the trail, so that callers without rights cannot fill the disk.
 *
 * @param trail where denials are noted too. Default: nowhere
 */
export function createAuditLines(
  log: Pick<Logger, "info" | "warn">,
  timer: Pick<Timer, "after">,
  trail?: Pick<AuditTrail, "note">,
): AuditLines {
  const limit = createLineLimit(timer);
  return {
    denied(method, principal, error, { peer, requestId } = {}, refused) {
      if (!isDenial(error)) return;
      const { code: outcome, reason } = error;
      const isLogged = limit.admit({ reason }, callerFacts(principal), (kind) => {
        log.warn(kind, "further calls were denied");
        trail?.note(omittedDenials(outcome, kind));
      });
      if (!isLogged) return;
      const facts = { method, reason, ...callerFacts(principal), peer, requestId };
      log.warn(facts, "a call was denied");
      const [subject] = refused === undefined ? [] : subjectsIn(refused.schema, refused.message);
      trail?.note({ method, principal, peer, requestId, outcome, reason, subject });
    },
    decided(method, { principal, requestId }, facts) {
      const isLogged = limit.admit({ method }, callerFacts(principal), (kind) =>
        log.info(kind, "further calls decided"),
      );
      if (!isLogged) return;
      log.info({ method, ...callerFacts(principal), requestId, ...facts }, "a call decided");
    },
    stop: () => limit.stop(),
  };
}

/** Returns the event for denials without lines of their own. */
function omittedDenials(outcome: Code, kind: Facts): AuditEvent {
  const { reason, principal, tenant = "", omitted } = kind as Partial<DenialKind>;
  return {
    principal: principal === undefined ? undefined : { name: principal, tenant },
    ...{ outcome, reason, ...(omitted !== undefined && { omitted }) },
  };
}

interface DenialKind {
  readonly reason: string;
  readonly principal: string;
  readonly tenant: string;
  readonly omitted: number;
}

/** Whether a call was refused for lack of credentials or rights. */
export function isDenial(error: unknown): error is VademecumError {
  return (
    error instanceof VademecumError &&
    (error.code === "UNAUTHENTICATED" || error.code === "PERMISSION_DENIED")
  );
}
