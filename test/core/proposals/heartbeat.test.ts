import { expect, it } from "vitest";
import type { Call } from "../../../src/core/ports/call.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { WatchEvent } from "../../../src/core/proposals/service.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { createWorkshop } from "./proposal-workshop.js";

const namespace = { userId: "kim", agentId: "guide" };
const edit = { oldString: "a", newString: "b", replaceAll: false, reasoning: "because" };

async function openWatch(waits: boolean) {
  const timer = createManualTimer();
  const { blocks, proposals } = createWorkshop(undefined, undefined, timer);
  await blocks.put({ userId: "kim", label: "notes", body: "a", writtenBy: "kim" });
  const propose = () =>
    proposals.propose({ namespace, target: { kind: "block", label: "notes" }, ...edit });
  if (waits) await propose();
  const ended = new AbortController();
  const call: Call = { ...endlessCall, signal: ended.signal };
  const watch = proposals.watch({ userId: "kim", heartbeatMs: 5000 }, call)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const event = (await watch.next()).value as WatchEvent;
    return typeof event === "string" ? event : "proposal";
  };
  return { timer, propose, next, watch, ended };
}

it("a watch with a heartbeat says at once that nothing waits, then beats while nothing changes", async () => {
  const { timer, propose, next, watch } = await openWatch(false);
  expect(await next()).toBe("waiting sent");
  for (let beat = 0; beat < 2; beat++) {
    const beating = next();
    while (timer.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    timer.pass(5000);
    expect(await beating).toBe("heartbeat");
  }
  await propose();
  expect(await next()).toBe("proposal");
  await watch.return?.();
  expect(timer.waiting).toEqual([]);
});

it("a watch with a heartbeat says so after the last proposal that waited", async () => {
  const { next, watch } = await openWatch(true);
  expect([await next(), await next()]).toEqual(["proposal", "waiting sent"]);
  await watch.return?.();
});
