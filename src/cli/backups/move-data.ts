import { Code, ConnectError } from "@connectrpc/connect";
import pRetry, { AbortError } from "p-retry";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { SlotRange } from "../../core/model/slot-range.js";
import { hasMovedTo, type MoveEnds, type MovePlan, planRanges, readMoves } from "./move-plan.js";
import { changedScopes, type MoveAdmin, ScopeCopies } from "./move-scopes.js";

/**
 * A round copies the changed scopes and compares them. From the second round on, a round that takes
 * less than this time, in milliseconds, is the last before the cut-over.
 */
const shortRoundMs = 5_000;

/**
 * Rounds also end after a round that takes more than this share of the previous round's time,
 * because more rounds would not catch up with the clients' writes.
 */
const shrinkingShare = 0.5;

/**
 * The time that copying the changes of one slice should take, in milliseconds. A slice is a range
 * of slots that is cut over in one step, while its writes are held.
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
export interface Move extends MoveEnds {
  /**
   * Maximum number of slices, which are cut over one after the other. Absent: as many as needed to
   * hold the writes of each slice for only a fraction of a second.
   */
  readonly slices?: number | undefined;
  readonly onProgress: (stage: string, detail: string) => void;
}

/** The outcome of a move. */
export interface MoveOutcome {
  readonly scopes: number;
  readonly rounds: number;
  /** The address to which the old server forwards calls. */
  readonly clientAddress: string;
  /** The longest time for which the writes of a slice were held, in milliseconds. */
  readonly longestHoldMs: number;
}

/** The size of a move, and where calls would go. */
export interface PlannedMove {
  readonly scopes: number;
  /** Number of scopes that would be copied. */
  readonly changed: number;
  /** The address to which the old server would forward calls. */
  readonly clientAddress: string;
  /** Number of calls that the old server has forwarded since it started. */
  readonly forwardedCalls: number;
}

/**
 * Checks whether a move is possible, and counts what it would copy. Changes nothing. Throws the
 * errors of `planRanges`.
 */
export async function planMove(ends: MoveEnds): Promise<PlannedMove> {
  const { left, unreleased, clientAddress, forwardedCalls } = await planRanges(ends);
  let scopes = 0;
  let changed = 0;
  for (const range of [...unreleased, ...left]) {
    const found = await changedScopes(ends, range);
    scopes += found.scopes.length + found.unchanged.length;
    changed += found.scopes.length;
  }
  return { scopes, changed, clientAddress, forwardedCalls };
}

/**
 * Moves all data from one running server to another, without a stop. Copies while clients write,
 * until a round is short. Then, slice by slice, holds the writes, copies and compares the last
 * changes, and makes the new server serve the slice. Repeating an interrupted move continues it.
 * Throws the errors of `planRanges`.
 */
export async function moveData(move: Move): Promise<MoveOutcome> {
  move.onProgress("comparison", "reads the state of all users on both servers");
  const plan = await planRanges(move);
  const { clientAddress } = plan;
  for (const range of plan.misdirected)
    await move.from.holdWrites({ range, movedTo: clientAddress, movedToStore: plan.toStore });
  const copies = new ScopeCopies(move);
  let scopes = 0;
  for (const range of plan.unreleased) scopes += await releaseMoved(move, range, copies);
  for (const { holdId, ...range } of plan.handedOver) await giveUp(move, plan, range, holdId);
  await keepClientsAway(move, plan);
  let rounds = 0;
  let lastRoundsMs = 0;
  for (const range of plan.left) {
    const copied = await copyUntilShort(move, range, copies);
    scopes += copied.scopes;
    rounds += copied.rounds;
    lastRoundsMs += copied.lastRoundMs;
  }
  const slices = sliceRanges(plan.left, move.slices ?? slicesFor(lastRoundsMs));
  let longestHoldMs = 0;
  for (const [index, slice] of slices.entries()) {
    move.onProgress("cut-over", `part ${index + 1} of ${slices.length}`);
    longestHoldMs = Math.max(longestHoldMs, await cutOver(move, plan, slice, copies));
  }
  return { scopes, rounds, clientAddress, longestHoldMs };
}

/**
 * Makes the target serve a range that an earlier move has handed over but not released. First
 * makes sure that the target has the data of the source. Returns the number of scopes.
 */
async function releaseMoved(move: Move, range: SlotRange, copies: ScopeCopies): Promise<number> {
  const { onProgress } = move;
  const scopes = await persistently(() =>
    copies.copyAll(range, (done, total) =>
      onProgress("unfinished part", `${done} of ${total} changed scopes`),
    ),
  );
  await persistently(() => copies.copyRest(range));
  await release(move, range);
  return scopes;
}

/** Makes the target serve a range. */
async function release({ to }: Move, range: SlotRange): Promise<void> {
  await persistently(() => to.holdWrites({ range, release: true }));
}

/**
 * Makes the source give up a range that the target serves. Until then, the source asks the target
 * first, and serves the range if the target does not.
 */
async function giveUp(
  { from }: Move,
  { clientAddress, toStore }: MovePlan,
  range: SlotRange,
  holdId: string,
): Promise<void> {
  const target = { movedTo: clientAddress, movedToStore: toStore };
  await persistently(() => from.holdWrites({ range, holdId, ...target }));
}

/** Makes the target forward calls to the source until the data has moved. */
async function keepClientsAway({ to, fromAddress }: Move, plan: MovePlan): Promise<void> {
  for (const range of plan.open) {
    const { holdId } = await to.holdWrites({ range });
    const movedToStore = plan.fromStore;
    await to.holdWrites({ range, holdId, movedTo: fromAddress, movedToStore });
  }
}

/** The outcome of the rounds that copy a range. */
interface Rounds {
  /** Number of scopes in the range. */
  readonly scopes: number;
  readonly rounds: number;
  /** Duration of the last round, in milliseconds. */
  readonly lastRoundMs: number;
}

/**
 * Copies round by round until a round is short (`shortRoundMs`), or not much shorter than the
 * previous round (`shrinkingShare`).
 */
async function copyUntilShort(move: Move, range: SlotRange, copies: ScopeCopies): Promise<Rounds> {
  const show = (round: number) => (done: number, total: number) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    move.onProgress(`round ${round}`, `${percent} % (${done} of ${total} changed scopes)`);
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
async function cutOver(
  move: Move,
  plan: MovePlan,
  range: SlotRange,
  copies: ScopeCopies,
): Promise<number> {
  const { from } = move;
  // Clients may have written to this slice while earlier slices were cut over.
  await persistently(() => copies.copyChanges(range, () => undefined));
  const startMs = performance.now();
  const { holdId } = await from.holdWrites({ range });
  const renewal = renewRegularly(from, range, holdId);
  try {
    await persistently(() => copies.copyRest(range));
    await renewal.stop();
    await from.holdWrites({
      range,
      holdId,
      movedTo: plan.clientAddress,
      movedToStore: plan.toStore,
      handOver: true,
    });
  } catch (error) {
    await renewal.stop().catch(() => undefined);
    // The last call may have handed the slice over although it failed. Then the move goes on.
    if (!(await hasMoved(from, range, plan))) {
      await from.holdWrites({ range, release: true });
      throw error;
    }
  }
  await release(move, range);
  await giveUp(move, plan, range, holdId);
  return performance.now() - startMs;
}

async function hasMoved(
  from: MoveAdmin,
  range: SlotRange,
  { toStore, clientAddress }: MovePlan,
): Promise<boolean> {
  const { moves } = await persistently(() => readMoves(from));
  return moves.some(
    (moved) =>
      hasMovedTo(moved, toStore, clientAddress) &&
      moved.first <= range.first &&
      moved.last >= range.last,
  );
}

/** Renews a hold until `stop` is called. `stop` throws the error of a failed renewal. */
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

/**
 * Cuts ranges into at most `count` slices of about equal size. Each range has at least one slice,
 * even if there are more ranges than `count`.
 */
export function sliceRanges(ranges: readonly SlotRange[], count: number): readonly SlotRange[] {
  const slots = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  // The last slice of each range may be smaller than the others.
  const size = Math.ceil(slots / Math.max(1, count - ranges.length + 1));
  const slices: SlotRange[] = [];
  for (const { first, last } of ranges)
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
