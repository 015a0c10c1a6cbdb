import { expect, it, vi } from "vitest";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import { limitTime, TimeLimitExceeded } from "../../../src/core/requests/time-limit.js";
import { createManualTimer } from "../../server/manual-timer.js";

function callOf(controller: AbortController): Call {
  return {
    ...endlessCall,
    signal: controller.signal,
    throwIfEnded: () => controller.signal.throwIfAborted(),
  };
}

const never = new Promise<never>(() => undefined);
const cancelled = new Error("the call was cancelled");

it("a part of a call ends at its own time limit, and the call continues", async () => {
  const controller = new AbortController();
  const timer = createManualTimer();
  const part = limitTime(callOf(controller), timer, 50);
  const waiting = part.orEnd(never);
  timer.pass(50);
  await expect(waiting).rejects.toThrow(new TimeLimitExceeded("took longer than 50 ms"));
  expect(() => part.throwIfEnded()).toThrow(TimeLimitExceeded);
  expect(controller.signal.aborted).toBe(false);
});

it.each(["before", "after"])(
  "if a call ends %s one of its parts begins, this part ends too",
  async (when) => {
    const controller = new AbortController();
    if (when === "before") controller.abort(cancelled);
    const part = limitTime(callOf(controller), createManualTimer(), 50);
    const waiting = part.orEnd(never);
    controller.abort(cancelled);
    await expect(waiting).rejects.toBe(cancelled);
    expect(part.signal.reason).toBe(cancelled);
  },
);

it("a part of a call that ends in time leaves no timer", async () => {
  const timer = createManualTimer();
  const part = limitTime(callOf(new AbortController()), timer, 50);
  expect(await part.orEnd(Promise.resolve("found"))).toBe("found");
  part.clear();
  expect(timer.waiting).toEqual([]);
  const late = limitTime(callOf(new AbortController()), timer, 50).orEnd(never);
  timer.pass(50);
  await expect(late).rejects.toThrow(TimeLimitExceeded);
  expect(timer.waiting).toEqual([]);
});

it("many parts of a call at the same time cause no warning about leaked event listeners", () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  const call = callOf(new AbortController());
  const timer = createManualTimer();
  for (let part = 0; part < 50; part++) limitTime(call, timer, 50);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
