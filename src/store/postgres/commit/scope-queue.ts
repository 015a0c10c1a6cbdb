import type { Scope } from "../../../core/model/namespace.js";
import type { Meter } from "../../../core/ports/meter.js";
import type { Committed, Transaction } from "../../../core/ports/store.js";
import { storeUnavailable } from "../../errors.js";
import { commitUnknown, errorForCallers, isTransient } from "../errors.js";
import type { Connection } from "../session/connection.js";
import { allOf } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { Attempts } from "../session/retry.js";
import type { ScopeRow } from "../tables/scope-row.js";
import type { ScopeState } from "../tables/scope-state.js";
import { setScope } from "../tables/set-scope.js";
import { scopeStatements } from "../tables/statements.js";
import {
  GroupFailure,
  type GroupPath,
  type Member,
  type RunGroup,
  ScopeGroup,
} from "./scope-group.js";

/** Maximum number of transactions in a group, which is one transaction of PostgreSQL. */
const groupMembers = 64;

/** The parts that the queues of all scopes share. */
export interface CommitPath extends GroupPath {
  readonly writers: Pool;
  /** Called after a group has committed. */
  readonly onCommitted: (scope: Scope, row: ScopeRow, group: RunGroup) => void;
  /** Called with each error of a statement or a connection. */
  readonly onError: (error: unknown) => void;
  readonly meter: Meter;
}

/** The end of one attempt to run a group. */
type AttemptEnd =
  | "committed"
  /** Nothing was written. */
  | { readonly failed: unknown; readonly mayRetry: boolean }
  /** It is not known whether the group was written. */
  | { readonly lost: unknown; readonly ran: RunGroup };

/**
 * Runs the transactions of one scope on this server, one after another. Transactions that wait at
 * the same time form a group and share one transaction of PostgreSQL.
 */
export class ScopeQueue {
  readonly #waiting: Member[] = [];
  #isServing = false;
  /** Resolves when no group runs. Never rejects. */
  #idle: Promise<void> = Promise.resolve();
  /** Resolves when no work of `exclusively` runs or waits. Never rejects. */
  #exclusive: Promise<void> = Promise.resolve();
  #known: ScopeState | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly row: ScopeRow,
    private readonly path: CommitPath,
  ) {}

  /** The scope after the last commit of this server. Other servers may have committed since. */
  get known(): ScopeState | undefined {
    return this.#known;
  }

  update<T>(transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    return new Promise((resolve, reject) => {
      // The group resolves each member with the result of its own function.
      const settle = resolve as (committed: Committed<unknown>) => void;
      this.#waiting.push({ transact, resolve: settle, reject });
      if (!this.#isServing) void this.#serve();
    });
  }

  /** Runs `work` while this queue runs no transaction. Later transactions wait. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#exclusive;
    const run = before.then(() => this.#idle).then(work);
    this.#exclusive = run.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await run;
    } finally {
      this.#known = undefined;
    }
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      await this.#exclusive;
      this.#idle = this.#runGroup();
      await this.#idle;
    }
    this.#isServing = false;
  }

  /** Runs one group to its end, whatever happens. Never rejects. */
  async #runGroup(): Promise<void> {
    const members: Member[] = [];
    const next = (): Member | undefined => {
      const member = members.length < groupMembers ? this.#waiting.shift() : undefined;
      if (member !== undefined) members.push(member);
      return member;
    };
    next();
    const attempts = new Attempts();
    for (;;) {
      const end = await this.#attempt([...members], next);
      if (end === "committed") return;
      this.#known = undefined;
      const failure = "lost" in end ? await this.#findOut(end.ran, end.lost, attempts) : end;
      if (failure === undefined) return;
      this.path.onError(failure.failed);
      if (failure.mayRetry && (await attempts.next())) continue;
      const error = errorForCallers(failure.failed);
      for (const { reject } of members) reject(error);
      return;
    }
  }

  async #attempt(begun: readonly Member[], next: () => Member | undefined): Promise<AttemptEnd> {
    let connection: Connection;
    try {
      connection = await this.path.writers.acquire();
    } catch (error) {
      return { failed: error, mayRetry: isTransient(error) };
    }
    try {
      return await this.#attemptOn(connection, begun, next);
    } finally {
      this.path.writers.release(connection);
    }
  }

  async #attemptOn(
    connection: Connection,
    begun: readonly Member[],
    next: () => Member | undefined,
  ): Promise<AttemptEnd> {
    const group = new ScopeGroup(this.scope, this.row, this.path, connection);
    let ran: RunGroup;
    try {
      ran = await group.run(this.#known, begun, next);
    } catch (error) {
      await group.rollBack();
      return error instanceof GroupFailure
        ? { failed: error.error, mayRetry: isTransient(error.error) }
        : { failed: error, mayRetry: false };
    }
    const startMs = performance.now();
    const end = await group.commit(ran);
    if (end === "committed") {
      this.path.meter("groupTransactions", ran.ends.length);
      this.path.meter("groupSeconds", (performance.now() - startMs) / 1000);
      this.#settle(ran);
      return end;
    }
    return "lost" in end
      ? { lost: end.lost, ran }
      : { failed: end.refused, mayRetry: isTransient(end.refused) };
  }

  /**
   * Looks for the commit id of a group whose COMMIT got no answer, or an error. Returns a failure
   * if the group was not written, and otherwise replies to its members. A group that was not
   * written may run again after any error, because Citus reports a lost node as an internal error.
   */
  async #findOut(
    ran: RunGroup,
    lost: unknown,
    attempts: Attempts,
  ): Promise<{ readonly failed: unknown; readonly mayRetry: boolean } | undefined> {
    this.path.onError(lost);
    do {
      try {
        const isWritten = await this.path.writers.use((connection) =>
          this.#isWritten(connection, ran),
        );
        if (!isWritten)
          return { failed: storeUnavailable("could not commit", lost), mayRetry: true };
        this.#settle(ran);
        this.#known = undefined;
        return undefined;
      } catch (error) {
        this.path.onError(error);
        if (!isTransient(error)) break;
      }
    } while (await attempts.next());
    this.#rejectUnknown(ran, lost);
    return undefined;
  }

  /**
   * Whether the group of a lost session was written. Locks the head first, and so waits until that
   * session has ended.
   */
  async #isWritten(connection: Connection, { state, writes }: RunGroup): Promise<boolean> {
    const { uuid } = this.row;
    const first = state.base.head.seq + 1;
    try {
      const [, , , { rows }] = await allOf([
        connection.run("begin"),
        setScope(connection, this.row),
        connection.query(scopeStatements.lockHead, [uuid]),
        connection.query<{ commit_id: string }>(scopeStatements.readCommitId, [uuid, first]),
      ]);
      return rows[0]?.commit_id === writes?.commitId;
    } finally {
      await connection.run("rollback").catch(() => connection.abandon());
    }
  }

  #settle(ran: RunGroup): void {
    if (ran.writes !== undefined) {
      this.#known = ran.writes.after;
      this.path.onCommitted(this.scope, this.row, ran);
    }
    for (const end of ran.ends) {
      if ("error" in end) end.member.reject(end.error);
      else end.member.resolve({ result: end.result, head: end.head });
    }
  }

  #rejectUnknown({ ends, state }: RunGroup, lost: unknown): void {
    const unknown = commitUnknown(lost);
    const unread = storeUnavailable("lost writes that this call had read", lost);
    let seq = state.base.head.seq;
    for (const end of ends) {
      const wrote = "head" in end && end.head.seq > seq;
      if ("head" in end) seq = end.head.seq;
      end.member.reject(wrote ? unknown : unread);
    }
  }
}
