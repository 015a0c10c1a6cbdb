import type { SlotRange } from "../model/slot-range.js";
import type { Call } from "../ports/call.js";
import type { Hold, MovedRange, MoveTarget } from "../ports/holds.js";
import type { BackupChunk } from "./backup-chunk.js";
import type { RestoreProgress } from "./restore-backup.js";
import type { BackupQuery } from "./write-backup.js";

/** The effect of a call of HoldWrites on a range. */
export type HoldAction =
  | { readonly kind: "hold" }
  | { readonly kind: "renew"; readonly holdId: string }
  | {
      readonly kind: "move" | "handOver";
      readonly holdId: string;
      readonly target: MoveTarget;
    }
  | { readonly kind: "changeAddress"; readonly storeId: string; readonly address: string }
  | { readonly kind: "release" }
  | { readonly kind: "list" };

/** The holds after a call of HoldWrites. */
export interface HoldState {
  /** The hold that the call began, renewed or turned into a move; `undefined`: there is none. */
  readonly hold: Hold | undefined;
  readonly moves: readonly MovedRange[];
  /** The id of the store. All servers over the same store have the same id. */
  readonly storeId: string;
}

/** The users of a tenant that have moved to other servers. */
export interface MovedUsers {
  readonly count: number;
  /** The addresses of the servers, each once. */
  readonly addresses: readonly string[];
}

/** Backs up and restores the data of one tenant, and holds its writes. */
export interface BackupService {
  /** Yields a backup. See `writeBackup`. */
  backup(query: BackupQuery, call: Call): AsyncIterable<BackupChunk>;
  /** Restores a backup whose scopes keep their epochs. See `restoreBackup`. */
  restore(chunks: AsyncIterable<BackupChunk>, call: Call): AsyncIterable<RestoreProgress>;
  /** Changes the holds of a range. Throws the errors of `WriteHolds`. */
  hold(range: SlotRange, action: HoldAction): Promise<HoldState>;
  /** Returns the id of the store, as in `HoldState`. */
  storeId(): Promise<string>;
  /** Counts the users that have moved to other servers, and lists these servers. */
  movedUsers(): Promise<MovedUsers>;
}
