import { LRUCache } from "lru-cache";
import type { Scope } from "../core/model/namespace.js";
import { type CommitHistory, haveSameHistory } from "../core/ports/commit-history.js";
import type {
  Change,
  Head,
  RecentCommits,
  RecentRecord,
  Table,
  ValueOf,
} from "../core/ports/store.js";

import { agentOfOwner } from "./table-owner.js";

/** Maximum number of groups of commits that are remembered for one scope. */
const groupsMax = 64;

/** Tables from which indexes are made. */
const indexedTables: ReadonlySet<Table> = new Set<Table>([
  "memories",
  "vectors",
  "alternateVectors",
  "profiles",
  "skills",
  "skillVectors",
  "alternateSkillVectors",
]);

/** A record that a commit put or deleted. */
export interface CommittedRecord {
  readonly table: Table;
  /** Agent of the namespace; `undefined` for a record of the whole scope. */
  readonly agentId: string | undefined;
  readonly key: string;
  /** The value that `put` received. Requires: it has the type of the table's values. */
  readonly value: unknown;
  /** Whether the commit deleted the record. */
  readonly isDeleted: boolean;
  /** Bytes of the encoded key and value. */
  readonly bytes: number;
}

/** Consecutive commits of a scope, with the last values of their records. */
interface RecentGroup {
  readonly changes: readonly Change[];
  readonly records: ReadonlyMap<string, CommittedRecord>;
  readonly bytes: number;
}

interface RecentScope {
  readonly history: CommitHistory;
  /** Oldest first, without gaps. */
  readonly groups: readonly RecentGroup[];
  readonly bytes: number;
}

/** Remembers the commits of this server, so that its indexes catch up without reading the store. */
export class RecentCommitLog {
  readonly #scopes: LRUCache<string, RecentScope>;

  /** `maxBytes`: maximum bytes of the encoded records that are remembered, over all scopes. */
  constructor(maxBytes: number) {
    this.#scopes = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => 1 + bytes });
  }

  /**
   * Adds the commits of a group. Forgets earlier commits if the epoch or PostgreSQL's timeline has
   * changed, or if another server has committed in between.
   *
   * @param records the records that the group wrote. The last record of a key is the newest
   */
  add(
    scopeId: string,
    history: CommitHistory,
    changes: readonly Change[],
    records: Iterable<CommittedRecord>,
  ): void {
    const known = this.#scopes.get(scopeId);
    const lastSeq = known?.groups.at(-1)?.changes.at(-1)?.seq;
    const continues =
      known !== undefined &&
      haveSameHistory(known.history, history) &&
      lastSeq === (changes[0]?.seq ?? 0) - 1;
    const group = recentGroup(changes, records);
    if (!continues) {
      this.#scopes.set(scopeId, { history, groups: [group], bytes: group.bytes });
      return;
    }
    const groups = [...known.groups, group];
    let bytes = known.bytes + group.bytes;
    // The cache would forget a scope above the maximum as a whole.
    while (groups.length > groupsMax || (bytes >= this.#scopes.maxSize && groups.length > 1))
      bytes -= groups.shift()?.bytes ?? 0;
    this.#scopes.set(scopeId, { history, groups, bytes });
  }

  /** Forgets the commits of a scope. */
  forget(scopeId: string): void {
    this.#scopes.delete(scopeId);
  }

  /** See `Store.recent`. */
  after(scope: Scope, scopeId: string, afterSeq: number, head: Head): RecentCommits | undefined {
    const known = this.#scopes.get(scopeId);
    if (known === undefined || !haveSameHistory(known.history, head)) return undefined;
    const groups = known.groups.filter(
      ({ changes }) => (changes[0]?.seq ?? 0) > afterSeq && (changes.at(-1)?.seq ?? 0) <= head.seq,
    );
    const changes = groups.flatMap((group) => group.changes);
    if (changes[0]?.seq !== afterSeq + 1 || changes.at(-1)?.seq !== head.seq) return undefined;
    return {
      changes,
      get<T extends Table>(table: T, owner: Parameters<typeof agentOfOwner>[1], key: string) {
        const name = recordName(agentOfOwner(scope, owner), table, key);
        const record = groups.findLast(({ records }) => records.has(name))?.records.get(name);
        if (record === undefined) return "unknown";
        // `Transaction.put` stored the value in this table with this type.
        return (record.isDeleted ? "deleted" : { value: record.value }) as RecentRecord<ValueOf<T>>;
      },
    };
  }
}

/** Whether `RecentCommitLog` remembers the records of a table. */
export function isIndexed(table: Table): boolean {
  return indexedTables.has(table);
}

function recentGroup(
  changes: readonly Change[],
  committed: Iterable<CommittedRecord>,
): RecentGroup {
  const records = new Map<string, CommittedRecord>();
  let bytes = changes.length;
  for (const record of committed) {
    const { agentId, table, key } = record;
    if (!isIndexed(table)) continue;
    records.set(recordName(agentId, table, key), record);
    bytes += record.bytes;
  }
  return { changes, records, bytes };
}

function recordName(agentId: string | undefined, table: Table, key: string): string {
  return agentId === undefined ? `${table}/${key}` : `${table}/${agentId.length}:${agentId}${key}`;
}
