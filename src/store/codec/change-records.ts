import type { Change, LoggedTable } from "../../core/ports/store.js";
import { packPayload, unpackPayload } from "./table-codecs.js";
import { tableCodes, tableOfCode } from "./table-codes.js";

type PackedChange = readonly [
  touched: readonly (readonly [tableCode: number, agentId: string, key: string])[],
  cleared: readonly string[],
];

/**
 * Encodes a commit for the change log. Leaves out the sequence number, which the key of the entry
 * contains.
 */
export function encodeChange({ touched, cleared }: Omit<Change, "seq">): Buffer {
  return packPayload([
    touched.map(({ table, agentId, key }) => [tableCodes[table], agentId, key]),
    cleared,
  ]);
}

export function decodeChange(seq: number, payload: Buffer): Change {
  const [touched, cleared] = unpackPayload<PackedChange>(payload);
  // The log names only records of logged tables, so the cast is safe.
  return {
    seq,
    touched: touched.map(([code, agentId, key]) => ({
      table: tableOfCode(code) as LoggedTable,
      agentId,
      key,
    })),
    cleared,
  };
}

/** The name of an entry in errors about damage. */
export const changeLogEntry = "an entry of a change log";

/**
 * Returns the commits after `afterSeq` up to `lastSeq`, oldest first; `undefined` if one of these
 * commits is missing.
 *
 * @param changeOf reads a commit
 */
export function readChanges(
  afterSeq: number,
  lastSeq: number,
  changeOf: (seq: number) => Change | undefined,
): readonly Change[] | undefined {
  const changes: Change[] = [];
  for (let seq = afterSeq + 1; seq <= lastSeq; seq++) {
    const change = changeOf(seq);
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return changes;
}
