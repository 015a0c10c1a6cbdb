import { Code, ConnectError } from "@connectrpc/connect";
import pRetry, { AbortError } from "p-retry";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { HoldWritesResponse } from "#gen/vademecum/v1/backup_pb.js";
import { allSlots, lastSlot, type SlotRange, subtractRange } from "../../core/model/slot-range.js";
import { CommandFailure } from "../command-io.js";
import {
  changedScopes,
  copyChanges,
  type MoveAdmin,
  type MoveServers,
  ScopeComparison,
} from "./move-scopes.js";

/** The cut-over begins after a round of copying that took less than this time, in milliseconds. */
const shortRoundMs = 5_000;

/** Maximum number of copying rounds. If writes are still faster than copying, the command fails. */
const roundsMax = 50;

/** Time between two renewals of a hold, in milliseconds. The server ends it after 30 s. */
const renewalMs = 8_000;

/** Number of retries after a connection has broken. */
const retries = 5;

/** A move of all data of a tenant. */
export interface Move extends MoveServers {
  /** The address of `from`. Until the data has moved, `to` sends its clients there. */
  readonly fromAddress: string;
  /** The address of `to` as clients reach it. */
  readonly toAddress: string;
  /** Number of parts that are cut over one after the other. */
  readonly slices: number;
  readonly onProgress: (text: string) => void;
}

/** The outcome of a move. */
export interface MoveOutcome {
  readonly scopes: number;
  readonly rounds: number;
  /** The longest time for which writes of a slice were held, in milliseconds. */
  readonly longestHoldMs: number;
}

/** Counts what a move would copy. Changes nothing. */
export async function planMove(
  move: MoveServers & Pick<Move, "toAddress">,
): Promise<{ readonly scopes: number; readonly changed: number }> {
  let scopes = 0;
  let changed = 0;
  for (const range of await rangesLeft(move)) {
    const { scopes: found, total } = await changedScopes(move, range);
    scopes += total;
    changed += found.length;
  }
  return { scopes, changed };
}

/**
 * Moves all data from one running server to another, without a stop. First copies in rounds while
 * clients write, until a round is short. Then cuts over slice by slice: holds the writes, copies
 * the last changes, compares both servers, and sends clients to the new server. Repeating an
 * interrupted move continues it.
 */
export async function moveData(move: Move): Promise<MoveOutcome> {
  const ranges = await rangesLeft(move);
  for (const range of ranges) await keepClientsAway(move, range);
  const comparison = new ScopeComparison(move);
  let scopes = 0;
  let rounds = 0;
  for (const range of ranges) {
    const copied = await copyUntilShort(move, range);
    scopes += copied.scopes;
    rounds += copied.rounds;
    move.onProgress("comparing both servers");
    await persistently(() => comparison.compare(range));
  }
  let longestHoldMs = 0;
  const slices = ranges.flatMap((range) => sliceRange(range, move.slices));
  for (const [index, slice] of slices.entries()) {
    move.onProgress(`cut-over ${index + 1} of ${slices.length}`);
    longestHoldMs = Math.max(longestHoldMs, await cutOver(move, slice, comparison));
  }
  return { scopes, rounds, longestHoldMs };
}

/** Returns the ranges that have not moved yet. */
async function rangesLeft({
  from,
  toAddress,
}: MoveServers & Pick<Move, "toAddress">): Promise<readonly SlotRange[]> {
  let ranges: readonly SlotRange[] = [allSlots];
  for (const { address, ...moved } of movesOf(await from.holdWrites({ listOnly: true }))) {
    if (address !== toAddress)
      throw new CommandFailure(`--from: a part of its data has moved to ${address} already`);
    ranges = ranges.flatMap((range) => subtractRange(range, moved));
  }
  return ranges;
}

function movesOf({ moves }: HoldWritesResponse): readonly (SlotRange & { address: string })[] {
  return moves.map(({ range, address }) => ({
    first: range?.first ?? 0,
    last: range?.last ?? lastSlot,
    address,
  }));
}

/** Lets the target send clients to the source, until the data is there. */
async function keepClientsAway({ to, fromAddress }: Move, range: SlotRange): Promise<void> {
  let open: readonly SlotRange[] = [range];
  for (const { address, ...moved } of movesOf(await to.holdWrites({ listOnly: true }))) {
    if (address !== fromAddress)
      throw new CommandFailure(`--to: a part of its data has moved to ${address}`);
    open = open.flatMap((part) => subtractRange(part, moved));
  }
  for (const part of open) {
    const { holdId } = await to.holdWrites({ range: part });
    await to.holdWrites({ range: part, holdId, movedTo: fromAddress });
  }
}

async function copyUntilShort(
  move: Move,
  range: SlotRange,
): Promise<{ readonly scopes: number; readonly rounds: number }> {
  for (let round = 1; round <= roundsMax; round++) {
    const startMs = performance.now();
    const { scopes } = await persistently(() =>
      copyChanges(move, range, (done, total) => {
        const percent = Math.floor((100 * done) / Math.max(1, total));
        move.onProgress(`round ${round}: ${percent} % (${done} of ${total} changed scopes)`);
      }),
    );
    if (performance.now() - startMs < shortRoundMs) return { scopes, rounds: round };
  }
  throw new CommandFailure(
    `clients write faster than their changes can be copied (${roundsMax} rounds); ` +
      "repeat the move at a quieter time, and nothing is copied twice",
  );
}

/** Cuts a slice over. Returns how long its writes were held, in milliseconds. */
async function cutOver(move: Move, range: SlotRange, comparison: ScopeComparison): Promise<number> {
  const { from, to, toAddress } = move;
  const startMs = performance.now();
  const { holdId } = await from.holdWrites({ range });
  const renewal = renewRegularly(from, range, holdId);
  try {
    await persistently(() => copyChanges(move, range, () => undefined));
    await persistently(() => comparison.compare(range));
    await comparison.requireEqual(range);
    await renewal.stop();
    await from.holdWrites({ range, holdId, movedTo: toAddress });
  } catch (error) {
    await renewal.stop().catch(() => undefined);
    // If the outcome of the last call is unknown, the slice may have moved. Then it must stay
    // there.
    if (!(await hasMoved(from, range, toAddress))) {
      await from.holdWrites({ range, release: true });
      throw error;
    }
  }
  await persistently(() => to.holdWrites({ range, release: true }));
  return performance.now() - startMs;
}

async function hasMoved(from: MoveAdmin, range: SlotRange, toAddress: string): Promise<boolean> {
  const response = await persistently(() => from.holdWrites({ listOnly: true }));
  return movesOf(response).some(
    ({ first, last, address }) =>
      address === toAddress && first <= range.first && last >= range.last,
  );
}

/** Renews a hold until `stop`, which throws the error of a failed renewal. */
function renewRegularly(
  from: MoveAdmin,
  range: SlotRange,
  holdId: string,
): { stop(): Promise<void> } {
  let renewal: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    renewal = from.holdWrites({ range, holdId }).catch((error: unknown) => {
      failure ??= { error };
    });
  }, renewalMs);
  return {
    async stop() {
      clearInterval(timer);
      await renewal;
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** Cuts a range into slices of about equal size. */
export function sliceRange({ first, last }: SlotRange, count: number): readonly SlotRange[] {
  const size = Math.ceil((last - first + 1) / count);
  const slices: SlotRange[] = [];
  for (let start = first; start <= last; start += size)
    slices.push({ first: start, last: Math.min(last, start + size - 1) });
  return slices;
}

/** Repeats a step that a broken connection has interrupted. The step continues where it was. */
async function persistently<T>(step: () => Promise<T>): Promise<T> {
  return pRetry(
    async () => {
      try {
        return await step();
      } catch (error) {
        throw isPassing(error) ? error : new AbortError(error as Error);
      }
    },
    { retries, minTimeout: 500, maxTimeout: 10_000 },
  );
}

/** Whether a repetition may help. A scope that changed during its copy is copied again. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  if (error.findDetails(ErrorInfoSchema)[0]?.reason === "SCOPE_CHANGED") return false;
  return [Code.Unavailable, Code.Canceled, Code.Aborted].includes(error.code);
}
