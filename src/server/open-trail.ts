import type { AuditTrailHandle } from "../audit/audit-trail.js";
import type { Config } from "../config/server-settings.js";
import { type OpenAudit, openAudit } from "./open-audit.js";
import type { DomainsParts } from "./open-domains.js";

/**
 * Opens the audit trail that the configuration asks for, as `openAudit` does.
 *
 * @param closers receives a function that closes it
 */
export async function openTrail(
  config: Config,
  hasCredentials: boolean,
  parts: Parameters<typeof openAudit>[2],
  closers: (() => Promise<void>)[],
): Promise<OpenAudit | undefined> {
  const audit = await openAudit(config, hasCredentials, parts);
  closers.push(async () => audit?.trail.close());
  return audit;
}

/** Returns what the use cases of tenants do to the audit trail, if there is one. */
export function trailUses(
  trail: AuditTrailHandle | undefined,
): Pick<DomainsParts, "forgetNames" | "auditFiles" | "listAuditLines"> {
  if (trail === undefined) return {};
  return {
    listAuditLines: (query, call) => trail.list(query, call),
    async forgetNames(tenant, scope) {
      if (scope.kind === "user") await trail.forget(tenant, scope.userId);
    },
    auditFiles: {
      name: "audit_files",
      pruneAll: (_call, dryRun) => trail.removeOldFiles(dryRun),
    },
  };
}
