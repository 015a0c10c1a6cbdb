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
export interface MovedRange extends SlotRange, MoveTarget {}

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
  /** Changes the address of the parts of a range that have moved to a store. */
  changeAddress(range: SlotRange, storeId: string, address: string): Promise<void>;
  /** Ends all holds and moves in a range. */
  release(range: SlotRange): Promise<void>;
  /** Returns all moves. */
  moves(): Promise<readonly MovedRange[]>;
}
