import { auditFolder } from "../audit/audit-files.js";
import {
  type AuditTrailHandle,
  type AuditTrailOptions,
  openAuditTrail,
} from "../audit/audit-trail.js";
import type { Config } from "../config/server-settings.js";
import type { RecordedCalls } from "../rpc/services/recorded-services.js";

/** The audit trail of a server, and the calls that go into it besides denials. */
export interface OpenAudit {
  readonly trail: AuditTrailHandle;
  readonly calls: RecordedCalls;
}

/**
 * Opens the audit trail that the configuration asks for. Returns `undefined` if it asks for none.
 *
 * @param hasCredentials whether the server authenticates callers
 */
export async function openAudit(
  config: Config,
  hasCredentials: boolean,
  parts: Omit<AuditTrailOptions, "folder" | "keepMs">,
): Promise<OpenAudit | undefined> {
  const level = config.audit ?? defaultLevel(config, hasCredentials);
  if (level === "off") return undefined;
  const folder = auditFolder(config.dataFolder);
  const trail = await openAuditTrail({ ...parts, folder, keepMs: config.auditKeepMs });
  return { trail, calls: level === "denied" ? "none" : level };
}

/** A server that keeps no data on disk has no folder for a trail unless it is told so. */
function defaultLevel({ provider }: Config, hasCredentials: boolean): "changes" | "off" {
  return hasCredentials && provider !== "memory" ? "changes" : "off";
}
