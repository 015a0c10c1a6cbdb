import { type Scope, userScope } from "../core/model/namespace.js";
import type { IdRange } from "../core/ports/id-range.js";

/** Returns the scope with the data of an id that `Store.ids` lists. */
export function scopeOfId(range: IdRange, id: string): Scope {
  const { tenant } = range;
  if (range.of === "agents") return userScope(range.userId, tenant);
  if (range.of === "users") return userScope(id, tenant);
  return tenant === undefined ? { kind: "run", runId: id } : { kind: "run", runId: id, tenant };
}
