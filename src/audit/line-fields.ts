import type { AuditEvent } from "../core/ports/audit.js";
import type { AuditScope, ScopeKeys } from "./scope-keys.js";

/** An event and its time. */
export interface NotedEvent extends AuditEvent {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
}

/** Maximum number of ids in a line. */
const idsMax = 10;

/** Returns the scope whose key makes the pseudonyms of an event. `undefined`: it has none. */
export function scopeOfEvent({ subject, principal }: AuditEvent): AuditScope | undefined {
  if (subject === undefined) return undefined;
  const { user, run } = subject;
  const kind = user !== undefined ? "user" : run !== undefined ? "run" : "server";
  return { tenant: principal?.tenant ?? "", kind, id: user ?? run ?? "" };
}

/**
 * Returns the fields of a line, with pseudonyms in place of users, runs, agents and ids. Without a
 * key, the line does not say whom it is about. Requires: `keys` has prepared the scope of the
 * event.
 */
export function lineFields(
  event: NotedEvent,
  keys: Pick<ScopeKeys, "pseudonymsOf">,
): Readonly<Record<string, unknown>> {
  const { timeMs, method, principal, actor, peer, requestId, outcome, reason, omitted } = event;
  return {
    time: new Date(timeMs).toISOString(),
    method,
    principal: principal?.name,
    tenant: principal?.tenant || undefined,
    actor,
    peer,
    ...subjectFields(event, keys),
    outcome,
    reason,
    requestId,
    omitted,
  };
}

function subjectFields(
  event: AuditEvent,
  keys: Pick<ScopeKeys, "pseudonymsOf">,
): Readonly<Record<string, unknown>> {
  const scope = scopeOfEvent(event);
  const pseudonym = scope && keys.pseudonymsOf(scope);
  if (pseudonym === undefined || event.subject === undefined) return {};
  const { user, run, agent, ids = [] } = event.subject;
  return {
    user: user === undefined ? undefined : pseudonym("user", user),
    run: run === undefined ? undefined : pseudonym("run", run),
    agent: agent === undefined ? undefined : pseudonym("agent", agent),
    ids: ids.length > 0 ? ids.slice(0, idsMax).map((id) => pseudonym("id", id)) : undefined,
  };
}
