import type { Scope } from "../model/namespace.js";
import { deliveryKey } from "../model/record-keys.js";
import type { Store, Transaction } from "../ports/store.js";

/**
 * Returns a view of a store that notes, in each transaction that changes memories of a user, from
 * where on the receiver of webhooks lacks the user's changes. The change log has what changed, so
 * only its position is noted, and only if none is noted yet. Requires: the store is the view of a
 * tenant.
 *
 * @param onNoted called with the user after each such transaction
 */
export function notedStore(store: Store, onNoted: (scope: Scope) => void): Store {
  return {
    ...store,
    async update(scope, transact) {
      let hasChanged = false;
      const committed = await store.update(scope, async (tx) => {
        hasChanged = false;
        const result = await transact(
          noting(tx, () => {
            hasChanged = true;
          }),
        );
        if (!hasChanged || scope.kind !== "user") return result;
        if ((await tx.get("deliveries", scope, deliveryKey)) === undefined) {
          const { epoch, seq } = tx.head;
          tx.put("deliveries", scope, deliveryKey, { epoch, seq });
        }
        return result;
      });
      if (hasChanged) onNoted(scope);
      return committed;
    },
  };
}

/** Returns a view of a transaction that tells of changes of memories. */
function noting(tx: Transaction, onChange: () => void): Transaction {
  return {
    head: tx.head,
    get: (table, owner, key) => tx.get(table, owner, key),
    scan: (table, owner, range) => tx.scan(table, owner, range),
    count: (table, owner) => tx.count(table, owner),
    changes: (afterSeq) => tx.changes(afterSeq),
    isUnused: (table, owner, key) => tx.isUnused(table, owner, key),
    put(table, owner, key, value) {
      if (table === "memories") onChange();
      tx.put(table, owner, key, value);
    },
    delete(table, owner, key) {
      if (table === "memories") onChange();
      tx.delete(table, owner, key);
    },
    clear(namespace) {
      onChange();
      tx.clear(namespace);
    },
    countAtMost: (table, owner) => tx.countAtMost(table, owner),
    usage: () => tx.usage(),
    usageBefore: () => tx.usageBefore(),
    usageAtMost: () => tx.usageAtMost(),
    storeAs: (account) => tx.storeAs(account),
    growth: () => tx.growth(),
    growthAtMost: () => tx.growthAtMost(),
    commitTimeMs: (clockMs) => tx.commitTimeMs(clockMs),
  };
}
