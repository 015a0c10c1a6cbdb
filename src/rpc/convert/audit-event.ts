import { create } from "@bufbuild/protobuf";
import { timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type AuditEvent,
  AuditEventSchema,
  type ListAuditEventsRequest,
} from "#gen/vademecum/v1/server_pb.js";
import { invalidField } from "../../core/model/errors.js";
import type { AuditLine, AuditQuery } from "../../core/ports/audit.js";
import { defaultAuditEvents } from "../defaults.js";

/**
 * Converts a request to list lines of the audit trail.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when it names both a user and a run
 */
export function toAuditQuery({
  userId: user,
  runId: run,
  since,
  beforeNumber,
  limit = defaultAuditEvents,
}: ListAuditEventsRequest): Omit<AuditQuery, "tenant"> {
  if (user !== undefined && run !== undefined)
    throw invalidField("run_id", "must be unset if user_id is set; list the lines of each");
  return {
    ...(user !== undefined && { user }),
    ...(run !== undefined && { run }),
    ...(since !== undefined && { sinceMs: timestampMs(since) }),
    ...(beforeNumber !== undefined && { beforeNumber: Number(beforeNumber) }),
    limit,
  };
}

/** Converts a line of the audit trail to its message. */
export function fromAuditLine(line: AuditLine): AuditEvent {
  const { number, time, method, ids, omitted } = line;
  const text = (name: string): string => {
    const value = line[name];
    return typeof value === "string" ? value : "";
  };
  return create(AuditEventSchema, {
    number: BigInt(number),
    ...(typeof time === "string" && { time: timestampFromDate(new Date(time)) }),
    method: typeof method === "string" ? method.replace(/^\//, "") : "",
    ...{ principal: text("principal"), actor: text("actor"), peer: text("peer") },
    ...{ userPseudonym: text("user"), runPseudonym: text("run"), agentPseudonym: text("agent") },
    recordPseudonyms: Array.isArray(ids) ? ids.map(String) : [],
    ...{ code: text("outcome"), reason: text("reason"), requestId: text("requestId") },
    omitted: typeof omitted === "number" ? BigInt(omitted) : 0n,
    trailEvent: text("event"),
  });
}
