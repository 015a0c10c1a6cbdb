import type { Scope } from "../../../core/model/namespace.js";
import type { Committed, Head, Transaction } from "../../../core/ports/store.js";
import type { RecordSlot } from "../../engine/base.js";
import { GroupState } from "../../engine/group-state.js";
import { StagedTransaction, unbelievedLeadMs } from "../../engine/staged-transaction.js";
import type { HeldScopes, HoldsRow } from "../holds/held-scopes.js";
import { allOf, type Connection, noteFailures, type Session } from "../session/connection.js";
import type { ScopeRow } from "../tables/scope-row.js";
import {
  type HeadRow,
  isStateOf,
  type PlaceRow,
  placesOf,
  requireSameScope,
  type ScopeState,
  scopeState,
} from "../tables/scope-state.js";
import { setScope } from "../tables/set-scope.js";
import { scopeStatements } from "../tables/statements.js";
import { BaseRecords } from "./base-records.js";
import {
  type CommitEnd,
  commitWrites,
  type PreparedWrites,
  prepareWrites,
} from "./group-writes.js";

/** A waiting call of `update`. */
export interface Member {
  readonly transact: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns the next member of a running group, if one waits. */
export type NextMember = () => Member | undefined;

/** Bytes of values after which a group takes no more members. */
const groupBytes = 4 * 1024 * 1024;

/** The result of one member. */
type MemberEnd =
  | { readonly member: Member; readonly result: unknown; readonly head: Head }
  | { readonly member: Member; readonly error: unknown };

/** A group whose functions have run. */
export interface RunGroup {
  readonly ends: readonly MemberEnd[];
  readonly state: GroupState<number>;
  /** The scope before the group. */
  readonly before: ScopeState;
  /** The writes of the group. Absent: no function has written anything. */
  readonly writes: PreparedWrites | undefined;
}

/** The parts that the groups of all scopes share. */
export interface GroupPath {
  /** The epoch of scopes without a commit. */
  readonly newEpoch: string;
  /** Says which scopes may be written. */
  readonly held: HeldScopes;
  /**
   * Whether commits get the time of PostgreSQL, the same on all servers. Otherwise they get the
   * time of their callers.
   */
  readonly usesDatabaseTime: boolean;
}

/** A statement of a group has failed, so nothing that its functions wrote counts. */
export class GroupFailure extends Error {
  override readonly name = "GroupFailure";
  constructor(readonly error: unknown) {
    super("a statement of a group failed", { cause: error });
  }
}

/** A scope whose head is locked, and the time of PostgreSQL then. */
interface BegunGroup {
  readonly state: ScopeState;
  readonly nowMs: number;
}

/** Transactions of one scope that share one transaction of PostgreSQL. */
export class ScopeGroup {
  constructor(
    private readonly scope: Scope,
    private readonly row: ScopeRow,
    private readonly path: GroupPath,
    private readonly connection: Connection,
  ) {}

  /**
   * Locks the head and runs the functions of the members.
   *
   * @param known the scope after this server's last commit. Its places need not be read again if
   *   the head is still the same
   * @param begun the first members. In a retry, the members of the earlier attempt
   * @param next returns further members, which the caller adds to the group
   * @throws FAILED_PRECONDITION (MOVED) when the scope has moved to another server
   * @throws UNAVAILABLE (WRITES_HELD) when writes of the scope are held
   * @throws GroupFailure when a statement has failed; nothing is written then
   */
  async run(
    known: ScopeState | undefined,
    begun: readonly Member[],
    next: NextMember,
  ): Promise<RunGroup> {
    const failures: unknown[] = [];
    const noted = noteFailures(this.connection, failures);
    try {
      const { state: before, nowMs } = await this.#begin(noted, known);
      const timeMs = this.path.usesDatabaseTime ? timeAfter(before, nowMs) : undefined;
      const base = new BaseRecords(noted, this.row, before, timeMs);
      let state = new GroupState(base);
      let ends = await this.#runMembers(state, begun, next, failures);
      // A wrong assumption about an empty slot makes a second run necessary. The second run assumes
      // nothing, so there is no third.
      while (!(await base.look(writtenSlots(state)))) {
        base.assumesFree = false;
        state = new GroupState(base);
        const again = ends.map(({ member }) => member);
        ends = await this.#runMembers(state, again, next, failures);
      }
      const writes = state.wrote ? await prepareWrites(this.row, base, state) : undefined;
      return { ends, state, before, writes };
    } catch (error) {
      throw failures.length > 0 ? new GroupFailure(failures[0]) : error;
    }
  }

  /** Commits the writes of a group that has run. Never rejects. */
  async commit({ writes }: RunGroup): Promise<CommitEnd> {
    if (writes === undefined) {
      await this.rollBack();
      return "committed";
    }
    const end = await commitWrites(this.connection, writes);
    // A COMMIT that was cancelled leaves the transaction open.
    if (end !== "committed" && "lost" in end) await this.rollBack();
    return end;
  }

  /** Ends the transaction of PostgreSQL without writing. Never rejects. */
  async rollBack(): Promise<void> {
    await this.connection.run("rollback").catch(() => this.connection.abandon());
  }

  async #begin(session: Session, known: ScopeState | undefined): Promise<BegunGroup> {
    const { uuid } = this.row;
    const [, , head, places] = await allOf([
      session.run("begin"),
      setScope(session, this.row),
      this.#lock(session),
      known === undefined
        ? session.query<PlaceRow>(scopeStatements.readPlaces, [uuid])
        : Promise.resolve(undefined),
    ]);
    await this.path.held.admitWrites(session, head, this.scope);
    requireSameScope(this.row, head);
    const { timeline } = this.connection;
    const nowMs = head.now_ms;
    if (known !== undefined && isStateOf(known, head, timeline))
      return { state: scopeState(head, timeline, known.places), nowMs };
    const { rows } = places ?? (await session.query<PlaceRow>(scopeStatements.readPlaces, [uuid]));
    return { state: scopeState(head, timeline, placesOf(rows)), nowMs };
  }

  async #lock(session: Session): Promise<HoldsRow & HeadRow> {
    const { uuid, tenant, kind, id } = this.row;
    const { rows } = await session.query<HoldsRow & HeadRow>(scopeStatements.beginGroup, [
      ...[uuid, this.path.newEpoch, tenant, kind, id],
    ]);
    if (rows[0] === undefined) throw new Error("the function vm_begin_group returned no row");
    return rows[0];
  }

  async #runMembers(
    state: GroupState<number>,
    begun: readonly Member[],
    next: NextMember,
    failures: readonly unknown[],
  ): Promise<readonly MemberEnd[]> {
    const ends: MemberEnd[] = [];
    const waiting = [...begun];
    let bytes = 0;
    for (;;) {
      const member = waiting.shift() ?? (bytes < groupBytes ? next() : undefined);
      if (member === undefined) return ends;
      const transaction = new StagedTransaction(this.scope, state);
      ends.push(await runMember(member, transaction, state));
      if (failures.length > 0) throw new GroupFailure(failures[0]);
      bytes += transaction.bytes;
    }
  }
}

function writtenSlots(state: GroupState<number>): readonly RecordSlot<number>[] {
  return state.wrote ? [...state.pending].map(({ slot }) => slot) : [];
}

async function runMember(
  member: Member,
  transaction: StagedTransaction<number>,
  state: GroupState<number>,
): Promise<MemberEnd> {
  try {
    const result = await member.transact(transaction);
    const writes = await transaction.end();
    return { member, result, head: writes === undefined ? state.head : state.apply(writes) };
  } catch (error) {
    await transaction.end().catch(() => undefined);
    return { member, error };
  }
}

/**
 * Returns the time of a group: later than the group before, so that times and ids are in the order
 * of the commits. An unbelievable time of the group before does not count.
 */
function timeAfter({ lastTimeMs }: ScopeState, nowMs: number): number {
  return lastTimeMs - nowMs > unbelievedLeadMs ? nowMs : Math.max(lastTimeMs + 1, nowMs);
}
