import type { Scope } from "../../../core/model/namespace.js";
import type { Committed, Head, Transaction } from "../../../core/ports/store.js";
import { nextTurn } from "../../../core/requests/pause.js";
import { GroupState } from "../../engine/group-state.js";
import { StagedTransaction } from "../../engine/staged-transaction.js";
import { storeUnavailable } from "../../errors.js";
import type { DiskSpace } from "../folder/disk-space.js";
import type { GroupCommit } from "./group-commit.js";
import { LevelBase } from "./level-base.js";
import type { PendingScope } from "./pending-scope.js";
import type { EndedRestore } from "./restore-scope.js";
import { outcomeOf } from "./staged-outcome.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** A commit with more operations than this lets other calls run between its steps. */
const manyOperations = 1_000;

/** The parts that the queues of all scopes share. */
export interface CommitPath {
  readonly groups: GroupCommit;
  readonly space: DiskSpace;
  /** Called when a transaction or a restore is durable, before its caller gets the result. */
  readonly onDurable: (scope: Scope, outcome: TransactionOutcome) => void;
  /** Called when the sweeper has work: a clearing is durable, or a restore has failed. */
  readonly onCleared: () => void;
}

/**
 * The end of a transaction. `durable` resolves when everything that the transaction read or wrote
 * is durable.
 */
type TransactionEnd<T> =
  | { readonly committed: Committed<T>; readonly wrote: boolean; readonly durable: Promise<void> }
  | { readonly error: unknown; readonly durable: Promise<void> };

/**
 * Runs the transactions of one scope one after another.
 *
 * A transaction begins when the function of the previous transaction has ended, and sees the writes
 * of that transaction. It does not wait for the disk, so that many transactions share one sync.
 */
export class ScopeQueue {
  /** Resolves when no transaction and no restore runs or waits. Never rejects. */
  #idle: Promise<unknown> = Promise.resolve();
  /** Resolves when all writes so far are durable. Rejects if a write has failed. */
  #durable: Promise<void> = Promise.resolve();

  constructor(
    private readonly scope: Scope,
    private readonly current: PendingScope,
    private readonly path: CommitPath,
  ) {}

  /**
   * Replaces the scope by the outcome of `restore`. `restore` begins when all earlier transactions
   * are durable. Later transactions wait for its end.
   */
  async restore(restore: (current: PendingScope) => Promise<EndedRestore>): Promise<void> {
    const run = this.#idle.then(async () => {
      await this.#durable;
      this.path.groups.requireWriting();
      const { outcome, end } = await restore(this.current);
      this.path.groups.requireWriting();
      this.current.apply(outcome);
      await this.#commit(outcome);
      end();
    });
    this.#idle = run.catch(() => this.path.onCleared());
    await run;
  }

  /** See `Store.settleDue`. Waits for all earlier transactions. */
  async settleDue(head: Head, dueMs: number): Promise<void> {
    const run = this.#idle.then(() => {
      this.path.groups.requireWriting();
      const state = this.current.settleDue(head, dueMs);
      if (state === undefined) return;
      this.#durable = this.path.groups.commit({ operations: [], bytes: 0, states: [state] });
      this.#durable.catch(() => undefined);
    });
    this.#idle = run.catch(() => undefined);
    await run;
    await this.#durable;
  }

  async update<T>(transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    const run = this.#idle.then(() => this.#run(transact));
    this.#idle = run;
    const end = await run;
    if ("committed" in end && end.wrote) {
      await end.durable;
      return end.committed;
    }
    // The transaction wrote nothing, but may have read writes that are not durable yet. It must not
    // return before those writes are durable.
    await end.durable.catch((cause: unknown) => {
      throw storeUnavailable("lost writes that this call had read before they were durable", cause);
    });
    if ("error" in end) throw end.error;
    return end.committed;
  }

  async #run<T>(transact: (tx: Transaction) => Promise<T>): Promise<TransactionEnd<T>> {
    try {
      this.path.groups.requireWriting();
      await this.current.prepare();
      const base = new LevelBase(this.current);
      const transaction = new StagedTransaction(this.scope, new GroupState(base));
      const result = await transact(transaction);
      const writes = await transaction.end();
      if (writes === undefined)
        return {
          committed: { result, head: transaction.head },
          wrote: false,
          durable: this.#durable,
        };
      const outcome = outcomeOf(this.current, base, writes);
      if (outcome.request.operations.length > manyOperations) await nextTurn();
      if (outcome.grows) this.path.space.requireRoom();
      this.path.groups.requireWriting();
      this.current.apply(outcome);
      const committed = {
        result,
        head: { epoch: transaction.head.epoch, seq: outcome.scopeState.seq },
      };
      return { committed, wrote: true, durable: this.#commit(outcome) };
    } catch (error) {
      return { error, durable: this.#durable };
    }
  }

  #commit(outcome: TransactionOutcome): Promise<void> {
    const { request, clears } = outcome;
    const durable = this.path.groups.commit(request).then(() => {
      this.current.forget(outcome);
      this.path.onDurable(this.scope, outcome);
      if (clears) this.path.onCleared();
    });
    // A waiting caller gets the rejection. The handler keeps it from counting as unhandled when
    // nobody waits.
    durable.catch(() => undefined);
    this.#durable = durable;
    return durable;
  }
}
