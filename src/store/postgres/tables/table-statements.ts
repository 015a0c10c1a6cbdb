import { crossUserTables } from "../../../core/ports/store.js";
import { tableCodes } from "../../codec/table-codes.js";
import type { CreatingStatements } from "./creating-statements.js";

const crossUserCodes = crossUserTables.map((table) => tableCodes[table]).join(", ");

/** The statements that create the tables. docs/internals/data-format.md explains the tables. */
export const tableStatements: CreatingStatements = {
  everywhere: [
    `create table vademecum.vm_scope (
      scope uuid primary key, epoch text not null,
      tenant bytea not null, kind smallint not null, id bytea not null,
      seq bigint not null default 0, last_time_ms bigint not null default 0,
      place bigint not null default 0, next_place bigint not null default 1, counts bigint[] not null default '{}',
      memories bigint not null default 0, bytes bigint not null default 0,
      accounts text[] not null default '{}', stored bigint[] not null default '{}',
      due_ms bigint
    ) with (fillfactor = 70)`,
    `create table vademecum.vm_place (
      scope uuid, agent bytea, place bigint not null, counts bigint[] not null,
      bytes bigint not null, primary key (scope, agent)
    ) with (fillfactor = 70)`,
    `create table vademecum.vm_record (
      scope uuid, place bigint, tbl smallint, key bytea, value bytea not null,
      primary key (scope, place, tbl, key)
    ) with (autovacuum_vacuum_scale_factor = 0.02)`,
    `create table vademecum.vm_change (
      scope uuid, seq bigint, commit_id uuid not null, body bytea not null,
      primary key (scope, seq)
    )`,
    `create table vademecum.vm_sweep (
      scope uuid, place bigint, due timestamptz not null default now(), primary key (scope, place)
    )`,
    // PostgreSQL keeps samples of other columns, which would outlive an erased user.
    `alter table vademecum.vm_place alter agent set statistics 0`,
    `alter table vademecum.vm_record alter key set statistics 0, alter value set statistics 0`,
    `alter table vademecum.vm_change alter body set statistics 0`,
    // Pruning visits only scopes in which something is due.
    `create index vm_scope_due on vademecum.vm_scope (due_ms, scope) where due_ms is not null`,
    // The order in which users and runs are listed.
    `create index vm_scope_ids on vademecum.vm_scope (tenant, kind, id)`,
    // The index of the listings over all users.
    `create index vm_record_across_users on vademecum.vm_record (tbl, key, scope)
      where tbl in (${crossUserCodes})`,
    `alter table vademecum.vm_record enable row level security`,
    `create policy own_scope on vademecum.vm_record
      using (scope = current_setting('vm.scope')::uuid)`,
    `create policy across_users on vademecum.vm_record for select
      using (tbl in (${crossUserCodes}) and current_setting('vm.across_users', true) = 'on')`,
    `alter table vademecum.vm_change enable row level security`,
    `create policy own_scope on vademecum.vm_change
      using (scope = current_setting('vm.scope')::uuid)`,
    `grant usage on schema vademecum to vm_app`,
    `grant select, update (moves) on vademecum.vm_meta to vm_app`,
    `grant select, insert, update, delete on vademecum.vm_scope, vademecum.vm_place,
      vademecum.vm_record, vademecum.vm_change, vademecum.vm_sweep to vm_app`,
  ],
  onCitus: [
    `select create_reference_table('vademecum.vm_meta')`,
    `select create_distributed_table('vademecum.vm_scope', 'scope')`,
    ...["vm_place", "vm_record", "vm_change", "vm_sweep"].map(
      (table) =>
        `select create_distributed_table('vademecum.${table}', 'scope', ` +
        `colocate_with => 'vademecum.vm_scope')`,
    ),
    // Sessions between the nodes of Citus have only the settings of the role.
    ...[
      "citus.propagate_set_commands = 'local'",
      "lock_timeout = '10s'",
      "idle_in_transaction_session_timeout = '60s'",
      "tcp_user_timeout = '10s'",
      "jit = off",
      "enable_seqscan = off",
      "enable_hashjoin = off",
      "enable_mergejoin = off",
    ].map((setting) => `alter role vm_app set ${setting}`),
  ],
};
