import type { Scope } from "../../../core/model/namespace.js";
import type { Committed, Transaction } from "../../../core/ports/store.js";
import { nextTurn } from "../../../core/requests/pause.js";
import { storeUnavailable } from "../../errors.js";
import type { DiskSpace } from "../folder/disk-space.js";
import type { GroupCommit } from "./group-commit.js";
import { LevelTransaction } from "./level-transaction.js";
import type { ScopeState } from "./scope-state.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** Above this number of operations, other work gets its turn between the steps of a commit. */
const manyOperations = 1_000;

/** What the queues of all scopes share. */
export interface CommitPath {
  readonly groups: GroupCommit;
  readonly space: DiskSpace;
  /** Called when the clearing of a namespace is durable. */
  readonly onCleared: () => void;
}

/** How a transaction ended, and when what it stands on is durable. */
type Ended<T> =
  | { readonly committed: Committed<T>; readonly wrote: boolean; readonly durable: Promise<void> }
  | { readonly error: unknown; readonly durable: Promise<void> };

/**
 * Runs the transactions of one scope one after another. The next one begins when the function of the one before has ended, and sees what that wrote; it does not wait for the disk, so that many share one sync.
 */
export class ScopeQueue {
  /** Resolves when no function runs or waits. Never rejects. */
  #idle: Promise<unknown> = Promise.resolve();
  /** Settles when everything that was written so far is durable. */
  #durable: Promise<void> = Promise.resolve();

  constructor(
    private readonly scope: Scope,
    private readonly state: ScopeState,
    private readonly path: CommitPath,
  ) {}

  async update<T>(transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    const run = this.#idle.then(() => this.#run(transact));
    this.#idle = run;
    const ended = await run;
    if ("committed" in ended && ended.wrote) {
      await ended.durable;
      return ended.committed;
    }
    // Nothing was written, but what was read may not be durable yet: nobody is told of it before it is.
    await ended.durable.catch((cause: unknown) => {
      throw storeUnavailable("lost what this call had read before it was durable", cause);
    });
    if ("error" in ended) throw ended.error;
    return ended.committed;
  }

  async #run<T>(transact: (tx: Transaction) => Promise<T>): Promise<Ended<T>> {
    try {
      this.path.groups.requireWriting();
      const transaction = new LevelTransaction(this.scope, this.state);
      const result = await transact(transaction);
      const outcome = transaction.end();
      if (outcome === undefined)
        return {
          committed: { result, head: transaction.head },
          wrote: false,
          durable: this.#durable,
        };
      if (outcome.request.operations.length > manyOperations) await nextTurn();
      if (outcome.grows) this.path.space.requireRoom();
      this.path.groups.requireWriting();
      this.state.apply(outcome);
      const committed = {
        result,
        head: { epoch: transaction.head.epoch, seq: outcome.scopePlace.seq },
      };
      return { committed, wrote: true, durable: this.#commit(outcome) };
    } catch (error) {
      return { error, durable: this.#durable };
    }
  }

  #commit({ request, records, clears }: TransactionOutcome): Promise<void> {
    const durable = this.path.groups.commit(request).then(() => {
      this.state.pending.forget(records);
      if (clears) this.path.onCleared();
    });
    // Whoever waits for it learns of a failure; perhaps nobody does.
    durable.catch(() => undefined);
    this.#durable = durable;
    return durable;
  }
}
