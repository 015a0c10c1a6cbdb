import type { Scope } from "../core/model/namespace.js";
import type { BackupSource, BackupTarget, RawRecords, ScopeState } from "../core/ports/backup.js";

/**
 * Returns a view of the records of one tenant; for `undefined`, of the records without a tenant.
 * Callers of the view never name the tenant, so a backup of one tenant can be restored into another
 * tenant. A restore through the view writes to no other tenant.
 */
export function recordsOfTenant(records: RawRecords, tenant: string | undefined): RawRecords {
  return { ...sourceOfTenant(records, tenant), ...targetOfTenant(records, tenant) };
}

/** Returns a view of a source that reads the records of one tenant, see `recordsOfTenant`. */
export function sourceOfTenant(source: BackupSource, tenant: string | undefined): BackupSource {
  const within = scopeWithin(tenant);
  const without = (state: ScopeState): ScopeState => {
    const { tenant: _tenant, ...scope } = state.scope;
    return { ...state, scope };
  };
  return {
    async *scopeStates() {
      for await (const state of source.scopeStates())
        if (state.scope.tenant === tenant) yield without(state);
    },
    async openScope(scope) {
      const reader = await source.openScope(within(scope));
      return {
        state: without(reader.state),
        pages: () => reader.pages(),
        [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
      };
    },
  };
}

/** Returns a view of a target that writes the records of one tenant, see `recordsOfTenant`. */
export function targetOfTenant(target: BackupTarget, tenant: string | undefined): BackupTarget {
  const within = scopeWithin(tenant);
  return {
    restoresAtOnce: target.restoresAtOnce ?? 1,
    head: (scope) => target.head(within(scope)),
    restoreScope: (restored, replaced, pages) =>
      target.restoreScope({ ...restored, scope: within(restored.scope) }, replaced, pages),
  };
}

function scopeWithin(tenant: string | undefined): (scope: Scope) => Scope {
  return (scope) => (tenant === undefined ? scope : { ...scope, tenant });
}
