import { Code, ConnectError } from "@connectrpc/connect";
import pRetry, { AbortError } from "p-retry";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { HoldWritesResponse } from "#gen/vademecum/v1/backup_pb.js";
import { allSlots, lastSlot, type SlotRange, subtractRange } from "../../core/model/slot-range.js";
import { CommandFailure } from "../command-io.js";
import { changedScopes, type MoveAdmin, type MoveServers, ScopeCopies } from "./move-scopes.js";

/**
 * The cut-over begins after a round of copying and comparing that took less than this, in
 * milliseconds.
 */
const shortRoundMs = 5_000;

/** Rounds end after a round that takes more than this share of the previous round's time. */
const shrinkingShare = 0.5;

/**
 * The time that copying the changes of one slice should take, in milliseconds. A slice is the part
 * of the slots that is cut over at once, while its writes are held.
 */
const sliceMs = 250;

/** Maximum number of slices. */
const slicesMax = 1000;

/**
 * Time between two renewals of a hold, in milliseconds. The server ends a hold that is not renewed
 * for 30 s.
 */
const renewalMs = 8_000;

/** Number of retries after a connection has broken. */
const retries = 5;

/** A move of all data of a tenant. */
export interface Move extends MoveServers {
  /** The address of `from`. Until the data has moved, `to` sends its clients there. */
  readonly fromAddress: string;
  /** The address of `to` as clients reach it. */
  readonly toAddress: string;
  /**
   * Number of slices, which are cut over one after the other. Absent: as many as needed to hold the
   * writes of each slice for only a fraction of a second.
   */
  readonly slices?: number | undefined;
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
    const found = await changedScopes(move, range);
    scopes += found.scopes.length + found.unchanged.length;
    changed += found.scopes.length;
  }
  return { scopes, changed };
}

/**
 * Moves all data from one running server to another, without a stop. Copies while clients write,
 * until a round is short. Then, slice by slice, holds the writes, copies and compares the last
 * changes, and sends clients to the new server. Repeating an interrupted move continues it.
 */
export async function moveData(move: Move): Promise<MoveOutcome> {
  const ranges = await rangesLeft(move);
  for (const range of ranges) await keepClientsAway(move, range);
  const copies = new ScopeCopies(move);
  let scopes = 0;
  let rounds = 0;
  const slices: SlotRange[] = [];
  for (const range of ranges) {
    const copied = await copyUntilShort(move, range, copies);
    scopes += copied.scopes;
    rounds += copied.rounds;
    slices.push(...sliceRange(range, move.slices ?? slicesFor(copied.lastRoundMs)));
  }
  let longestHoldMs = 0;
  for (const [index, slice] of slices.entries()) {
    move.onProgress(`cut-over ${index + 1} of ${slices.length}`);
    longestHoldMs = Math.max(longestHoldMs, await cutOver(move, slice, copies));
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
      throw new CommandFailure(
        `--from: a part of its data has moved to ${address} already. To continue that move, name ` +
          "this address as --client-address",
      );
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

/** Makes the target send its clients to the source until the data has moved. */
async function keepClientsAway({ to, fromAddress }: Move, range: SlotRange): Promise<void> {
  let open: readonly SlotRange[] = [range];
  for (const { address, ...moved } of movesOf(await to.holdWrites({ listOnly: true }))) {
    if (address !== fromAddress)
      throw new CommandFailure(
        `--to: a part of its data has moved to ${address}. To move it back, name this address as ` +
          "--from",
      );
    open = open.flatMap((part) => subtractRange(part, moved));
  }
  for (const part of open) {
    const { holdId } = await to.holdWrites({ range: part });
    await to.holdWrites({ range: part, holdId, movedTo: fromAddress });
  }
}

/** The outcome of the rounds that copy a range. */
interface Rounds {
  /** Number of scopes in the range. */
  readonly scopes: number;
  readonly rounds: number;
  /** Duration of the last round. */
  readonly lastRoundMs: number;
}

/**
 * Copies round by round until a round is short. Also ends when a round is not much shorter than the
 * previous round: more rounds would not catch up with the clients' writes.
 */
async function copyUntilShort(move: Move, range: SlotRange, copies: ScopeCopies): Promise<Rounds> {
  const show = (round: number) => (done: number, total: number) => {
    const percent = Math.floor((100 * done) / Math.max(1, total));
    move.onProgress(`round ${round}: ${percent} % (${done} of ${total} changed scopes)`);
  };
  let startMs = performance.now();
  const scopes = await persistently(() => copies.copyAll(range, show(1)));
  let lastRoundMs = performance.now() - startMs;
  for (let rounds = 2; ; rounds++) {
    startMs = performance.now();
    const onScope = show(rounds);
    await persistently(() => copies.copyChanges(range, onScope));
    const roundMs = performance.now() - startMs;
    if (roundMs < shortRoundMs || roundMs > lastRoundMs * shrinkingShare)
      return { scopes, rounds, lastRoundMs: roundMs };
    lastRoundMs = roundMs;
  }
}

/** Cuts a slice over. Returns how long its writes were held, in milliseconds. */
async function cutOver(move: Move, range: SlotRange, copies: ScopeCopies): Promise<number> {
  const { from, to, toAddress } = move;
  // Clients have written to this slice while earlier slices were cut over.
  await persistently(() => copies.copyChanges(range, () => undefined));
  const startMs = performance.now();
  const { holdId } = await from.holdWrites({ range });
  const renewal = renewRegularly(from, range, holdId);
  try {
    await persistently(() => copies.copyRest(range));
    await renewal.stop();
    await from.holdWrites({ range, holdId, movedTo: toAddress });
  } catch (error) {
    await renewal.stop().catch(() => undefined);
    // The last call may have moved the slice although it failed. A slice that has moved must not
    // move back.
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

function slicesFor(roundMs: number): number {
  return Math.min(slicesMax, Math.max(1, Math.ceil(roundMs / sliceMs)));
}

/** Cuts a range into slices of about equal size. */
export function sliceRange({ first, last }: SlotRange, count: number): readonly SlotRange[] {
  const size = Math.ceil((last - first + 1) / count);
  const slices: SlotRange[] = [];
  for (let start = first; start <= last; start += size)
    slices.push({ first: start, last: Math.min(last, start + size - 1) });
  return slices;
}

/** Repeats a step that a broken connection has interrupted. The step continues where it stopped. */
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

/**
 * Whether a repetition may help. It does not help if a client writes to the target (SCOPE_CHANGED).
 */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  if (error.findDetails(ErrorInfoSchema)[0]?.reason === "SCOPE_CHANGED") return false;
  return [Code.Unavailable, Code.Canceled, Code.Aborted].includes(error.code);
}
