import { describe, expect, it, vi } from "vitest";
import { anonymous } from "../../../src/core/model/principal.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { type BudgetLimits, ByteBudget } from "../../../src/rpc/admit/byte-budget.js";
import { PrincipalRooms } from "../../../src/rpc/admit/principal-rooms.js";
import { newRefusals } from "./new-refusals.js";

const newBudget = (limits: Partial<BudgetLimits> = {}) =>
  new ByteBudget(
    {
      connectionBytes: 100,
      bytes: 150,
      principalBytes: Infinity,
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

describe("a byte budget", () => {
  it("a byte budget limits the bytes of each connection", async () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 60, newCall())).toBeUndefined();
    const wait = buffer.reserve(room, 60, newCall());
    expect(buffer.bytes).toBe(60);
    buffer.change(room, -60);
    await wait;
    expect([room.bytes, buffer.bytes]).toEqual([60, 60]);
  });

  it("a byte budget limits the bytes in total, and neededBytes tells how many bytes waiting calls need", async () => {
    const buffer = newBudget();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const wait = buffer.reserve(other, 80, newCall());
    expect(buffer.neededBytes).toBe(30);
    buffer.change(one, -30);
    await wait;
    expect(buffer.neededBytes).toBe(0);
  });

  it("a small reservation of bytes never waits", () => {
    const buffer = newBudget();
    const room = { bytes: 0 };
    expect(buffer.reserve(room, 100, newCall())).toBeUndefined();
    expect(buffer.reserve(room, 10, newCall())).toBeUndefined();
  });

  it("each waiting call reduces the free bytes of a budget, but one call of any size always fits", async () => {
    const buffer = newBudget({ waitingCallBytes: 30 });
    const [one, two, three] = [{ bytes: 0 }, { bytes: 0 }, { bytes: 0 }];
    expect(buffer.reserve(one, 100, newCall())).toBeUndefined();
    const first = buffer.reserve(two, 60, newCall());
    // The waiting call itself takes 30 of the 150 bytes.
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

  it("a later call that fits passes a waiting call whose connection has no free bytes", async () => {
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

  it("later calls wait behind a large call that waits for bytes of the whole budget", async () => {
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

  it("when a call that waits for bytes ends, the calls behind it start", async () => {
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

  it("later calls pass a waiting call that needs more than half of the whole budget", () => {
    const buffer = newBudget({ bytes: 200, smallBytes: 1, connectionBytes: 200 });
    expect(buffer.reserve({ bytes: 0 }, 80, newCall())).toBeUndefined();
    expect(buffer.reserve({ bytes: 0 }, 130, newCall())).toBeInstanceOf(Promise);
    expect(buffer.neededBytes).toBe(10);
    expect(buffer.reserve({ bytes: 0 }, 100, newCall())).toBeUndefined();
  });

  it("a call is refused if its connection already has its share of waiting calls, but calls of other connections may wait", async () => {
    const buffer = newBudget({ waitingCalls: 4 });
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    const calls = Array.from({ length: 4 }, newCall);
    expect(buffer.admit(one, 100, newCall())).toBeUndefined();
    expect(buffer.admit(other, 50, newCall())).toBeUndefined();
    const waits = calls.map((call) => buffer.admit(one, 60, call));
    const refused = { code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" };
    const admit = (room: { bytes: number }) => () => buffer.admit(room, 60, newCall());
    expect(admit(one)).toThrow(expect.objectContaining(refused));
    // Of the four calls that may wait, two may be calls of the other connection.
    expect([admit(other)(), admit(other)()]).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(admit(other)).toThrow(expect.objectContaining(refused));
    // A call that has begun is never refused, but waits. Small reservations never wait.
    expect(buffer.reserve(one, 60, newCall())).toBeInstanceOf(Promise);
    expect(buffer.admit(one, 10, newCall())).toBeUndefined();
    for (const call of calls) call.cancel(true);
    for (const wait of waits)
      await expect(wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(admit(one)()).toBeInstanceOf(Promise);
  });

  it("a call is refused if calls of its connection wait for too many bytes, but one call may always wait", () => {
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

describe("the bytes of a principal in a budget", () => {
  const limits = { bytes: 400, connectionBytes: 100, principalBytes: 100, smallBytes: 1 };
  /** Returns a function that makes a further connection of a new principal. */
  const newPrincipal = () => {
    const principal = { bytes: 0 };
    return () => ({ bytes: 0, principal });
  };
  /** Returns the connections whose calls start, in the order in which they start. */
  const startsOf = (waits: Readonly<Record<string, Promise<void> | undefined>>) => {
    const starts: string[] = [];
    for (const [name, wait] of Object.entries(waits)) {
      expect(wait).toBeInstanceOf(Promise);
      void wait?.then(() => starts.push(name));
    }
    return starts;
  };

  it("all connections of a principal share one limit of bytes, and other principals still get bytes", async () => {
    const buffer = newBudget(limits);
    const [one, other] = [newPrincipal(), newPrincipal()];
    const first = one();
    expect(buffer.reserve(first, 60, newCall())).toBeUndefined();
    const starts = startsOf({ wait: buffer.reserve(one(), 60, newCall()) });
    expect(buffer.reserve(other(), 60, newCall())).toBeUndefined();
    expect(buffer.reserve({ bytes: 0 }, 60, newCall())).toBeUndefined();
    expect([buffer.bytes, buffer.neededBytes, starts]).toEqual([180, 0, []]);
    buffer.change(first, -20);
    await vi.waitFor(() => expect(starts).toEqual(["wait"]));
    expect(first.principal.bytes).toBe(100);
  });

  it("fullPrincipals names each principal whose share is full, and the bytes that its calls must free", () => {
    const buffer = newBudget(limits);
    const one = newPrincipal();
    const full = one();
    expect(buffer.reserve(full, 90, newCall())).toBeUndefined();
    expect([...buffer.fullPrincipals()]).toEqual([]);
    expect(buffer.reserve(full, 20, newCall())).toBeInstanceOf(Promise);
    // This connection is full too, so bytes of the principal's other connections do not help it.
    expect([...buffer.fullPrincipals()]).toEqual([]);
    expect(buffer.reserve(one(), 30, newCall())).toBeInstanceOf(Promise);
    expect([...buffer.fullPrincipals()]).toEqual([[full.principal, 20]]);
  });

  it("principals get freed bytes in turn, however many calls of each principal wait", async () => {
    const buffer = newBudget({ ...limits, bytes: 150 });
    const [one, other] = [newPrincipal(), newPrincipal()];
    const full = { bytes: 0 };
    buffer.change(full, 150);
    const starts = startsOf({
      one1: buffer.reserve(one(), 30, newCall()),
      one2: buffer.reserve(one(), 30, newCall()),
      one3: buffer.reserve(one(), 30, newCall()),
      other1: buffer.reserve(other(), 30, newCall()),
      other2: buffer.reserve(other(), 30, newCall()),
    });
    const order = ["one1", "other1", "one2", "other2", "one3"];
    for (const [index] of order.entries()) {
      buffer.change(full, -30);
      await vi.waitFor(() => expect(starts).toEqual(order.slice(0, index + 1)));
    }
  });

  it("a principal with more than half of its share does not delay other principals", () => {
    const buffer = newBudget({ ...limits, bytes: 150 });
    const [one, other] = [newPrincipal(), newPrincipal()];
    expect(buffer.reserve(one(), 60, newCall())).toBeUndefined();
    expect(buffer.reserve({ bytes: 0 }, 60, newCall())).toBeUndefined();
    expect(buffer.reserve(one(), 35, newCall())).toBeInstanceOf(Promise);
    expect(buffer.neededBytes).toBe(0);
    expect(buffer.reserve(other(), 20, newCall())).toBeUndefined();
  });

  it("small calls of a principal wait behind a large call of the same principal", async () => {
    const buffer = newBudget(limits);
    const one = newPrincipal();
    const first = one();
    expect(buffer.reserve(first, 90, newCall())).toBeUndefined();
    const starts = startsOf({
      large: buffer.reserve(one(), 50, newCall()),
      small: buffer.reserve(one(), 5, newCall()),
    });
    buffer.change(first, -40);
    await vi.waitFor(() => expect(starts).toEqual(["large"]));
    buffer.change(first, -10);
    await vi.waitFor(() => expect(starts).toEqual(["large", "small"]));
  });

  it("the smallest reservations wait only when their principal has twice its share", async () => {
    const buffer = newBudget({ ...limits, smallBytes: 10 });
    const [one, other] = [newPrincipal(), newPrincipal()];
    const first = one();
    expect(buffer.reserve(first, 100, newCall())).toBeUndefined();
    for (let call = 0; call < 10; call++)
      expect(buffer.reserve(one(), 10, newCall())).toBeUndefined();
    const starts = startsOf({ small: buffer.reserve(one(), 10, newCall()) });
    expect(buffer.reserve(other(), 10, newCall())).toBeUndefined();
    buffer.change(first, -10);
    await vi.waitFor(() => expect(starts).toEqual(["small"]));
  });

  it("a call larger than the share of its principal takes the whole share", () => {
    const buffer = newBudget({ ...limits, connectionBytes: 200 });
    const one = newPrincipal();
    expect(buffer.reserve(one(), 150, newCall())).toBeUndefined();
    expect(buffer.reserve(one(), 2, newCall())).toBeInstanceOf(Promise);
  });

  it("a principal that already has its share of waiting calls is refused on all of its connections", () => {
    const buffer = newBudget({ ...limits, waitingCalls: 2 });
    const [one, other] = [newPrincipal(), newPrincipal()];
    for (const connection of [one, other])
      expect(buffer.admit(connection(), 90, newCall())).toBeUndefined();
    for (let call = 0; call < 2; call++)
      expect(buffer.admit(one(), 60, newCall())).toBeInstanceOf(Promise);
    expect(() => buffer.admit(one(), 60, newCall())).toThrow(
      expect.objectContaining({ reason: "OVERLOADED" }),
    );
    expect(buffer.admit(other(), 60, newCall())).toBeInstanceOf(Promise);
  });
});

describe("the byte counts of principals", () => {
  const [ann, bob] = [
    { ...anonymous, name: "key:ann" },
    { ...anonymous, name: "key:bob" },
  ];

  it("a principal has one byte count for all connections, and another byte count on each connection", () => {
    const rooms = new PrincipalRooms();
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    const annsRoom = rooms.open(ann, one);
    expect(rooms.open(ann, one)).toBe(annsRoom);
    expect(rooms.open(ann, other)).not.toBe(annsRoom);
    expect(rooms.open(ann, other).principal).toBe(annsRoom.principal);
    expect(rooms.open({ ...ann, name: "cert:ann" }, one)).toBe(annsRoom);
    expect(rooms.open(bob, one).principal).not.toBe(annsRoom.principal);
  });

  it("calls without credentials use the byte count of their connection", () => {
    const connection = { bytes: 0 };
    expect(new PrincipalRooms().open(anonymous, connection)).toBe(connection);
  });

  it("a principal keeps its byte count until its last reply has ended", () => {
    const rooms = new PrincipalRooms();
    const connection = { bytes: 0 };
    const room = rooms.open(ann, connection);
    rooms.open(ann, connection);
    rooms.close(ann);
    expect(rooms.open(ann, connection)).toBe(room);
    rooms.close(ann);
    rooms.close(ann);
    expect(rooms.open(ann, connection)).not.toBe(room);
  });
});
