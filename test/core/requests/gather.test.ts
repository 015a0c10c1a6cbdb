import { expect, it } from "vitest";
import { gatherCalls } from "../../../src/core/requests/gather.js";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("gathering calls to serve them together continues while each turn of the event loop brings a call", async () => {
  let calls = 1;
  const gathered = gatherCalls(() => calls).then(() => calls);
  for (let turn = 0; turn < 5; turn++) {
    calls++;
    await nextTurn();
  }
  expect(await gathered).toBe(6);
});

it("gathering calls to serve them together ends even if calls never stop", async () => {
  let calls = 0;
  await gatherCalls(() => calls++);
  expect(calls).toBeGreaterThan(16);
});

it("gathering calls to serve them together ends when there are enough calls, or when its time is over", async () => {
  let calls = 0;
  await gatherCalls(() => calls++, { callsEnough: 4 });
  expect(calls).toBeLessThan(8);
  let more = 0;
  await gatherCalls(() => more++, { timeMs: -1 });
  expect(more).toBe(1);
});
