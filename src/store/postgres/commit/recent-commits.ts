import { LRUCache } from "lru-cache";
import type { Scope } from "../../../core/model/namespace.js";
import type {
  Change,
  Head,
  RecentCommits,
  RecentRecord,
  Table,
  ValueOf,
} from "../../../core/ports/store.js";
import { agentOfOwner } from "../../table-owner.js";
import type { PendingRecord } from "./pending-records.js";

/** Maximum bytes of the encoded values that are remembered, over all scopes. */
const rememberedBytes = 32 * 1024 * 1024;

/** Maximum number of groups that are remembered for one scope. */
const groupsMax = 64;

/** Tables that indexes are made from. */
const indexedTables: ReadonlySet<Table> = new Set<Table>([
  "memories",
  "vectors",
  "alternateVectors",
  "profiles",
  "skills",
  "skillVectors",
  "alternateSkillVectors",
]);

/** The commits of one group with the last values of their records. */
interface RecentGroup {
  readonly changes: readonly Change[];
  readonly records: ReadonlyMap<string, PendingRecord>;
  readonly bytes: number;
}

interface RecentScope {
  readonly epoch: string;
  /** Oldest first, without gaps. */
  readonly groups: readonly RecentGroup[];
}

/** Remembers the commits of this server, so that its indexes catch up without a read. */
export class RecentCommitLog {
  readonly #scopes = new LRUCache<string, RecentScope>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ groups }) => 1 + groups.reduce((sum, { bytes }) => sum + bytes, 0),
  });

  /**
   * Adds the commits of a group. Forgets earlier commits if another server has committed in
   * between.
   */
  add(
    scopeId: string,
    { epoch }: Head,
    changes: readonly Change[],
    records: Iterable<PendingRecord>,
  ): void {
    const known = this.#scopes.get(scopeId);
    const lastSeq = known?.groups.at(-1)?.changes.at(-1)?.seq;
    const continues =
      known !== undefined && known.epoch === epoch && lastSeq === (changes[0]?.seq ?? 0) - 1;
    const earlier = continues ? known.groups.slice(1 - groupsMax) : [];
    this.#scopes.set(scopeId, { epoch, groups: [...earlier, recentGroup(changes, records)] });
  }

  /** Forgets the commits of a scope. */
  forget(scopeId: string): void {
    this.#scopes.delete(scopeId);
  }

  /** As `Store.recent`. */
  after(scope: Scope, scopeId: string, afterSeq: number, head: Head): RecentCommits | undefined {
    const known = this.#scopes.get(scopeId);
    if (known?.epoch !== head.epoch) return undefined;
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
        return (record.payload === undefined ? "deleted" : { value: record.value }) as RecentRecord<
          ValueOf<T>
        >;
      },
    };
  }
}

function recentGroup(changes: readonly Change[], pending: Iterable<PendingRecord>): RecentGroup {
  const records = new Map<string, PendingRecord>();
  let bytes = changes.length;
  for (const record of pending) {
    const { slot, agentId, payload } = record;
    if (!indexedTables.has(slot.table)) continue;
    records.set(recordName(agentId, slot.table, slot.key), record);
    bytes += slot.keyBytes.length + (payload?.length ?? 0);
  }
  return { changes, records, bytes };
}

function recordName(agentId: string | undefined, table: Table, key: string): string {
  return agentId === undefined ? `${table}/${key}` : `${table}/${agentId.length}:${agentId}${key}`;
}
