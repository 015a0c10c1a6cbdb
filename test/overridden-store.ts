import type { Store } from "../src/core/ports/store.js";

/** Returns a store that passes every call on to another one, except for those in `overrides`. */
export function overrideStore(store: Store, overrides: Partial<Store>): Store {
  return {
    update: (scope, transact) => store.update(scope, transact),
    snapshot: (scope) => store.snapshot(scope),
    changes: (snapshot, afterSeq) => store.changes(snapshot, afterSeq),
    namespaces: () => store.namespaces(),
    scopes: () => store.scopes(),
    close: () => store.close(),
    ...overrides,
  };
}
