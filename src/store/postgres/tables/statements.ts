import { deliveryKey } from "../../../core/model/record-keys.js";
import { type CrossUserTable, crossUserTables } from "../../../core/ports/store.js";
import { scopeCodes } from "../../codec/scope-codes.js";
import { tableCodes } from "../../codec/table-codes.js";
import type { Statement } from "../session/statement.js";

// Citus may distribute the tables. Two rules keep each statement on the shard of its scope: the
// statement names `scope = $1`, and an INSERT of several rows joins `unnest` with the row of the
// scope.
//
// A place is the number of a group of records, see `TableAt`.

/** Statements about one scope, whose id is $1. */
export const scopeStatements = {
  /** Locks the head as `lockHead` does, creates it if there is none, and reads the holds. */
  beginGroup: {
    name: "vm_begin_group",
    text: `SELECT * FROM vademecum.vm_begin_group($1, $2, $3, $4::smallint, $5)`,
  },
  /**
   * Locks the head until the end of the transaction. Uses an UPDATE, because with Citus only a
   * write keeps the shard from moving.
   */
  lockHead: {
    name: "vm_lock_head",
    text: `UPDATE vademecum.vm_scope SET seq = seq WHERE scope = $1
      RETURNING epoch, tenant, kind, id, seq, last_time_ms, place, next_place, counts,
        memories, bytes, accounts, stored`,
  },
  readHead: {
    name: "vm_read_head",
    text: `SELECT epoch, tenant, kind, id, seq, last_time_ms, place, next_place, counts,
        memories, bytes, accounts, stored
      FROM vademecum.vm_scope WHERE scope = $1`,
  },
  readPlaces: {
    name: "vm_read_places",
    text: `SELECT agent, place, counts, bytes FROM vademecum.vm_place WHERE scope = $1`,
  },
  readPlace: {
    name: "vm_read_place",
    text: `SELECT h.epoch, h.seq, p.place, p.counts, p.bytes FROM vademecum.vm_scope h
      LEFT JOIN vademecum.vm_place p ON p.scope = $1 AND p.agent = $2 WHERE h.scope = $1`,
  },
  readRecord: {
    name: "vm_read_record",
    text: `SELECT h.epoch, h.seq, r.value FROM vademecum.vm_scope h
      LEFT JOIN vademecum.vm_record r
        ON r.scope = $1 AND r.place = $2 AND r.tbl = $3 AND r.key = $4
      WHERE h.scope = $1`,
  },
  firstPage: { name: "vm_first_page", text: pageText("", "", "$4") },
  nextPage: { name: "vm_next_page", text: pageText("AND r.key > $5", "", "$4") },
  lastPage: { name: "vm_last_page", text: pageText("", "DESC", "$4") },
  previousPage: { name: "vm_previous_page", text: pageText("AND r.key < $5", "DESC", "$4") },
  readChanges: {
    name: "vm_read_changes",
    text: `SELECT h.epoch, h.seq AS head_seq, c.seq, c.body FROM vademecum.vm_scope h
      LEFT JOIN LATERAL (SELECT seq, body FROM vademecum.vm_change WHERE scope = $1
        AND vm_change.seq > $2 AND vm_change.seq <= $3 ORDER BY vm_change.seq) c ON true
      WHERE h.scope = $1`,
  },
  readCommitId: {
    name: "vm_read_commit_id",
    text: `SELECT commit_id FROM vademecum.vm_change WHERE scope = $1 AND seq = $2`,
  },
  /** Finds which of the given records exist, with the lengths of their values. */
  findRecords: {
    name: "vm_find_records",
    text: `SELECT place, tbl, key, length
      FROM vademecum.vm_find_records($1, $2::bigint[], $3::smallint[], $4::bytea[])`,
  },
  putRecords: {
    name: "vm_put_records",
    text: `INSERT INTO vademecum.vm_record (scope, place, tbl, key, value)
      SELECT s.scope, u.place, u.tbl, u.key, u.value FROM vademecum.vm_scope s,
        unnest($2::bigint[], $3::smallint[], $4::bytea[], $5::bytea[]) u(place, tbl, key, value)
      WHERE s.scope = $1
      ON CONFLICT (scope, place, tbl, key) DO UPDATE SET value = excluded.value`,
  },
  /** Deletes records of one table, by their keys. */
  deleteRecords: {
    name: "vm_delete_records",
    text: `SELECT vademecum.vm_delete_records($1, $2, $3::smallint, $4::bytea[])`,
  },
  putPlaces: {
    name: "vm_put_places",
    text: `INSERT INTO vademecum.vm_place (scope, agent, place, counts, bytes)
      SELECT s.scope, u.agent, u.place, u.counts::bigint[], u.bytes FROM vademecum.vm_scope s,
        unnest($2::bytea[], $3::bigint[], $4::text[], $5::bigint[]) u(agent, place, counts, bytes)
      WHERE s.scope = $1
      ON CONFLICT (scope, agent) DO UPDATE
        SET place = excluded.place, counts = excluded.counts, bytes = excluded.bytes`,
  },
  putSweeps: {
    name: "vm_put_sweeps",
    text: `INSERT INTO vademecum.vm_sweep (scope, place)
      SELECT s.scope, u.place FROM vademecum.vm_scope s, unnest($2::bigint[]) u(place)
      WHERE s.scope = $1 ON CONFLICT (scope, place) DO NOTHING`,
  },
  /** Writes the records, places, sweeps and commits of a group, and the head. */
  writeGroup: {
    name: "vm_write_group",
    text: `SELECT vademecum.vm_write_group($1, $2, $3, $4, $5::bigint[], $6, $7,
      $8, $9::bigint[], $10::bytea[], $11::bytea[], $12::bigint[], $13::text[], $14::bigint[],
      $15::bigint[], $16::smallint[], $17::bytea[], $18::bytea[], $19::bigint[], $20,
      $21::text[], $22::bigint[], $23)`,
  },
  /** Sets when pruning next finds something to do, unless the scope has changed since. */
  settleDue: {
    name: "vm_settle_due",
    text: `UPDATE vademecum.vm_scope SET due_ms = $4
      WHERE scope = $1 AND epoch = $2 AND seq = $3`,
  },
  cutChanges: {
    name: "vm_cut_changes",
    text: `DELETE FROM vademecum.vm_change WHERE scope = $1 AND seq <= $2`,
  },
  /**
   * Notes a place of a restore for the sweeper. The note is due an hour after the restore last
   * wrote to the place.
   */
  stagePlace: {
    name: "vm_stage_place",
    text: `INSERT INTO vademecum.vm_sweep (scope, place, due)
      SELECT s.scope, $2, now() + interval '1 hour' FROM vademecum.vm_scope s
      WHERE s.scope = $1
      ON CONFLICT (scope, place) DO UPDATE SET due = excluded.due`,
  },
  takePlace: {
    name: "vm_take_place",
    text: `UPDATE vademecum.vm_scope SET next_place = next_place + 1 WHERE scope = $1
      RETURNING next_place - 1 AS place`,
  },
  unstagePlaces: {
    name: "vm_unstage_places",
    text: `DELETE FROM vademecum.vm_sweep WHERE scope = $1 AND place = ANY($2::bigint[])`,
  },
  dropPlaces: {
    name: "vm_drop_places",
    text: `DELETE FROM vademecum.vm_place WHERE scope = $1`,
  },
  replaceHead: {
    name: "vm_replace_head",
    text: `UPDATE vademecum.vm_scope SET epoch = $2, seq = $3, last_time_ms = $4, place = $5,
      counts = $6::bigint[], memories = $7, bytes = $8, next_place = greatest(next_place, $9),
      accounts = '{""}', stored = ARRAY[$10::bigint], due_ms = 0
      WHERE scope = $1`,
  },
  sweepRecords: {
    name: "vm_sweep_records",
    text: `DELETE FROM vademecum.vm_record r
      USING (SELECT tbl, key FROM vademecum.vm_record
        WHERE scope = $1 AND place = $2 ORDER BY tbl, key LIMIT 1000) s
      WHERE r.scope = $1 AND r.place = $2 AND r.tbl = s.tbl AND r.key = s.key`,
  },
  endSweep: {
    name: "vm_end_sweep",
    text: `DELETE FROM vademecum.vm_sweep WHERE scope = $1 AND place = $2`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** Creates the head of a scope unless it exists. The scope id is $1. */
export const createHead: Statement = {
  name: "vm_create_head",
  text: `INSERT INTO vademecum.vm_scope (scope, epoch, tenant, kind, id)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (scope) DO NOTHING`,
};

/** Statements that give all data a new epoch, which is $1. */
export const renewalStatements: readonly Statement[] = [
  { name: "vm_renew_meta", text: `UPDATE vademecum.vm_meta SET epoch = $1` },
  { name: "vm_renew_scopes", text: `UPDATE vademecum.vm_scope SET epoch = $1` },
];

/** Statements about the restore of a backup into the whole database. */
export const restoreStatements = {
  read: { name: "vm_read_restore", text: `SELECT restoring FROM vademecum.vm_meta` },
  /** Scopes with data of the tenant $1; all scopes with data if $1 is null. */
  findData: {
    name: "vm_find_data",
    text: `SELECT scope FROM vademecum.vm_scope
      WHERE seq > 0 AND ($1::bytea IS NULL OR tenant = $1) LIMIT 1`,
  },
  begin: {
    name: "vm_begin_restore",
    text: `UPDATE vademecum.vm_meta SET restoring = $1, epoch = $2`,
  },
  finish: { name: "vm_finish_restore", text: `UPDATE vademecum.vm_meta SET restoring = NULL` },
} as const satisfies Readonly<Record<string, Statement>>;

const writersText = `SELECT l.virtualtransaction AS writer FROM pg_locks l
  JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
  WHERE l.relation = 'vademecum.vm_scope'::regclass AND l.mode = 'RowExclusiveLock'`;

/** Statements about the holds and moves of users and runs, which are stored as one text. */
export const holdStatements = {
  readHolds: {
    name: "vm_read_holds",
    text: `SELECT moves, (extract(epoch from clock_timestamp()) * 1000)::bigint AS now_ms
      FROM vademecum.vm_meta`,
  },
  /** Locks the holds and moves until the end of the transaction. */
  lockHolds: {
    name: "vm_lock_holds",
    text: `UPDATE vademecum.vm_meta SET moves = moves`,
  },
  putHolds: {
    name: "vm_put_holds",
    text: `UPDATE vademecum.vm_meta SET moves = $1`,
  },
  /** The transactions that write scopes now. `lockHead` locks the table until they end. */
  listWriters: { name: "vm_list_writers", text: writersText },
  /**
   * For each node of Citus, the transactions that write scopes through it now, and those that are
   * prepared on it for a commit in two phases. Null: the node does not answer.
   */
  listNodeWriters: {
    name: "vm_list_node_writers",
    text: `SELECT n.nodename || ':' || n.nodeport AS node,
        CASE WHEN r.success THEN r.result::json END AS writers
      FROM run_command_on_all_nodes($command$
        SELECT coalesce(json_agg(w.writer), '[]') FROM (${writersText} UNION ALL
          SELECT gid FROM pg_prepared_xacts
          WHERE database = current_database() AND gid LIKE 'citus\\_%') w
      $command$) r JOIN pg_dist_node n ON n.nodeid = r.nodeid`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** Statements about many scopes: heads in batches, and listings. They read no content. */
export const listingStatements = {
  /** Heads, each with the holds. A scope that was never written has no row. */
  readHeads: {
    name: "vm_read_heads",
    text: `SELECT s.scope, s.epoch, s.seq, m.moves
      FROM vademecum.vm_scope s CROSS JOIN vademecum.vm_meta m WHERE s.scope = ANY($1::uuid[])`,
  },
  listHeads: {
    name: "vm_list_heads",
    text: `SELECT scope, epoch, seq, last_time_ms, tenant, kind, id FROM vademecum.vm_scope
      WHERE scope > $1 ORDER BY scope LIMIT 500`,
  },
  listScopes: {
    name: "vm_list_scopes",
    text: `SELECT scope, tenant, kind, id, counts FROM vademecum.vm_scope
      WHERE scope > $1 ORDER BY scope LIMIT 500`,
  },
  listPlaces: {
    name: "vm_list_places",
    text: `SELECT p.scope, p.agent, p.counts, s.tenant, s.kind, s.id FROM vademecum.vm_place p
      JOIN vademecum.vm_scope s ON s.scope = p.scope
      WHERE (p.scope, p.agent) > ($1::uuid, $2::bytea) ORDER BY p.scope, p.agent LIMIT 500`,
  },
  /** The ids of the kind $2 of the tenant $1 from $3 to $4, at most $5. */
  listIds: {
    name: "vm_list_ids",
    text: `SELECT id FROM vademecum.vm_scope
      WHERE tenant = $1 AND kind = $2 AND id >= $3 AND id < $4 AND bytes > 0 ORDER BY id LIMIT $5`,
  },
  /** The agents of the scope $1 from $2 to $3, at most $4. */
  listAgents: {
    name: "vm_list_agents",
    text: `SELECT agent AS id FROM vademecum.vm_place
      WHERE scope = $1::uuid AND agent >= $2 AND agent < $3 AND 0 < ANY(counts)
      ORDER BY agent LIMIT $4`,
  },
  /** Scopes that are due until $1, after the scope $3 that is due at $2, with their agents. */
  listDue: {
    name: "vm_list_due",
    text: `SELECT d.scope, d.due_ms, d.tenant, d.kind, d.id,
        ARRAY(SELECT p.agent FROM vademecum.vm_place p WHERE p.scope = d.scope) AS agents
      FROM (SELECT scope, due_ms, tenant, kind, id FROM vademecum.vm_scope
        WHERE due_ms <= $1 AND (due_ms, scope) > ($2, $3::uuid)
        ORDER BY due_ms, scope LIMIT 500) d ORDER BY d.due_ms, d.scope`,
  },
  /** The bytes that each account of the tenant $1 has stored. */
  sumStored: {
    name: "vm_sum_stored",
    text: `SELECT u.account, sum(u.bytes)::bigint AS bytes FROM vademecum.vm_scope s,
        unnest(s.accounts, s.stored) u(account, bytes)
      WHERE s.tenant = $1 GROUP BY u.account`,
  },
  /** What the tenant $1 holds. $2 is the kind of users. */
  sumHeld: {
    name: "vm_sum_held",
    text: `SELECT count(*) FILTER (WHERE kind = $2 AND bytes > 0) AS users,
        coalesce(sum(memories), 0)::bigint AS memories
      FROM vademecum.vm_scope WHERE tenant = $1`,
  },
  /** The number of namespaces of the tenant $1 that hold a record. */
  countNamespaces: {
    name: "vm_count_namespaces",
    text: `SELECT count(*) AS namespaces FROM vademecum.vm_place p
      JOIN vademecum.vm_scope s ON s.scope = p.scope
      WHERE s.tenant = $1 AND 0 < ANY(p.counts)`,
  },
  listSweeps: {
    name: "vm_list_sweeps",
    text: `SELECT scope, place FROM vademecum.vm_sweep WHERE due <= now()
      ORDER BY scope, place LIMIT 100`,
  },
  latestTime: {
    name: "vm_latest_time",
    text: `SELECT coalesce(max(last_time_ms), 0) AS latest FROM vademecum.vm_scope`,
  },
  readTime: {
    name: "vm_read_time",
    text: `SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint AS now_ms,
      current_setting('transaction_read_only') = 'on' AS is_read_only`,
  },
  readMeta: {
    name: "vm_read_meta",
    text: `SELECT format, epoch, page_key, restoring FROM vademecum.vm_meta`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** Statements that list the keys of a table of all users, see `Store.acrossUsers`. */
export const crossUserStatements = Object.fromEntries(
  crossUserTables.map((table) => [
    table,
    {
      forward: crossUserStatement(table, ">", ""),
      reverse: crossUserStatement(table, "<", "DESC"),
    },
  ]),
) as Readonly<Record<CrossUserTable, { readonly forward: Statement; readonly reverse: Statement }>>;

/**
 * Lists scopes with a record in `deliveries`, after the scope $1. $2 is their number. All of these
 * records have one key. As in `crossUserStatement`, its number is in the text.
 */
export const listUndelivered: Statement = {
  name: "vm_undelivered",
  text: `SELECT r.scope, s.tenant, s.kind, s.id FROM vademecum.vm_record r
      JOIN vademecum.vm_scope s ON s.scope = r.scope AND s.place = r.place
      WHERE r.tbl = ${tableCodes.deliveries} AND r.key = '${deliveryKey}' AND r.scope > $1
      ORDER BY r.scope LIMIT $2`,
};

/**
 * Returns the statement that lists keys of a table after the key $1 of the scope $2. $3 is the
 * tenant, $4 the number of keys. The number of the table is in the text, so that PostgreSQL can use
 * the index of these tables alone.
 */
function crossUserStatement(
  table: CrossUserTable,
  comparison: ">" | "<",
  direction: "" | "DESC",
): Statement {
  return {
    name: `vm_across_users_${tableCodes[table]}${direction === "" ? "" : "_reverse"}`,
    text: `SELECT r.key, r.scope, s.id FROM vademecum.vm_record r
      JOIN vademecum.vm_scope s ON s.scope = r.scope AND s.place = r.place
      WHERE r.tbl = ${tableCodes[table]} AND s.kind = ${scopeCodes.user}
        AND s.tenant = $3
        AND (r.key, r.scope) ${comparison} ($1::bytea, $2::uuid)
      ORDER BY r.key ${direction}, r.scope ${direction} LIMIT $4`,
  };
}

/**
 * Returns the statement that reads a page of a table. Its parameters are scope, place, table and
 * number of records, and a key if `condition` names $5. Each page carries the head, which shows
 * whether the scope has changed since the snapshot.
 */
function pageText(condition: string, direction: "" | "DESC", limit: string): string {
  return `SELECT h.epoch, h.seq, r.key, r.value FROM vademecum.vm_scope h
      LEFT JOIN LATERAL (SELECT r.key, r.value FROM vademecum.vm_record r
        WHERE r.scope = $1 AND r.place = $2 AND r.tbl = $3 ${condition}
        ORDER BY r.key ${direction} LIMIT ${limit}) r ON true
      WHERE h.scope = $1`;
}
