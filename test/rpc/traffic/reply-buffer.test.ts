import { describe, expect, it } from "vitest";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { ReplyBuffer } from "../../../src/rpc/traffic/reply-buffer.js";
import { defaultTrafficLimits } from "../../../src/rpc/traffic/traffic-limits.js";

const newBuffer = (waitingCallBytes = 0, waitingCalls = 1_000) =>
  new ReplyBuffer({
    ...defaultTrafficLimits,
    connectionReplyBytes: 100,
    replyBytes: 150,
    smallReplyBytes: 10,
    waitingCallBytes,
    waitingCalls,
  });
const newCall = () => new CallLifetime(Infinity, () => undefined);

describe("the room for replies", () => {
  it("the room for replies is limited for each connection", async () => {
    const buffer = newBuffer();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 60, newCall())).toBeUndefined();
    const wait = buffer.reserve(room, 60, newCall());
    expect(buffer.bytes).toBe(60);
    buffer.change(room, -60);
    await wait;
    expect([room.bytes, buffer.bytes]).toEqual([60, 60]);
  });

  it("the room for replies is limited in total, and a refusal tells how much waiting replies need", async () => {
    const buffer = newBuffer();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const wait = buffer.reserve(other, 80, newCall());
    expect(buffer.neededBytes).toBe(30);
    buffer.change(one, -30);
    await wait;
    expect(buffer.neededBytes).toBe(0);
  });

  it("the room for replies never makes a small reply wait", () => {
    const buffer = newBuffer();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 100, newCall())).toBeUndefined();
    expect(buffer.reserve(room, 10, newCall())).toBeUndefined();
  });

  it("the room of a call shrinks while others wait, but always holds one reply", async () => {
    const buffer = newBuffer(30);
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

  it("a later reply that fits passes a waiting reply of a connection without room", async () => {
    const buffer = newBuffer();
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

  it("a connection with its share of the waiting calls is refused, and other connections are not", async () => {
    const buffer = newBuffer(0, 4);
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
    // A call that has begun waits in any case, and small replies never wait.
    expect(buffer.reserve(one, 60, newCall())).toBeInstanceOf(Promise);
    expect(buffer.admit(one, 10, newCall())).toBeUndefined();
    for (const call of calls) call.cancel(true);
    for (const wait of waits)
      await expect(wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(admit(one)()).toBeInstanceOf(Promise);
  });
});
