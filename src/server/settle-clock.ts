import { VademecumError } from "../core/model/errors.js";
import { type Scope, scopeText } from "../core/model/namespace.js";
import type { BackupSource, ScopeState } from "../core/ports/backup.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Store } from "../core/ports/store.js";
import type { Timer } from "../core/ports/timer.js";
import { unbelievedLeadMs } from "../store/engine/staged-transaction.js";

/** How long a start waits for the machine's clock, in milliseconds of the timer. */
const waitMs = 60_000;
const pollMs = 1_000;

/** The dependencies of settling the clock. */
export interface SettleParts {
  readonly store: Pick<Store, "openedAtMs" | "update">;
  readonly records: Pick<BackupSource, "scopeStates">;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly timer: Timer;
  /** Whether the machine's clock is right, so that later stored times are wrong. */
  readonly acceptClock: boolean;
  readonly log: Log;
}

/**
 * Compares the times of the data with the machine's clock. Waits up to a minute while the data is
 * more than a day ahead, because a machine may get its time from the network after its start. With
 * `acceptClock`, does not wait, and sets the times of these scopes to the machine's time.
 *
 * Returns the latest time of the data.
 *
 * @throws FAILED_PRECONDITION (CLOCK_BEHIND_DATA) when the data is still ahead, and `acceptClock`
 *   is not set
 */
export async function settleClock(parts: SettleParts): Promise<number> {
  const { store, records, clock, timer, acceptClock, log } = parts;
  const { openedAtMs } = store;
  const isAhead = (timeMs: number): boolean => timeMs - clock.nowMs() > unbelievedLeadMs;
  const waiting = acceptClock ? "" : "; waiting for the clock";
  if (isAhead(openedAtMs))
    log("warn", `the data is more than a day ahead of the machine's clock${waiting}`, {
      data: timeText(openedAtMs),
      clock: timeText(clock.nowMs()),
    });
  if (!acceptClock) await waitWhile(() => isAhead(openedAtMs), timer);
  if (!isAhead(openedAtMs)) return openedAtMs;
  const ahead: ScopeState[] = [];
  let latestMs = 0;
  for await (const state of records.scopeStates()) {
    if (isAhead(state.lastTimeMs)) ahead.push(state);
    else latestMs = Math.max(latestMs, state.lastTimeMs);
  }
  const [first] = ahead;
  if (first === undefined) return latestMs;
  if (!acceptClock) throw clockBehindData(first, ahead.length - 1, clock.nowMs());
  for (const { scope } of ahead) await setBack(store, scope, clock.nowMs()).catch(unlessMoved);
  log("warn", "the times of the data were set back to the machine's clock", {
    scopes: ahead.length,
    data: timeText(openedAtMs),
  });
  return Math.max(latestMs, clock.nowMs());
}

/** Waits up to a minute while a condition holds. */
async function waitWhile(holds: () => boolean, timer: Timer): Promise<void> {
  if (!holds()) return;
  // The timer does not keep the process alive, and nothing else does before the server listens.
  const alive = setInterval(() => undefined, waitMs);
  for (let waitedMs = 0; holds() && waitedMs < waitMs; waitedMs += pollMs)
    await new Promise<void>((resolve) => timer.after(pollMs, resolve));
  clearInterval(alive);
}

/** Writes nothing but the time of the commit, which does not follow a stored time so far ahead. */
async function setBack(store: Pick<Store, "update">, scope: Scope, nowMs: number): Promise<void> {
  await store.update(scope, async (tx) => {
    tx.commitTimeMs(nowMs);
    tx.put("replyExpiries", scope, "", "");
    tx.delete("replyExpiries", scope, "");
  });
}

/** Rethrows an error, unless another server has the scope now. Nothing here reads it then. */
function unlessMoved(error: unknown): void {
  if (!(error instanceof VademecumError && error.reason === "MOVED")) throw error;
}

function clockBehindData(
  { scope, lastTimeMs }: ScopeState,
  others: number,
  nowMs: number,
): VademecumError {
  const more = others === 0 ? "" : ` (and ${others} more)`;
  return new VademecumError(
    "FAILED_PRECONDITION",
    "CLOCK_BEHIND_DATA",
    `the last write of ${scopeText(scope)}${more} is of ${timeText(lastTimeMs)}, more than a day ahead ` +
      `of the machine's clock (${timeText(nowMs)}). Set the machine's clock. If the clock is right, ` +
      "start with --accept-clock, which sets the times of the data back to the clock",
  );
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
