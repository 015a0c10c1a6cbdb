import { CallQueue } from "./call-queue.js";
import { CallTurns } from "./call-turns.js";
import type { Connection } from "./connection.js";
import { Connections } from "./connections.js";
import { OpenStreams } from "./open-streams.js";
import { Refusals } from "./refusals.js";
import { defaultTrafficLimits, type TrafficLimits } from "./traffic-limits.js";

/** Enforces the limits on connections and calls, for both listeners together. */
export interface Traffic {
  readonly limits: TrafficLimits;
  readonly connections: Connections;
  readonly turns: CallTurns<Connection>;
  readonly streams: OpenStreams;
  /** Number of requests whose replies are not completely sent. */
  readonly openCalls: () => number;
  /** Number of calls that wait for a slot. */
  readonly waitingCalls: () => number;
  /** Bytes of the messages of calls in flight. */
  readonly callBytes: () => number;
  /** Stops the regular checks of time limits. */
  stop(): void;
}

/**
 * Starts to limit traffic.
 *
 * @param limits limits that replace the default limits
 * @param nowMs milliseconds of a clock that never jumps
 */
export function createTraffic(
  limits: Partial<TrafficLimits> = {},
  nowMs: () => number = () => performance.now(),
): Traffic {
  const all = { ...defaultTrafficLimits, ...limits };
  const refusals = new Refusals(all.retryAfterMs, nowMs);
  const queue = new CallQueue(all, refusals, nowMs);
  const connections = new Connections({ limits: all, queue, nowMs });
  const timer = setInterval(() => connections.check(), all.sweepMs).unref();
  return {
    limits: all,
    connections,
    turns: new CallTurns(nowMs),
    streams: new OpenStreams(all, refusals),
    openCalls: () => connections.openCalls,
    waitingCalls: () => queue.waiting,
    callBytes: () => queue.bytes,
    stop: () => clearInterval(timer),
  };
}
