import type { Scope } from "../model/namespace.js";
import type { ScopeTable, Transaction } from "../ports/store.js";

/** Whether a wipe empties a table: all do, but replies to repeated calls are kept until they expire, as those about namespaces are. */
const emptied = {
  replies: false,
  replyExpiries: false,
  blocks: true,
  blockVersions: true,
  proposals: true,
  pendingProposals: true,
  rejectedEdits: true,
  keyValues: true,
  keyPositions: true,
  toolManifests: true,
} as const satisfies Record<ScopeTable, boolean>;

/** Deletes what a scope holds outside of namespaces. All of it goes in one transaction, so no table is left that names records of another. */
export async function emptyScope(tx: Transaction, scope: Scope): Promise<void> {
  for (const table of Object.keys(emptied) as ScopeTable[]) {
    if (!emptied[table]) continue;
    const keys: string[] = [];
    for await (const [key] of tx.scan(table, scope)) keys.push(key);
    for (const key of keys) tx.delete(table, scope, key);
  }
}
