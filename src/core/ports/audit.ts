import type { Code } from "../model/errors.js";
import type { Principal } from "../model/principal.js";
import type { Call } from "./call.js";

/**
 * Whose data a call is about: of one user, or of one run if it names no user. The trail keeps none
 * of these ids in clear.
 */
export interface AuditSubject {
  readonly user?: string;
  readonly run?: string;
  readonly agent?: string;
  /** Ids and labels of records. The trail keeps ten at most. */
  readonly ids?: readonly string[];
}

/** A call to note in the audit trail, or a number of denied calls. It holds no texts. */
export interface AuditEvent {
  /** Path of the RPC. Absent: the event counts calls of several RPCs. */
  readonly method?: string;
  /** Who called. Absent: the call had no valid credentials. */
  readonly principal?: Pick<Principal, "name" | "tenant"> | undefined;
  /** The person for whom the caller acts, as the caller says. */
  readonly actor?: string | undefined;
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer?: string | undefined;
  /** The id in the header `x-request-id`, which the client gave or the server made. */
  readonly requestId?: string | undefined;
  readonly outcome: Code | "OK";
  /** Reason of the error. */
  readonly reason?: string | undefined;
  readonly subject?: AuditSubject | undefined;
  /** Number of calls that have no line of their own. Absent: the event is one call. */
  readonly omitted?: number;
}

/** Keeps a record of who did what. Never fails: it counts and logs the lines that it loses. */
export interface AuditTrail {
  /** Notes an event, which is on disk a second later. */
  note(event: AuditEvent): void;
  /** Notes an event. Resolves when it is on disk, or lost. */
  noteDurably(event: AuditEvent): Promise<void>;
}

/** Which lines of a trail to list. All conditions must hold. */
export interface AuditQuery {
  /** The tenant of the callers; empty: callers without a tenant. */
  readonly tenant: string;
  /** Lists only lines about this user. Not with `run`. */
  readonly user?: string;
  /** Lists only lines about this run. */
  readonly run?: string;
  /** Lists only lines from this time on, in milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Lists only lines with a smaller number. */
  readonly beforeNumber?: number;
  readonly limit: number;
}

/** A line of a trail: its number, and its fields by name. Fields that do not apply are absent. */
export type AuditLine = Readonly<Record<string, unknown>> & { readonly number: number };

/** Lists lines of a trail, the newest first. */
export type ListAuditLines = (query: AuditQuery, call: Call) => Promise<readonly AuditLine[]>;
