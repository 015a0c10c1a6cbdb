import { VademecumError } from "../core/model/errors.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { PruningGate } from "../core/pruning/pruning-gate.js";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Greatest lead of the machine's clock over the newest commit that is believed at once, in
 * milliseconds.
 */
export const believedJumpMs = 30 * dayMs;

/** How long a greater jump must last before it is believed, in milliseconds. */
const unbelievedMs = dayMs;

/** Greatest lead of the server's clock over the machine's clock that pruning ignores. */
const leadMaxMs = 1000;

/** A jump of the machine's clock that nobody has confirmed. */
export interface UnconfirmedJump {
  /** The time before the jump. */
  readonly beforeMs: number;
  /** The machine's time when the server noticed the jump. */
  readonly noticedAtMs: number;
}

/** Keeps the unconfirmed jump, so that a restart does not confirm it. */
export interface JumpKeeper {
  /** The jump that an earlier process noticed. `undefined`: none. */
  readonly earlier: UnconfirmedJump | undefined;
  /** Stores the jump. `undefined`: there is none any more. */
  keep(jump: UnconfirmedJump | undefined): void;
}

/** The sources of a clock trust. */
export interface ClockTrustParts {
  /** The machine's clock, which may jump either way. */
  readonly machine: Clock;
  /** The server's clock, see `createSteadyClock`. */
  readonly steady: Clock;
  /** Milliseconds of a clock that never jumps, counted from any moment. */
  readonly monotonicMs: () => number;
  /** Time of the newest commit; 0 if there is none. */
  readonly newestMs: number;
  readonly keeper: JumpKeeper;
  readonly log: Log;
}

/**
 * Creates a gate that refuses removals by age in two cases:
 *
 * - The machine's clock is more than 30 days ahead of the newest commit at the start, or jumps so
 *   far while the server runs. The gate opens after a day, or when an operator confirms the clock.
 * - The server's clock is ahead of the machine's clock. The gate opens when the machine's clock has
 *   caught up.
 */
export function createClockTrust(parts: ClockTrustParts): PruningGate {
  const { machine, steady, monotonicMs, newestMs, keeper, log } = parts;
  const { earlier } = keeper;
  let believedMs = earlier?.beforeMs ?? (newestMs === 0 ? machine.nowMs() : newestMs);
  let believedAtMs = monotonicMs();
  /** When the jump was noticed, as a monotonic time. */
  let noticedAtMs =
    earlier === undefined
      ? undefined
      : monotonicMs() - Math.max(0, machine.nowMs() - earlier.noticedAtMs);

  const believe = (machineMs: number): void => {
    if (noticedAtMs !== undefined) keeper.keep(undefined);
    noticedAtMs = undefined;
    believedMs = machineMs;
    believedAtMs = monotonicMs();
  };

  /** Returns by how many days the machine's clock has jumped, if nobody has confirmed the jump. */
  const unconfirmedDays = (machineMs: number): number | undefined => {
    const nowMs = monotonicMs();
    const jumpMs = machineMs - (believedMs + nowMs - believedAtMs);
    const isBelieved =
      jumpMs <= believedJumpMs ||
      (noticedAtMs !== undefined && nowMs - noticedAtMs >= unbelievedMs);
    if (isBelieved) {
      believe(machineMs);
      return undefined;
    }
    if (noticedAtMs === undefined) {
      noticedAtMs = nowMs;
      keeper.keep({ beforeMs: believedMs, noticedAtMs: machineMs });
      log(
        "error",
        "the machine's clock is far ahead of the newest write; nothing is pruned for a day. Correct " +
          "the clock, or confirm it: `vademecum prune --accept-clock`, or start with --accept-clock",
        {
          newestWrite: new Date(believedMs).toISOString(),
          clock: new Date(machineMs).toISOString(),
        },
      );
    }
    return Math.floor(jumpMs / dayMs);
  };

  const gate: PruningGate = {
    refusal() {
      const machineMs = machine.nowMs();
      const days = unconfirmedDays(machineMs);
      if (days !== undefined) {
        return clockNotTrusted(
          `the machine's clock is ${days} days ahead of the newest write; correct it, or call Prune ` +
            "with accept_clock if it is right. In a day, it is believed",
        );
      }
      const leadMs = steady.nowMs() - machineMs;
      return leadMs <= leadMaxMs
        ? undefined
        : clockNotTrusted(
            `the data is ${Math.ceil(leadMs / 1000)} s ahead of the machine's clock; correct the ` +
              "clock, or wait until it has caught up",
          );
    },
    confirm: () => believe(machine.nowMs()),
  };
  gate.refusal();
  return gate;
}

function clockNotTrusted(what: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "CLOCK_NOT_TRUSTED",
    `nothing is removed by its age: ${what}`,
  );
}
