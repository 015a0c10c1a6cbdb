import { describe, expect, it } from "vitest";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { type BudgetLimits, ByteBudget } from "../../../src/rpc/traffic/byte-budget.js";

const newBudget = (limits: Partial<BudgetLimits> = {}) =>
  new ByteBudget({
    connectionBytes: 100,
    bytes: 150,
    smallBytes: 10,
    waitingCallBytes: 0,
    waitingCalls: 1_000,
    connectionWaitingBytes: Infinity,
    retryAfterMs: 1_000,
    wait: "wait for room",
    ...limits,
  });
const newCall = () => new CallLifetime(Infinity, () => undefined);

describe("the room of a budget", () => {
  it("is limited for a connection", async () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 60, newCall())).toBeUndefined();
    const wait = buffer.reserve(room, 60, newCall());
    expect(buffer.bytes).toBe(60);
    buffer.change(room, -60);
    await wait;
    expect([room.bytes, buffer.bytes]).toEqual([60, 60]);
  });

  it("is limited for all connections, and says how much the waiting calls need", async () => {
    const buffer = newBudget();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const wait = buffer.reserve(other, 80, newCall());
    expect(buffer.neededBytes).toBe(30);
    buffer.change(one, -30);
    await wait;
    expect(buffer.neededBytes).toBe(0);
  });

  it("never makes a small reservation wait", () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 100, newCall())).toBeUndefined();
    expect(buffer.reserve(room, 10, newCall())).toBeUndefined();
  });

  it("is smaller while other calls wait for it, but never too small for one call", async () => {
    const buffer = newBudget({ waitingCallBytes: 30 });
    const [one, two, three] = [{ bytes: 0 }, { bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const first = buffer.reserve(two, 60, newCall());
    // 30 of 150 bytes are for the call that waits.
    const second = buffer.reserve(three, 40, newCall());
    expect([buffer.bytes, buffer.neededBytes]).toEqual([100, 40]);
    buffer.change(one, -40);
    await first;
    expect([one.bytes, two.bytes, three.bytes]).toEqual([60, 60, 0]);
    buffer.change(one, -60);
    await second;
    buffer.change(two, -60);
    buffer.change(three, -40);
    expect(buffer.reserve(one, 1_000, newCall())).toBeUndefined();
  });

  it("is given to a later call that fits, past a call of a connection without room", async () => {
    const buffer = newBudget();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const ended = newCall();
    const wait = buffer.reserve(one, 60, ended);
    expect(buffer.reserve(other, 50, newCall())).toBeUndefined();
    ended.cancel(true);
    await expect(wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    buffer.change(one, -100);
    expect(one.bytes).toBe(0);
  });

  it("is refused to a connection with its share of the waiting calls, but not to another one", async () => {
    const buffer = newBudget({ waitingCalls: 4 });
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    const calls = Array.from({ length: 4 }, newCall);
    expect(buffer.admit(one, 100, newCall())).toBeUndefined();
    expect(buffer.admit(other, 50, newCall())).toBeUndefined();
    const waits = calls.map((call) => buffer.admit(one, 60, call));
    const refused = { code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED", retryAfterMs: 1_000 };
    const admit = (room: { bytes: number }) => () => buffer.admit(room, 60, newCall());
    expect(admit(one)).toThrow(expect.objectContaining(refused));
    // The other connection has two of four places.
    expect([admit(other)(), admit(other)()]).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(admit(other)).toThrow(expect.objectContaining(refused));
    // A call that has begun waits in any case, and small reservations never wait.
    expect(buffer.reserve(one, 60, newCall())).toBeInstanceOf(Promise);
    expect(buffer.admit(one, 10, newCall())).toBeUndefined();
    for (const call of calls) call.cancel(true);
    for (const wait of waits)
      await expect(wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(admit(one)()).toBeInstanceOf(Promise);
  });

  it("is refused to a connection whose calls wait for too many bytes, but one call always waits", () => {
    const buffer = newBudget({ connectionWaitingBytes: 50 });
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.admit(one, 100, newCall())).toBeUndefined();
    expect(buffer.admit(one, 80, newCall())).toBeInstanceOf(Promise);
    expect(() => buffer.admit(one, 20, newCall())).toThrow(
      expect.objectContaining({ reason: "OVERLOADED" }),
    );
    expect(buffer.admit(other, 80, newCall())).toBeInstanceOf(Promise);
  });
});
