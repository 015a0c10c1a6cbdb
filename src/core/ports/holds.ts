import type { Scope } from "../model/namespace.js";
import type { SlotRange } from "../model/slot-range.js";

/** A hold of the writes to a range of slots (`WriteHolds`). */
export interface Hold {
  /** Random name, to renew the hold or to turn it into a move. */
  readonly holdId: string;
  /** Milliseconds until the hold ends; `undefined`: it has no end. */
  readonly lifetimeMs: number | undefined;
}

/** The server to which a range has moved. */
export interface MoveTarget {
  /** The gRPC address that serves the range. */
  readonly address: string;
  /** The id of the store at this address, as in `HoldState`. Absent: not known. */
  readonly storeId?: string | undefined;
}

/** A range that has moved to another server. */
export interface MovedRange extends SlotRange, MoveTarget {
  /** The id of the hold while the range is being handed over (`WriteHolds.handOver`). */
  readonly holdId?: string;
}

/** Where a scope has moved to. */
export interface MoveRoute extends MoveTarget {
  /** Whether the scope is being handed over, so that the target may not serve it yet. */
  readonly isHandingOver: boolean;
}

/**
 * Refuses the writes of some users and runs while their last changes are copied to another server.
 * After the move, refuses all their calls with an error that names the new address.
 *
 * While a hold lasts, updates of its scopes fail with UNAVAILABLE (WRITES_HELD). After `move`,
 * every use of its scopes fails with FAILED_PRECONDITION (MOVED).
 */
export interface WriteHolds {
  /**
   * Begins a hold. Ends earlier holds within the range. Resolves when all earlier updates of the
   * scopes are durable or have failed.
   *
   * @throws FAILED_PRECONDITION (MOVED) when a part of the range has moved
   */
  hold(range: SlotRange): Promise<Hold>;
  /**
   * Extends a hold. Requires: `range` is the whole range of the hold.
   *
   * @throws FAILED_PRECONDITION (NOT_HELD) when the hold has ended, or has another range
   */
  renew(range: SlotRange, holdId: string): Promise<Hold>;
  /**
   * Turns a hold into a move. The move lasts until it is released, and survives a restart.
   *
   * @throws FAILED_PRECONDITION (NOT_HELD) when the hold has ended, or has another range
   */
  move(range: SlotRange, holdId: string, target: MoveTarget): Promise<Hold>;
  /**
   * Prepares a hold to become a move: this server serves the range only until the target does. The
   * state has no end, and survives a restart. It ends with `move` or `release`.
   *
   * Every use of the scopes fails as after a move, except uses that `allowReads` allows.
   *
   * @throws FAILED_PRECONDITION (NOT_HELD) when the hold has ended, or has another range
   */
  handOver(range: SlotRange, holdId: string, target: MoveTarget): Promise<Hold>;
  /** Changes the address of the parts of a range that have moved to a store. */
  changeAddress(range: SlotRange, storeId: string, address: string): Promise<void>;
  /** Ends all holds and moves in a range. */
  release(range: SlotRange): Promise<void>;
  /** Returns all moves, and all ranges that are being handed over. */
  moves(): Promise<readonly MovedRange[]>;
  /** Whether any range is known to be held or to have moved. Cheap enough for every call. */
  hasEntries(): boolean;
  /**
   * Returns where a scope has moved to; `undefined` if it is not known to have moved. Another
   * server over the same store may have moved the scope since this server last read the moves.
   */
  routeOf(scope: Scope): MoveRoute | undefined;
  /**
   * Lets calls read a scope that is being handed over. Writes fail with UNAVAILABLE (WRITES_HELD).
   * Requires: the target has just said that it does not serve the scope.
   *
   * @returns a function that ends the permission
   */
  allowReads(scope: Scope): () => void;
}
