import type { CreatingStatements } from "./creating-statements.js";

/** A function of the database that a group of writes calls. */
interface GroupFunction {
  readonly name: string;
  /** Types of the parameters. The first one is the scope. */
  readonly types: readonly string[];
  /** What follows the list of input parameters: output parameters, or nothing. */
  readonly outputs: string;
  readonly returns: string;
  /** Returns the body. `checkNode` checks that the shard of the scope is on this node. */
  readonly body: (run: Run, checkNode: string) => string;
}

/** Returns the PL/pgSQL that runs a statement. Its parameters are those of the function. */
type Run = (statement: Text, around?: Around) => string;

interface Around {
  /** What stands before the statement. */
  readonly before?: string;
  /** The variables that get the row of the result. */
  readonly into?: string;
}

/** Returns the SQL of a statement. `at` returns the name under which it finds a table. */
type Text = (at: (table: string) => string) => string;

const headColumns = [
  ["epoch", "text"],
  ["tenant", "bytea"],
  ["kind", "smallint"],
  ["id", "bytea"],
  ["seq", "bigint"],
  ["last_time_ms", "bigint"],
  ["place", "bigint"],
  ["next_place", "bigint"],
  ["counts", "bigint[]"],
  ["memories", "bigint"],
  ["bytes", "bigint"],
  ["accounts", "text[]"],
  ["stored", "bigint[]"],
] as const;
const headNames = headColumns.map(([name]) => name).join(", ");

/**
 * Locks the head until the end of the transaction, and creates it if there is none. Then reads the
 * holds, in a later statement, so that a writer has locked the table of the heads before it reads
 * the holds.
 */
const beginGroup: GroupFunction = {
  name: "vm_begin_group",
  // The scope, and the epoch, tenant, kind and id of a new head.
  types: ["uuid", "text", "bytea", "smallint", "bytea"],
  outputs: [...headColumns, ["moves", "text"], ["now_ms", "bigint"]]
    .map(([name, type]) => `, out ${name} ${type}`)
    .join(""),
  returns: "",
  body: (run, checkNode) => {
    // This UPDATE names no shard: only an UPDATE of the distributed table keeps it from moving.
    const lock = run(
      () => `update vademecum.vm_scope set seq = seq where scope = $1 returning ${headNames}`,
      { into: headNames },
    );
    const create = run(
      (at) => `insert into ${at("vm_scope")} (scope, epoch, tenant, kind, id)
        values ($1, $2, $3, $4, $5) on conflict (scope) do nothing`,
    );
    return `${lock}
      ${checkNode}
      if epoch is null then
        ${create}
        ${lock}
      end if;
      ${run((at) => `select m.moves from ${at("vm_meta")} m`, { into: "strict moves" })}
      now_ms := (extract(epoch from clock_timestamp()) * 1000)::bigint;`;
  },
};

/** Finds which of the given records exist, with the lengths of their values. */
const findRecords: GroupFunction = {
  name: "vm_find_records",
  types: ["uuid", "bigint[]", "smallint[]", "bytea[]"],
  outputs: "",
  returns: "returns table (place bigint, tbl smallint, key bytea, length int)",
  body: (run) =>
    run(
      (at) => `select u.place, u.tbl, u.key, r.length
        from unnest($2, $3, $4) u(place, tbl, key)
        cross join lateral (select octet_length(value) as length from ${at("vm_record")}
          where scope = $1 and place = u.place and tbl = u.tbl and key = u.key offset 0) r`,
      { before: "return query " },
    ),
};

/** Deletes records of one table, by their keys. */
const deleteRecords: GroupFunction = {
  name: "vm_delete_records",
  types: ["uuid", "bigint", "smallint", "bytea[]"],
  outputs: "",
  returns: "returns void",
  body: (run) =>
    run(
      (at) => `delete from ${at("vm_record")}
        where scope = $1 and place = $2 and tbl = $3 and key = any($4)`,
    ),
};

/**
 * Writes a group: its records, places, commits and the head. The lock of the head has to be held.
 */
const writeGroup: GroupFunction = {
  name: "vm_write_group",
  types: [
    "uuid",
    // The head: seq, last_time_ms, next_place, counts, memories, bytes.
    ...["bigint", "bigint", "bigint", "bigint[]", "bigint", "bigint"],
    // The commit id, and the numbers and bodies of the commits.
    ...["uuid", "bigint[]", "bytea[]"],
    // Agents, places, counts as texts, and bytes.
    ...["bytea[]", "bigint[]", "text[]", "bigint[]"],
    // Places, tables, keys and values of the records.
    ...["bigint[]", "smallint[]", "bytea[]", "bytea[]"],
    // Places to sweep, and the last commit to remove from the change log, if there is one.
    ...["bigint[]", "bigint"],
    // Accounts, and the bytes that they have stored.
    ...["text[]", "bigint[]"],
    // When pruning finds something to do, if a written record makes that earlier.
    "bigint",
  ],
  outputs: "",
  returns: "returns void",
  body: (run) =>
    `if cardinality($19) > 0 then
      ${run(
        (at) => `insert into ${at("vm_sweep")} (scope, place)
          select $1, place from unnest($19) place on conflict (scope, place) do nothing`,
      )}
    end if;
    if $20 is not null then
      ${run((at) => `delete from ${at("vm_change")} where scope = $1 and seq <= $20`)}
    end if;
    ${run(
      (at) => `with records as (
        insert into ${at("vm_record")} (scope, place, tbl, key, value)
        select $1, u.place, u.tbl, u.key, u.value
        from unnest($15, $16, $17, $18) u(place, tbl, key, value)
        on conflict (scope, place, tbl, key) do update set value = excluded.value
      ), places as (
        insert into ${at("vm_place")} (scope, agent, place, counts, bytes)
        select $1, u.agent, u.place, u.counts::bigint[], u.bytes
        from unnest($11, $12, $13, $14) u(agent, place, counts, bytes)
        on conflict (scope, agent) do update
          set place = excluded.place, counts = excluded.counts, bytes = excluded.bytes
      )
      insert into ${at("vm_change")} (scope, seq, commit_id, body)
      select $1, u.seq, $8, u.body from unnest($9, $10) u(seq, body)`,
    )}
    ${run(
      // Citus checks here that the shard is still on this node.
      () => `update vademecum.vm_scope set seq = $2, last_time_ms = $3, next_place = $4,
        counts = $5, memories = $6, bytes = $7, accounts = $21, stored = $22,
        due_ms = least(due_ms, $23)
        where scope = $1`,
    )}`,
};

/**
 * The shard may have moved to another node while the lock waited. Then the group begins anew, with
 * a call to this other node. Otherwise, the transaction would lock the shard on two nodes, against
 * the order in which a move locks it.
 */
const requireShard = `perform from pg_dist_placement p
    join pg_dist_local_group g on g.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('vademecum.vm_scope', $1);
  if not found then
    raise exception 'the shard of the scope has moved' using errcode = 'serialization_failure';
  end if;`;

const functions = [beginGroup, findRecords, deleteRecords, writeGroup];

/** The statements that create the functions that a group of writes calls. */
export const functionStatements: CreatingStatements = {
  // Each statement has one good plan, which does not depend on the numbers of records.
  everywhere: functions.flatMap((created) => [
    createFunction(created, runDirectly, "", "set plan_cache_mode = force_generic_plan"),
    grantFunction(created),
  ]),
  onCitus: functions.flatMap((created) => [
    createFunction(created, runOnShards, requireShard, ""),
    // The node of the shard runs the function. Other nodes forward the call.
    `select create_distributed_function('${signatureOf(created)}', 'p_scope',
      colocate_with := 'vademecum.vm_scope', force_delegation := true)`,
    grantFunction(created),
  ]),
};

function createFunction(
  { name, types, outputs, returns, body }: GroupFunction,
  run: Run,
  checkNode: string,
  setting: string,
): string {
  const parameters = types.map((type, index) => (index === 0 ? `p_scope ${type}` : type));
  return `create function vademecum.${name}(${parameters.join(", ")}${outputs})
    ${returns} language plpgsql set search_path = pg_catalog, pg_temp ${setting} as $function$
    #variable_conflict use_column
    begin
    ${body(run, checkNode)}
    end $function$`;
}

function grantFunction(created: GroupFunction): string {
  return `grant execute on function ${signatureOf(created)} to vm_app`;
}

function signatureOf({ name, types }: GroupFunction): string {
  return `vademecum.${name}(${types.join(", ")})`;
}

/** One PostgreSQL keeps the plan of each statement for the whole session. */
function runDirectly(statement: Text, { before = "", into }: Around = {}): string {
  const text = statement((table) => `vademecum.${table}`);
  return `${before}${text}${into === undefined ? "" : ` into ${into}`};`;
}

/**
 * With Citus, names the shards. A statement about a distributed table would cost several times as
 * much: Citus plans it, writes it as text, and plans this text again.
 *
 * `execute` keeps no plan. Citus 14.0 adds another plan to a kept plan at each execution, and
 * frees none of them before the session ends.
 */
function runOnShards(statement: Text, { before = "", into }: Around = {}): string {
  const ids: string[] = [];
  const text = statement((table) => {
    // The table vm_meta is on all nodes, as one shard.
    const scope = table === "vm_meta" ? "" : ", $1";
    ids.push(`, get_shard_id_for_distribution_column('vademecum.${table}'${scope})`);
    return `vademecum.${table}_%s`;
  });
  const used = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = Array.from({ length: used }, (_, index) => `$${index + 1}`);
  return [
    `${before}execute format($statement$${text}$statement$${ids.join("")})`,
    ...(into === undefined ? [] : [`into ${into}`]),
    ...(values.length === 0 ? [] : [`using ${values.join(", ")}`]),
  ]
    .join(" ")
    .concat(";");
}
