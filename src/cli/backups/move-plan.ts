import {
  allSlots,
  intersection,
  lastSlot,
  type SlotRange,
  subtractRange,
} from "../../core/model/slot-range.js";
import { CommandFailure } from "../command-io.js";
import type { MoveAdmin, MoveServers } from "./move-scopes.js";

/** The servers of a move, and their addresses. */
export interface MoveEnds extends MoveServers {
  /** The address of `from`. Until the data has moved, `to` forwards the calls of clients there. */
  readonly fromAddress: string;
  /** The address of `to`. */
  readonly toAddress: string;
  /** The ranges to move. No two of them overlap. Absent: all slots. */
  readonly ranges?: readonly SlotRange[];
  /**
   * The address to which `from` forwards calls. Absent: the address of an earlier, unfinished move,
   * or else `toAddress`.
   */
  readonly clientAddress?: string | undefined;
}

/**
 * The work of a move: which ranges of slots to move, to correct or to release, and the address for
 * clients. Each user and each run has a slot (see `SlotRange`).
 */
export interface MovePlan {
  /** The ranges that have not moved yet. */
  readonly left: readonly SlotRange[];
  /**
   * The ranges that have moved to a store with a known id, but whose calls go to another address
   * than `clientAddress`.
   */
  readonly misdirected: readonly SlotRange[];
  /**
   * The ranges that have moved already, but for which `to` still forwards calls to `from`. An
   * earlier move died before it released them, so they cannot change.
   */
  readonly unreleased: readonly SlotRange[];
  /** The ranges that `from` has handed over but not given up, with the holds of these ranges. */
  readonly handedOver: readonly (SlotRange & { readonly holdId: string })[];
  /** The ranges for which `to` does not yet forward calls to `from`. */
  readonly open: readonly SlotRange[];
  /** The address to which `from` forwards calls. */
  readonly clientAddress: string;
  /** Number of calls that `from` has forwarded since it started. */
  readonly forwardedCalls: number;
  /** The ids of the two stores. Empty: the server does not tell the id of its store. */
  readonly fromStore: string;
  readonly toStore: string;
}

/** A range that has moved. An empty `storeId` means that the store is not known. */
interface Moved extends SlotRange {
  readonly address: string;
  readonly storeId: string;
  /** Not empty while the range is being handed over. */
  readonly holdId: string;
}

/** The ranges that have moved away from a server, and the id of its store. */
interface ServerMoves {
  readonly storeId: string;
  readonly moves: readonly Moved[];
  readonly forwardedCalls: number;
}

/**
 * Asks both servers which ranges have moved away from them, and plans the next move. Changes
 * nothing.
 *
 * @throws CommandFailure when the servers have the same store, or when earlier moves lead to or
 *   come from another store
 * @throws FAILED_PRECONDITION (MOVE_TARGET_REFUSED) when a server does not forward calls to the
 *   other one
 */
export async function planRanges(ends: MoveEnds): Promise<MovePlan> {
  const { ranges = [allSlots] } = ends;
  const [source, target] = await Promise.all([
    movesWithin(ends.from, ranges),
    movesWithin(ends.to, ranges),
  ]);
  if (source.storeId !== "" && source.storeId === target.storeId)
    throw new CommandFailure(
      "--to: this server has the same data as that of --from, so nothing can move. Both servers " +
        "have the same store, or one has a copy of the other's data folder",
    );
  requireSameTarget(ends, source, target);
  requireSameSource(ends, source, target);
  const clientAddress = ends.clientAddress ?? source.moves[0]?.address ?? ends.toAddress;
  await Promise.all([
    ends.from.holdWrites({ listOnly: true, movedTo: clientAddress }),
    ends.to.holdWrites({ listOnly: true, movedTo: ends.fromAddress }),
  ]);
  const left = rest(ranges, source.moves);
  return {
    left,
    misdirected: source.moves.filter(
      ({ address, storeId }) => address !== clientAddress && storeId !== "",
    ),
    unreleased: source.moves.flatMap((moved) =>
      target.moves.flatMap((back) => intersection(moved, back) ?? []),
    ),
    handedOver: source.moves.filter(({ holdId }) => holdId !== ""),
    open: rest(left, target.moves),
    clientAddress,
    forwardedCalls: source.forwardedCalls,
    fromStore: source.storeId,
    toStore: target.storeId,
  };
}

/** Reads which ranges have moved away from a server, and the id of its store. */
export async function readMoves(admin: MoveAdmin): Promise<ServerMoves> {
  const { storeId, moves, forwardedCalls } = await admin.holdWrites({ listOnly: true });
  return {
    storeId,
    forwardedCalls: Number(forwardedCalls),
    moves: moves.map(({ range, address, storeId: of, holdId }) => ({
      first: range?.first ?? 0,
      last: range?.last ?? lastSlot,
      address,
      storeId: of,
      holdId,
    })),
  };
}

/** Reads the moves of a server as `readMoves` does, without the slots outside of some ranges. */
async function movesWithin(admin: MoveAdmin, ranges: readonly SlotRange[]): Promise<ServerMoves> {
  const { moves, ...rest } = await readMoves(admin);
  const within = (moved: Moved): readonly Moved[] =>
    ranges.flatMap((range) => {
      const part = intersection(moved, range);
      return part === undefined ? [] : [{ ...moved, ...part }];
    });
  return { ...rest, moves: moves.flatMap(within) };
}

/** Whether a range has moved to a store. If an id is not known, compares the address instead. */
export function hasMovedTo(moved: Moved, storeId: string, address: string): boolean {
  return moved.storeId === "" || storeId === ""
    ? moved.address === address
    : moved.storeId === storeId;
}

function requireSameTarget(ends: MoveEnds, source: ServerMoves, target: ServerMoves): void {
  const address = ends.clientAddress ?? ends.toAddress;
  const other = source.moves.find((moved) => !hasMovedTo(moved, target.storeId, address));
  if (other === undefined) return;
  const start = `--from: a part of its data has moved to ${other.address} already`;
  throw new CommandFailure(
    other.storeId !== "" && target.storeId !== ""
      ? `${start}, and the server of --to has another store. To continue that move, name a server ` +
          "with the store of that address as --to"
      : `${start}. To continue that move, name this address as --client-address`,
  );
}

function requireSameSource(ends: MoveEnds, source: ServerMoves, target: ServerMoves): void {
  const other = target.moves.find((moved) => !hasMovedTo(moved, source.storeId, ends.fromAddress));
  if (other === undefined) return;
  const start = `--to: a part of its data has moved to ${other.address}`;
  throw new CommandFailure(
    other.storeId !== "" && source.storeId !== ""
      ? `${start}, and the server of --from has another store. To move that part back, name a ` +
          "server with the store of that address as --from"
      : `${start}. To move it back, name this address as --from`,
  );
}

/** Returns the ranges without the parts that have moved. */
function rest(ranges: readonly SlotRange[], moves: readonly Moved[]): readonly SlotRange[] {
  return moves.reduce<readonly SlotRange[]>(
    (left, moved) => left.flatMap((range) => subtractRange(range, moved)),
    ranges,
  );
}
