import { VademecumError } from "../../../core/model/errors.js";
import type { Table } from "../../../core/ports/store.js";
import { payloadLength } from "../../codec/envelope.js";
import { isCounted } from "../../usage.js";
import { type Database, scanChunks } from "../folder/database.js";
import { namespaceHeadRange } from "../format/keys.js";
import { parseKey } from "../format/parse-key.js";
import {
  changeNamespaceState,
  changeScopeState,
  loadNamespaceState,
  type NamespaceState,
  type OwnerState,
  type ScopeState,
  totalsOf,
} from "./owner-state.js";

/** A scope and its namespaces, with their usage. */
export interface CountedScope {
  readonly scope: ScopeState;
  readonly namespaces: readonly NamespaceState[];
}

/**
 * Counts the usage of a scope and of its namespaces. Takes the number of memories from the heads.
 * Reads all records to count their bytes. In a damaged table, only the records before the damage
 * count. Writes nothing.
 */
export async function countUsage(
  database: Database,
  scopePart: Buffer,
  scope: ScopeState,
): Promise<CountedScope> {
  const namespaces: NamespaceState[] = [];
  let memories = 0;
  let bytes = await bytesOf(database, scope);
  for await (const heads of scanChunks(database, namespaceHeadRange(scopePart))) {
    for (const [key] of heads) {
      const parsed = parseKey(key);
      if (parsed?.kind !== "namespaceHead") continue;
      const { agentId } = parsed.namespace;
      const state = loadNamespaceState(database, scopePart, agentId);
      const ownBytes = await bytesOf(database, state);
      const { tables } = state;
      namespaces.push(changeNamespaceState(state, { tables, bytes: ownBytes }));
      memories += totalsOf(state, "memories").count;
      bytes += ownBytes;
    }
  }
  return { scope: changeScopeState(scope, { ...scope, usage: { memories, bytes } }), namespaces };
}

async function bytesOf(database: Database, state: OwnerState): Promise<number> {
  let bytes = 0;
  for (const table of state.tables.keys())
    if (isCounted(table)) bytes += await bytesOfTable(database, state, table);
  return bytes;
}

async function bytesOfTable(database: Database, state: OwnerState, table: Table): Promise<number> {
  const range = state.range(table);
  let bytes = 0;
  try {
    for await (const entries of scanChunks(database, range))
      for (const [key, value] of entries)
        bytes += key.length - range.prefix.length + payloadLength(value);
  } catch (error) {
    // The rest of the scope stays usable when one table is damaged.
    if (!(error instanceof VademecumError && error.code === "DATA_LOSS")) throw error;
  }
  return bytes;
}
