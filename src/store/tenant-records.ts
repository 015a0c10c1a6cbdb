import type { Scope } from "../core/model/namespace.js";
import type { BackupTarget, RawRecords, ScopeState } from "../core/ports/backup.js";

/**
 * Returns a view of the records of one tenant; for `undefined`, of the records without a tenant.
 * Callers of the view never name the tenant, so a backup of one tenant can be restored into another
 * tenant. A restore through the view writes to no other tenant.
 */
export function recordsOfTenant(records: RawRecords, tenant: string | undefined): RawRecords {
  const within = scopeWithin(tenant);
  const without = (state: ScopeState): ScopeState => {
    const { tenant: _tenant, ...scope } = state.scope;
    return { ...state, scope };
  };
  return {
    async *scopeStates() {
      for await (const state of records.scopeStates())
        if (state.scope.tenant === tenant) yield without(state);
    },
    async openScope(scope) {
      const reader = await records.openScope(within(scope));
      return {
        state: without(reader.state),
        pages: () => reader.pages(),
        [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
      };
    },
    ...targetOfTenant(records, tenant),
  };
}

/** Returns a view of a target that writes the records of one tenant, see `recordsOfTenant`. */
export function targetOfTenant(target: BackupTarget, tenant: string | undefined): BackupTarget {
  const within = scopeWithin(tenant);
  return {
    head: (scope) => target.head(within(scope)),
    restoreScope: (restored, replaced, pages) =>
      target.restoreScope({ ...restored, scope: within(restored.scope) }, replaced, pages),
  };
}

function scopeWithin(tenant: string | undefined): (scope: Scope) => Scope {
  return (scope) => (tenant === undefined ? scope : { ...scope, tenant });
}
