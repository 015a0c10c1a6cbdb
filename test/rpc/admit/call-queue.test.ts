import { describe, expect, it } from "vitest";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { CallQueue } from "../../../src/rpc/admit/call-queue.js";
import { Slot } from "../../../src/rpc/admit/slot.js";
import { newRefusals } from "./new-refusals.js";

/** Slots may open while all together have at most 400 bytes, and those of one principal 100. */
const limits = { callBytes: 800, waitingCalls: 2, callsPerPrincipal: 3 };

const overloaded: unknown = expect.objectContaining({
  reason: "OVERLOADED",
  retryAfterMs: expect.any(Number) as unknown,
});

/** Returns functions that open the slots of calls and messages in one queue. */
function createQueue(changes: Partial<typeof limits> = {}) {
  let nowMs = 0;
  const queue = new CallQueue({ ...limits, ...changes }, newRefusals(), () => nowMs);
  const started: string[] = [];
  const slotOf = (caller: string | object, isCall: boolean, isRead = false) => {
    const lane = isCall ? queue.laneOfCall(caller) : queue.laneOf(caller);
    const call = new CallLifetime(Infinity, () => undefined);
    return { call, slot: new Slot(queue, lane, isCall, isRead) };
  };
  /** Opens a slot, and notes its name when it is open. */
  const open = (
    caller: string | object,
    bytes: number,
    name = "",
    isCall = true,
    isRead = false,
  ) => {
    const { call, slot } = slotOf(caller, isCall, isRead);
    const wait = slot.open(bytes, call);
    if (wait === undefined) started.push(name);
    else
      wait.then(
        () => started.push(name),
        () => undefined,
      );
    return { call, slot, wait };
  };
  return { queue, started, open, wait: (ms: number) => (nowMs += ms) };
}

describe("the slots of calls", () => {
  it("while another principal calls, a principal has eight reads in flight, and its writes go on", async () => {
    const { started, open, wait } = createQueue({ callsPerPrincipal: 100, waitingCalls: 100 });
    const read = (caller: string, name: string) => open(caller, 1, name, true, true);
    for (let at = 0; at < 9; at++) read("ann", `alone ${at}`);
    expect(started).toHaveLength(9);
    read("bob", "bob");
    const further = read("ann", "further");
    read("bob", "bob again");
    expect(started.slice(9)).toEqual(["bob", "bob again"]);
    further.call.cancel(false);
    await expect(further.wait).rejects.toThrow();
    open("ann", 1, "write");
    expect(started.at(-1)).toBe("write");
    wait(1_000);
    read("ann", "alone again");
    expect(started.at(-1)).toBe("alone again");
  });

  it("a waiting read begins when an earlier read of its principal ends", async () => {
    const { started, open } = createQueue({ callsPerPrincipal: 100, waitingCalls: 100 });
    open("bob", 1, "bob", true, true);
    const reads = ["1", "2", "3", "4", "5", "6", "7", "8"].map((name) =>
      open("ann", 1, name, true, true),
    );
    const ninth = open("ann", 1, "9", true, true);
    expect(started).not.toContain("9");
    reads[0]?.slot.release();
    await ninth.wait;
    expect(started).toContain("9");
  });

  it("calls of a caller wait in order of arrival until its slots have room for them", async () => {
    const { open, started } = createQueue();
    const first = open("ann", 60, "first");
    const second = open("ann", 60, "second");
    const third = open("ann", 10, "third");
    first.slot.release();
    await Promise.all([second.wait, third.wait]);
    expect(started).toEqual(["first", "second", "third"]);
  });

  it("a caller with a full share delays no other caller", () => {
    const { open, started } = createQueue();
    open("ann", 100);
    expect(open("ann", 1).wait).toBeDefined();
    open("bob", 100, "bob");
    expect(started).toContain("bob");
  });

  it("the callers take turns when all slots are taken", async () => {
    const { open, started, queue } = createQueue({ waitingCalls: 4 });
    const full = ["a", "b", "c", "d"].map((caller) => open(caller, 100));
    const calls = [
      open("ann", 100, "ann 1"),
      open("ann", 100, "ann 2"),
      open("bob", 100, "bob 1"),
      open("bob", 100, "bob 2"),
    ];
    started.length = 0;
    for (const { slot } of full) slot.release();
    await calls[2]?.wait;
    expect(started).toEqual(["ann 1", "bob 1"]);
    for (const call of [calls[0], calls[2]]) call?.slot.release();
    await Promise.all(calls.map(async ({ wait }) => wait));
    expect(started).toEqual(["ann 1", "bob 1", "ann 2", "bob 2"]);
    for (const call of [calls[1], calls[3]]) call?.slot.release();
    expect(queue.bytes).toBe(0);
  });

  it("no call overtakes a call that waits for the bytes of other callers", async () => {
    const { open, started } = createQueue();
    const full = ["a", "b", "c", "d"].map((caller) => open(caller, 99));
    const large = open("ann", 90, "large");
    open("bob", 1, "small");
    started.length = 0;
    full[0]?.slot.release();
    await large.wait;
    expect(started).toEqual(["large", "small"]);
  });

  it("a call that is larger than the share of its caller starts when the caller has no other", async () => {
    const { open, started } = createQueue();
    const first = open("ann", 300, "large");
    const second = open("ann", 300, "second");
    expect(started).toEqual(["large"]);
    first.slot.release();
    await second.wait;
    expect(started).toEqual(["large", "second"]);
  });

  it("a call is refused when too many wait, but a principal with few waiting calls may wait", () => {
    const { open } = createQueue();
    for (const caller of ["a", "b", "c", "d"]) open(caller, 100);
    open("ann", 1);
    open("ann", 1);
    expect(() => open("ann", 1)).toThrow(overloaded);
    expect(() => open({}, 1)).toThrow(overloaded);
    expect(open("bob", 1).wait).toBeDefined();
    expect(() => open("bob", 1)).toThrow(overloaded);
    open("cid", 1);
    expect(() => open("dan", 1)).toThrow(overloaded);
  });

  it("a principal has a limited number of calls, in flight or waiting, and a connection has not", () => {
    const { open } = createQueue();
    const first = open("ann", 1);
    open("ann", 1);
    open("ann", 1);
    expect(() => open("ann", 1)).toThrow(overloaded);
    expect(open("ann", 1, "message", false).wait).toBeUndefined();
    first.slot.release();
    open("ann", 1);
    const connection = {};
    for (let count = 0; count < 10; count++) open(connection, 1);
  });

  it("a call that ends while it waits leaves its place to others", async () => {
    const { open, queue } = createQueue({ waitingCalls: 1 });
    const first = open("ann", 100);
    const second = open("ann", 50);
    second.call.cancel(true);
    await expect(second.wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    second.slot.release();
    const third = open("ann", 50);
    first.slot.release();
    await third.wait;
    third.slot.release();
    expect(queue.bytes).toBe(0);
  });
});

describe("slots that grow", () => {
  it("slots grow into the half of the bytes in which no slot may open", () => {
    const { open, queue } = createQueue();
    const slots = ["a", "b", "c", "d"].map((caller) => open(caller, 100));
    for (const { slot, call } of slots) expect(slot.grow(200, call)).toBeUndefined();
    expect(queue.bytes).toBe(800);
  });

  it("a slot that grows waits only for slots that have grown, and starts before other calls", async () => {
    const { open, queue } = createQueue();
    const slots = ["a", "b", "c", "d"].map((caller) => open(caller, 90));
    const [first, second, third, fourth] = slots as [(typeof slots)[0], ...(typeof slots)[0][]];
    expect(first.slot.grow(700, first.call)).toBeUndefined();
    const waits = [second, third, fourth].map((each) => each?.slot.grow(200, each.call));
    const opening = open("e", 100);
    expect(waits.every((wait) => wait !== undefined)).toBe(true);
    first.slot.release();
    await Promise.all(waits.map(async (wait) => wait));
    expect(queue.bytes).toBe(600);
    second?.slot.release();
    third?.slot.release();
    await opening.wait;
    expect(queue.bytes).toBe(300);
  });

  it("a slot that needs fewer bytes than it has gives them back", async () => {
    const { open } = createQueue();
    const first = open("ann", 100);
    const second = open("ann", 60);
    expect(first.slot.grow(40, first.call)).toBeUndefined();
    await second.wait;
  });
});
