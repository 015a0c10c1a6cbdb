import type { Namespace } from "../model/namespace.js";

/** Work that one server at a time does for the data that several servers share. */
export type SharedJob = "pruning" | "deliveries" | { readonly reindex: Namespace };

/** A lock on a job that one server does for all servers. */
export interface JobLock extends AsyncDisposable {
  /** False when the lock was lost, for example with a connection. Another server may have it. */
  readonly isHeld: boolean;
  /** Notes that pruning has ended, see `Store.tryLock`. Absent for other jobs. */
  readonly noteEnd?: () => Promise<void>;
}
