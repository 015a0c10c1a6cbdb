import { describe, expect, it } from "vitest";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { type BudgetLimits, ByteBudget } from "../../../src/rpc/traffic/byte-budget.js";
import { newRefusals } from "./new-refusals.js";

const newBudget = (limits: Partial<BudgetLimits> = {}) =>
  new ByteBudget(
    {
      connectionBytes: 100,
      bytes: 150,
      smallBytes: 10,
      waitingCallBytes: 0,
      waitingCalls: 1_000,
      connectionWaitingBytes: Infinity,
      wait: "wait for room",
      ...limits,
    },
    newRefusals(),
  );
const newCall = () => new CallLifetime(Infinity, () => undefined);

describe("the room of a budget", () => {
  it("the room of a budget is limited for each connection", async () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 60, newCall())).toBeUndefined();
    const wait = buffer.reserve(room, 60, newCall());
    expect(buffer.bytes).toBe(60);
    buffer.change(room, -60);
    await wait;
    expect([room.bytes, buffer.bytes]).toEqual([60, 60]);
  });

  it("the room of a budget is limited in total, and neededBytes tells how much waiting calls need", async () => {
    const buffer = newBudget();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const wait = buffer.reserve(other, 80, newCall());
    expect(buffer.neededBytes).toBe(30);
    buffer.change(one, -30);
    await wait;
    expect(buffer.neededBytes).toBe(0);
  });

  it("a small reservation never waits for room", () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 100, newCall())).toBeUndefined();
    expect(buffer.reserve(room, 10, newCall())).toBeUndefined();
  });

  it("the room of a budget shrinks while calls wait, but always holds one call", async () => {
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

  it("a later call that fits passes a waiting call of a connection without room", async () => {
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

  /** Two connections use 150 of 200 bytes. */
  const newFullBudget = () => {
    const buffer = newBudget({ bytes: 200, smallBytes: 1 });
    const [one, two] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 90, newCall())).toBeUndefined();
    expect(buffer.reserve(two, 60, newCall())).toBeUndefined();
    return { buffer, one, two, other: { bytes: 0 }, third: { bytes: 0 } };
  };

  it("later calls wait behind a large call that waits for the room of all connections", async () => {
    const { buffer, one, other, third } = newFullBudget();
    const largeWait = buffer.reserve(other, 80, newCall());
    const wait = buffer.reserve(third, 20, newCall());
    buffer.change(one, -20);
    expect([other.bytes, third.bytes]).toEqual([0, 0]);
    buffer.change(one, -20);
    await largeWait;
    expect([other.bytes, third.bytes]).toEqual([80, 0]);
    buffer.change(one, -20);
    await wait;
    expect(third.bytes).toBe(20);
  });

  it("the end of a call that waits for room starts the calls behind it", async () => {
    const { buffer, other, third } = newFullBudget();
    const ended = newCall();
    const endedWait = buffer.reserve(other, 80, ended);
    const wait = buffer.reserve(third, 20, newCall());
    ended.cancel(true);
    await expect(endedWait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    await wait;
    expect(third.bytes).toBe(20);
  });

  it("later calls pass a waiting call whose connection uses more than half of its limit", () => {
    const { buffer, one, two, third } = newFullBudget();
    buffer.change(one, 10);
    expect(buffer.reserve(two, 41, newCall())).toBeInstanceOf(Promise);
    expect(buffer.reserve(third, 20, newCall())).toBeUndefined();
  });

  it("later calls pass a waiting call that needs more than half of all room", () => {
    const buffer = newBudget({ bytes: 200, smallBytes: 1, connectionBytes: 200 });
    expect(buffer.reserve({ bytes: 0 }, 80, newCall())).toBeUndefined();
    expect(buffer.reserve({ bytes: 0 }, 130, newCall())).toBeInstanceOf(Promise);
    expect(buffer.neededBytes).toBe(10);
    expect(buffer.reserve({ bytes: 0 }, 100, newCall())).toBeUndefined();
  });

  it("a connection with its share of the waiting calls is refused, and other connections are not", async () => {
    const buffer = newBudget({ waitingCalls: 4 });
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    const calls = Array.from({ length: 4 }, newCall);
    expect(buffer.admit(one, 100, newCall())).toBeUndefined();
    expect(buffer.admit(other, 50, newCall())).toBeUndefined();
    const waits = calls.map((call) => buffer.admit(one, 60, call));
    const refused = { code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" };
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

  it("a connection whose calls wait for too many bytes is refused, but one call may always wait", () => {
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
