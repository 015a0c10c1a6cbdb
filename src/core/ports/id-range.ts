import { type Scope, userScope } from "../model/namespace.js";

/** Whose ids to list, and which of them. */
export type IdRange = (
  | { readonly of: "users" | "runs" }
  | { readonly of: "agents"; readonly userId: string }
) & {
  /** Lists only ids that begin with this text. Default: all ids. */
  readonly prefix?: string;
  /** Starts after this id, which need not exist. Default: at the first one. */
  readonly after?: string | undefined;
  /** The tenant of the data; absent: the data without a tenant. Use cases never set it. */
  readonly tenant?: string | undefined;
};

/** Returns the scope with the data of an id in a range. */
export function scopeOfId(range: IdRange, id: string): Scope {
  const { tenant } = range;
  if (range.of === "agents") return userScope(range.userId, tenant);
  if (range.of === "users") return userScope(id, tenant);
  return tenant === undefined ? { kind: "run", runId: id } : { kind: "run", runId: id, tenant };
}
