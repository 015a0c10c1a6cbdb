import { randomUUID } from "node:crypto";
import type { Change } from "../../../core/ports/store.js";
import { changeLogLength } from "../../change-log.js";
import { encodeChange } from "../../codec/change-records.js";
import { tableCodes } from "../../codec/table-codes.js";
import { existed, type GroupState, usageAfter } from "../../engine/group-state.js";
import { growthOf, type PendingRecord } from "../../engine/pending-records.js";
import { changeStoredBytes, growthByAccount } from "../../engine/stored-bytes.js";
import { allOf, type Connection, type Rows } from "../session/connection.js";
import type { Statement } from "../session/statement.js";
import { keyBytes, sealChange, sealRecord } from "../tables/record-codec.js";
import type { ScopeRow } from "../tables/scope-row.js";
import { addToCounts, type Place, type ScopeState } from "../tables/scope-state.js";
import { scopeStatements } from "../tables/statements.js";
import { type BaseRecords, rangeName } from "./base-records.js";

/** Number of commits after which the change log is cut to its last `changeLogLength` commits. */
const commitsBetweenCuts = 256;

/** The writes of a group, ready to be sent. */
export interface PreparedWrites {
  /** Names the group in the change log. */
  readonly commitId: string;
  /** The scope after the group. */
  readonly after: ScopeState;
  readonly changes: readonly Change[];
  readonly statements: readonly (readonly [Statement, readonly unknown[]])[];
}

/** The end of a commit. `lost`: it is not known whether PostgreSQL has committed. */
export type CommitEnd = "committed" | { readonly refused: unknown } | { readonly lost: unknown };

/** Prepares the writes of a group. Requires: `base` knows the slots of all writes. */
export async function prepareWrites(
  scope: ScopeRow,
  base: BaseRecords,
  group: GroupState<number>,
): Promise<PreparedWrites> {
  const before = base.state;
  const records = [...group.pending];
  const changes = await group.changes();
  const owners = ownersAfter(base, group);
  const after: ScopeState = {
    ...owners,
    usage: usageAfter(base, records, group.clearedPlaces.keys()),
    stored: changeStoredBytes(before.stored, growthByAccount(base, records, group.clearedPlaces)),
    epoch: before.epoch,
    timeline: before.timeline,
    seq: group.head.seq,
    lastTimeMs: group.lastTimeMs,
    place: before.place,
    nextPlace: base.nextPlace,
  };
  const commitId = randomUUID();
  const statements = [
    ...deletionsOf(
      scope,
      records.filter(({ slot, payload }) => payload === undefined && existed(base, slot)),
    ),
    [
      scopeStatements.writeGroup,
      [
        scope.uuid,
        ...headOf(after),
        commitId,
        ...changesOf(scope, changes),
        ...placesOf(before, after),
        ...putsOf(scope, records),
        [...group.clearedPlaces.keys()].filter((place) => place < before.nextPlace),
        cutOf(before.seq, after.seq),
        [...after.stored.keys()],
        [...after.stored.values()],
        group.dueMs === Infinity ? null : group.dueMs,
      ],
    ],
  ] as const;
  return { commitId, after, changes, statements };
}

/** Returns the counts of the whole scope and the places of its namespaces after a group. */
function ownersAfter(
  base: BaseRecords,
  group: GroupState<number>,
): Pick<ScopeState, "counts" | "places"> {
  const places = new Map(base.state.places);
  for (const [agentId, place] of group.places) places.set(agentId, { place, counts: [], bytes: 0 });
  let { counts } = base.state;
  for (const { slot, agentId, payload } of group.pending) {
    const { records: more, bytes } = growthOf(slot, payload, base.payloadBytes(slot));
    if (agentId === undefined) {
      if (more !== 0) counts = addToCounts(counts, slot.table, more);
      continue;
    }
    const place = places.get(agentId);
    if (place === undefined) throw new Error("a pending record lies in no place");
    places.set(agentId, {
      place: place.place,
      counts: more === 0 ? place.counts : addToCounts(place.counts, slot.table, more),
      bytes: Math.max(0, place.bytes + bytes),
    });
  }
  return { counts, places };
}

/** Sends writes and COMMIT in one pipeline. Never rejects. */
export async function commitWrites(
  connection: Connection,
  { statements }: PreparedWrites,
): Promise<CommitEnd> {
  const sent = statements.map(([statement, values]) => connection.query(statement, values));
  const commit = connection.run("commit");
  const written = allOf(sent).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  let tag: Rows<unknown>;
  try {
    tag = await commit;
  } catch (error) {
    await written;
    return { lost: error };
  }
  const failure = await written;
  // After a failed statement PostgreSQL answers COMMIT with ROLLBACK, and no error.
  if (tag.command === "COMMIT" && failure === undefined) return "committed";
  return { refused: failure?.error ?? new Error(`COMMIT ended as ${tag.command}`) };
}

/** Returns places, tables, keys and values of the records to put. */
function putsOf(scope: ScopeRow, records: readonly PendingRecord<number>[]): readonly unknown[] {
  const puts = records.flatMap(({ slot, payload }) =>
    payload === undefined ? [] : [{ slot, payload }],
  );
  return [
    puts.map(({ slot }) => slot.place),
    puts.map(({ slot }) => tableCodes[slot.table]),
    puts.map(({ slot }) => slot.keyBytes),
    puts.map(({ slot, payload }) => sealRecord({ scope, ...slot }, slot.keyBytes, payload)),
  ];
}

function deletionsOf(
  scope: ScopeRow,
  records: readonly PendingRecord<number>[],
): PreparedWrites["statements"] {
  const ranges = new Map<string, { slot: PendingRecord<number>["slot"]; keys: Uint8Array[] }>();
  for (const { slot } of records) {
    const name = rangeName(slot.place, slot.table);
    const range = ranges.get(name);
    if (range === undefined) ranges.set(name, { slot, keys: [slot.keyBytes] });
    else range.keys.push(slot.keyBytes);
  }
  return [...ranges.values()].map(({ slot: { place, table }, keys }) => [
    scopeStatements.deleteRecords,
    [scope.uuid, place, tableCodes[table], keys],
  ]);
}

/** Returns agents, places, counts and bytes of the places that have changed. */
function placesOf(before: ScopeState, after: ScopeState): readonly unknown[] {
  const changed = [...after.places].filter(
    ([agentId, place]) => !isSamePlace(before.places.get(agentId), place),
  );
  return [
    changed.map(([agentId]) => keyBytes(agentId)),
    changed.map(([, { place }]) => place),
    changed.map(([, { counts }]) => `{${counts.join(",")}}`),
    changed.map(([, { bytes }]) => bytes),
  ];
}

function isSamePlace(a: Place | undefined, b: Place): boolean {
  return (
    a === b || (a?.place === b.place && a.bytes === b.bytes && a.counts.join() === b.counts.join())
  );
}

/** Returns numbers and bodies of the commits. */
function changesOf(scope: ScopeRow, changes: readonly Change[]): readonly unknown[] {
  return [
    changes.map(({ seq }) => seq),
    changes.map((change) => sealChange(scope, change.seq, encodeChange(change))),
  ];
}

/** Returns the last commit to remove from the change log; null to keep all. */
function cutOf(from: number, to: number): number | null {
  const isDue = Math.floor(from / commitsBetweenCuts) < Math.floor(to / commitsBetweenCuts);
  return isDue && to > changeLogLength ? to - changeLogLength : null;
}

function headOf({ seq, lastTimeMs, nextPlace, counts, usage }: ScopeState): readonly unknown[] {
  return [seq, lastTimeMs, nextPlace, `{${counts.join(",")}}`, usage.memories, usage.bytes];
}
