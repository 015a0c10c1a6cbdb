import { ByteBudget } from "./byte-budget.js";
import { CallSlots } from "./call-slots.js";
import { CallTurns } from "./call-turns.js";
import type { Connection } from "./connection.js";
import { Connections } from "./connections.js";
import { OpenStreams } from "./open-streams.js";
import { PrincipalRooms } from "./principal-rooms.js";
import { Refusals } from "./refusals.js";
import { RequestBuffer } from "./request-buffer.js";
import { defaultTrafficLimits, type TrafficLimits } from "./traffic-limits.js";

/** Enforces the limits on connections, replies and calls, for both listeners together. */
export interface Traffic {
  readonly limits: TrafficLimits;
  readonly connections: Connections;
  readonly turns: CallTurns<Connection>;
  readonly slots: CallSlots;
  readonly streams: OpenStreams;
  /** Number of requests whose replies are not completely sent. */
  readonly openCalls: () => number;
  /** Bytes that are reserved for replies, plus bytes of replies that clients have not yet read. */
  readonly replyBytes: () => number;
  /** Bytes of requests that have arrived or are reserved, and are still needed. */
  readonly requestBytes: () => number;
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
  const replyLimits = {
    bytes: all.replyBytes,
    connectionBytes: all.connectionReplyBytes,
    principalBytes: all.replyBytes * all.principalReplyShare,
    smallBytes: all.smallReplyBytes,
    waitingCalls: all.waitingCalls,
    connectionWaitingBytes: Infinity,
    waitingCallBytes: all.waitingCallBytes,
    wait: "wait for room for their replies",
  };
  const buffer = new ByteBudget(replyLimits, refusals);
  const requests = new RequestBuffer(all, refusals);
  const connections = new Connections({
    limits: all,
    buffer,
    rooms: new PrincipalRooms(),
    requests,
    nowMs,
  });
  const timer = setInterval(() => connections.check(), all.sweepMs).unref();
  return {
    limits: all,
    connections,
    turns: new CallTurns(nowMs),
    slots: new CallSlots(all, refusals),
    streams: new OpenStreams(all, refusals),
    openCalls: () => connections.openCalls,
    replyBytes: () => buffer.bytes,
    requestBytes: () => requests.bytes,
    stop: () => clearInterval(timer),
  };
}
