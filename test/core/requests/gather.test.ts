import { expect, it } from "vitest";
import { gatherCalls } from "../../../src/core/requests/gather.js";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("the server gathers calls for a batch as long as each turn of the event loop brings another call", async () => {
  let calls = 1;
  const gathered = gatherCalls(() => calls).then(() => calls);
  for (let turn = 0; turn < 5; turn++) {
    calls++;
    await nextTurn();
  }
  expect(await gathered).toBe(6);
});

it("the server stops gathering calls for a batch even if new calls never stop", async () => {
  let calls = 0;
  await gatherCalls(() => calls++);
  expect(calls).toBeGreaterThan(16);
});

it("the server stops gathering calls for a batch when it has enough calls, or when its time is over", async () => {
  let calls = 0;
  await gatherCalls(() => calls++, { callsEnough: 4 });
  expect(calls).toBeLessThan(8);
  let more = 0;
  await gatherCalls(() => more++, { timeMs: -1 });
  expect(more).toBe(1);
});
