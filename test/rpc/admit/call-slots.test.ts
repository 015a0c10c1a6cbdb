import { describe, expect, it } from "vitest";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import { createOpenAccess } from "../../../src/rpc/access/access.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { CallSlot, CallSlots } from "../../../src/rpc/admit/call-slots.js";
import { defaultTrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { newRefusals } from "./new-refusals.js";

const limits = { ...defaultTrafficLimits, calls: 2, waitingCalls: 1, callsPerPrincipal: 2 };
const principalOf = (name: string): Principal => ({ ...anonymous, name });
const overloaded: unknown = expect.objectContaining({
  reason: "OVERLOADED",
  retryAfterMs: expect.any(Number) as unknown,
});

/** Returns a function that creates calls of one server. */
function callsOf(changes: Partial<typeof limits> = {}) {
  const slots = new CallSlots({ ...limits, ...changes }, newRefusals());
  return (principal: Principal = anonymous) => {
    const lifetime = new CallLifetime(Infinity, () => undefined);
    const slot = new CallSlot(slots, {
      principal,
      onEnd: (listener) => lifetime.onEnd(listener),
    });
    return { lifetime, slot };
  };
}

describe("calls in flight", () => {
  it("calls wait in order for a slot, and are refused when too many wait", async () => {
    const call = callsOf({ waitingCalls: 2 });
    const [first, second, third, fourth] = [call(), call(), call(), call()];
    expect([first.slot.take(), second.slot.take()]).toEqual([undefined, undefined]);
    const order: string[] = [];
    const waits = [
      Promise.resolve(third.slot.take()).then(() => order.push("third")),
      Promise.resolve(fourth.slot.take()).then(() => order.push("fourth")),
    ];
    expect(() => call().slot.take()).toThrow(overloaded);
    first.slot.release();
    second.slot.release();
    await Promise.all(waits);
    expect(order).toEqual(["third", "fourth"]);
  });

  it("when a waiting call ends, another call may wait in its place", async () => {
    const call = callsOf({ calls: 1 });
    const [first, second, third] = [call(), call(), call()];
    void first.slot.take();
    const wait = second.slot.take();
    second.lifetime.cancel(true);
    await expect(wait).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    const next = third.slot.take();
    first.slot.release();
    await next;
  });

  it("a key and a certificate of the same name share one limit of calls in flight", () => {
    const call = callsOf({ calls: 100 });
    const key = call(principalOf("key:ann"));
    void key.slot.take();
    void call(principalOf("cert:ann")).slot.take();
    expect(() => call(principalOf("key:ann")).slot.take()).toThrow(overloaded);
    expect(call(principalOf("key:bob")).slot.take()).toBeUndefined();
    key.slot.release();
    expect(call(principalOf("key:ann")).slot.take()).toBeUndefined();
  });

  it.each([{}, { memories: 10 }])(
    "calls without credentials are limited only in total, with the quota %j",
    (quota) => {
      const call = callsOf({ calls: 100 });
      const principal = createOpenAccess(quota).admit("", { certificateNames: [] }) as Principal;
      for (let count = 0; count < 50; count++) expect(call(principal).slot.take()).toBeUndefined();
    },
  );

  it("a call that gave up its slot may always wait for a slot again, and is never refused", async () => {
    const call = callsOf({ calls: 1, waitingCalls: 0 });
    const [stream, other] = [call(), call()];
    void stream.slot.take();
    stream.slot.release();
    void other.slot.take();
    const wait = stream.slot.take();
    other.slot.release();
    await wait;
    expect(() => call().slot.take()).toThrow(overloaded);
  });
});
