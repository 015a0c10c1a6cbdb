import type { ErasureReceipt, ErasureSubjects } from "../model/erasure.js";
import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Clock, IdSource } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { Prunable } from "../pruning/prunable.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { WakeUps } from "../requests/wake-ups.js";

/** The dependencies of erasing users and runs. */
export interface ErasureParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** The index of memories and skills. */
  readonly index: Pick<SearchIndex, "release" | "derivedFiles">;
  readonly embedders: Pick<Embedders, "emptyCaches">;
  readonly wakeUps: Pick<WakeUps, "wakeAll">;
  /**
   * Makes it impossible to find out which lines of the audit trail are about a user or a run.
   * Absent: there is no audit trail.
   */
  readonly forgetNames?: ((scope: Scope) => Promise<void>) | undefined;
}

/** Whom to erase. Requires: at least one user or run. */
export interface ForgetInput extends Idempotent, ErasureSubjects {}

/** Erases everything of users and runs. */
export interface ErasureService {
  /**
   * Erases a user and runs. Resolves when no file of the store holds what they had. Goes on after
   * the call has ended. After a crash, the erasure ends at the next start (`resume`).
   */
  forget(input: ForgetInput, call: Call): Promise<ErasureReceipt>;
  /** Returns the receipt that `forget` would return, and erases nothing. */
  preview(input: ErasureSubjects, call: Call): Promise<ErasureReceipt>;
  /**
   * Erases what erasures that a crash has interrupted left. Compacts the store in the background.
   * Requires: no other server uses the store, and no call is served yet.
   */
  resume(): Promise<void>;
  /** Ends erasures that an error has interrupted over an hour ago. */
  readonly unfinished: Prunable;
}
