import { describe, expect, it } from "vitest";
import { DetachedWork } from "../../../src/core/jobs/detached-work.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";

/** A call whose caller can leave. */
function createCall(): { readonly call: Call; readonly leave: () => void } {
  const caller = new AbortController();
  const { signal } = caller;
  const call = { ...endlessCall, signal, throwIfEnded: () => signal.throwIfAborted() };
  return { call, leave: () => caller.abort(new Error("the caller has left")) };
}

/** Work that yields 1, 2, 3 …, each after `step` was called. */
function createSteps() {
  const waiting: (() => void)[] = [];
  const steps: number[] = [];
  async function* work(call: Call): AsyncGenerator<number> {
    for (let number = 1; number <= 3; number++) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      call.throwIfEnded();
      steps.push(number);
      yield number;
    }
  }
  const step = async (): Promise<void> => {
    waiting.shift()?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { work, steps, step };
}

const stopping = new VademecumError("UNAVAILABLE", "SERVER_STOPPING", "the server is stopping");

describe("detached work", () => {
  it("goes on when its caller leaves", async () => {
    const detached = new DetachedWork();
    const { call, leave } = createCall();
    const { work, steps, step } = createSteps();
    const stream = detached.stream(call, work);
    const first = stream.next();
    await step();
    expect(await first).toMatchObject({ value: 1 });
    const second = stream.next();
    leave();
    await expect(second).rejects.toThrow("the caller has left");
    await step();
    await step();
    await detached.close();
    expect(steps).toEqual([1, 2, 3]);
  });

  it("gives a slow caller the newest of what it has yielded, and the end", async () => {
    const detached = new DetachedWork();
    const { work, step } = createSteps();
    const stream = detached.stream(endlessCall, work);
    const first = stream.next();
    await step();
    await first;
    await step();
    await step();
    expect(await stream.next()).toMatchObject({ value: 3 });
    expect((await stream.next()).done).toBe(true);
  });

  it("tells its caller why it failed, and nobody if the caller has left", async () => {
    const detached = new DetachedWork();
    const { call, leave } = createCall();
    const fail = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(stopping) }),
    });
    await expect(detached.stream(endlessCall, fail).next()).rejects.toBe(stopping);
    const left = detached.stream(call, fail).next();
    leave();
    await expect(left).rejects.toThrow();
    await detached.close();
  });

  it("ends at its next step when it is stopped", async () => {
    const detached = new DetachedWork();
    const { work, steps, step } = createSteps();
    const next = detached.stream(endlessCall, work).next();
    detached.stop(stopping);
    await step();
    await expect(next).rejects.toBe(stopping);
    await detached.close();
    expect(steps).toEqual([]);
  });

  it("refuses a ninth piece of work until one of eight has ended", async () => {
    const detached = new DetachedWork();
    const eight = Array.from({ length: 8 }, () => {
      const { work, step } = createSteps();
      void detached.stream(createCall().call, work).next();
      return step;
    });
    const { work } = createSteps();
    await expect(detached.stream(endlessCall, work).next()).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "TOO_MANY_JOBS",
    });
    const [step] = eight;
    for (let number = 0; number < 3; number++) await step?.();
    const { work: next, step: go } = createSteps();
    const ninth = detached.stream(endlessCall, next).next();
    await go();
    expect(await ninth).toMatchObject({ value: 1 });
  });
});
