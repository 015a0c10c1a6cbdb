import type { Namespace } from "../model/namespace.js";
import type { Change, LoggedTable } from "../ports/store.js";

/** Returns the keys of all records that `changes` put or deleted in a table of a namespace. */
export function touchedKeys(
  changes: readonly Change[],
  table: LoggedTable,
  { agentId }: Namespace,
): Set<string> {
  const keys = new Set<string>();
  for (const { touched } of changes) {
    for (const change of touched) {
      if (change.table === table && change.agentId === agentId) keys.add(change.key);
    }
  }
  return keys;
}
