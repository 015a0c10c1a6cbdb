import { expect, it } from "vitest";
import { anonymous } from "../../../src/core/model/principal.js";
import { SlowCalls } from "../../../src/core/monitor/slow-calls.js";
import type { EndedCall } from "../../../src/core/ports/ended-call.js";

function callOf(durationMs: number, tenant = ""): EndedCall {
  return {
    ...{ path: "/vademecum.v1.MemoryProvider/Search", code: "OK", durationMs, requestId: "r" },
    ...{ waitedMs: 1, workedMs: 2, rows: 3 },
    ...{ peer: "", kind: "unary", mayLast: false, requestBytes: 1, replyBytes: 1 },
    principal: { ...anonymous, tenant },
    names: [{ kind: "user", id: "ada" }],
  };
}

const everything = { minDurationMs: 0, limit: 2000 };

it("the 20 slowest calls of each minute of the last hour are kept, and no others", () => {
  let nowMs = 0;
  const slow = new SlowCalls(() => nowMs);
  for (let minute = 0; minute < 61; minute++) {
    nowMs = minute * 60_000;
    for (let i = 1; i <= 30; i++) slow.note(callOf(((i * 7) % 31) + minute / 1000));
  }
  const kept = slow.list("", everything);
  expect(kept).toHaveLength(60 * 20);
  expect(Math.min(...kept.map(({ durationMs }) => durationMs))).toBeGreaterThanOrEqual(11);
  expect(Math.min(...kept.map(({ endMs }) => endMs))).toBe(60_000);
  expect(slow.list("", { ...everything, limit: 2 })).toMatchObject([
    { durationMs: 30.06, userId: "ada", waitedMs: 1, workedMs: 2, rows: 3 },
    { durationMs: 30.059 },
  ]);
});

it("a tenant sees its own calls, and watches are not slow", () => {
  const slow = new SlowCalls(() => 0);
  slow.note(callOf(5, "acme"));
  slow.note({ ...callOf(9), mayLast: true });
  expect(slow.list("", everything)).toEqual([]);
  expect(slow.list("acme", everything)).toHaveLength(1);
});
