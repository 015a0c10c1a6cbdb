import type { AuditEvent } from "../core/ports/audit.js";
import type { ScopeKeys } from "./scope-keys.js";

/** An event and its time. */
export interface NotedEvent extends AuditEvent {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
}

/** Maximum number of ids in a line. */
const idsMax = 10;

/**
 * Returns the fields of a line, with pseudonyms in place of users, runs, agents and ids.
 *
 * @param mayAdd returns whether to make a key for a user or run that has none. Without a key, the
 *   line does not say whom it is about
 */
export function lineFields(
  event: NotedEvent,
  keys: ScopeKeys,
  mayAdd: () => boolean,
): Readonly<Record<string, unknown>> {
  const { timeMs, method, principal, actor, peer, requestId, outcome, reason, omitted } = event;
  return {
    time: new Date(timeMs).toISOString(),
    method,
    principal: principal?.name,
    tenant: principal?.tenant || undefined,
    actor,
    peer,
    ...subjectFields(event, keys, mayAdd),
    outcome,
    reason,
    requestId,
    omitted,
  };
}

function subjectFields(
  { subject, principal }: AuditEvent,
  keys: ScopeKeys,
  mayAdd: () => boolean,
): Readonly<Record<string, unknown>> {
  if (subject === undefined) return {};
  const { user, run, agent, ids = [] } = subject;
  const kind = user !== undefined ? "user" : run !== undefined ? "run" : "server";
  const scope = { tenant: principal?.tenant ?? "", kind, id: user ?? run ?? "" } as const;
  const pseudonym = keys.pseudonymsOf(scope, mayAdd);
  if (pseudonym === undefined) return {};
  return {
    user: user === undefined ? undefined : pseudonym("user", user),
    run: run === undefined ? undefined : pseudonym("run", run),
    agent: agent === undefined ? undefined : pseudonym("agent", agent),
    ids: ids.length > 0 ? ids.slice(0, idsMax).map((id) => pseudonym("id", id)) : undefined,
  };
}
