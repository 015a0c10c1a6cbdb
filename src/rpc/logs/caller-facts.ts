import type { Principal } from "../../core/model/principal.js";

/** Returns the names of a caller for a log line. `undefined`: nobody knows who called. */
export function callerFacts(principal: Principal | undefined): Readonly<Record<string, string>> {
  if (principal === undefined) return {};
  const { name, tenant } = principal;
  return { principal: name, ...(tenant === "" ? {} : { tenant }) };
}
