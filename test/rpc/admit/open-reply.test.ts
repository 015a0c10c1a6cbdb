import { expect, it } from "vitest";
import { CallQueue } from "../../../src/rpc/admit/call-queue.js";
import { OpenReply } from "../../../src/rpc/admit/open-reply.js";
import { defaultTrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { newRefusals } from "./new-refusals.js";

const mebibyte = 1024 * 1024;

function createReplies() {
  let nowMs = 0;
  const limits = { ...defaultTrafficLimits, callBytes: 8 * mebibyte };
  const queue = new CallQueue(limits, newRefusals(), () => nowMs);
  const parts = { limits, queue, nowMs: () => nowMs };
  const open = () => {
    const connection = { peer: "", noteCredentials: () => undefined };
    return new OpenReply(parts, connection, { pendingBytes: () => 0, reset: () => undefined });
  };
  return { open, pass: (ms: number) => (nowMs += ms) };
}

it("the time of a call is divided into its wait, its work, and the rest", async () => {
  const { open, pass } = createReplies();
  const large = open();
  expect(large.openSlot(3 * mebibyte, false)).toBeUndefined();
  const call = open();
  const wait = call.openSlot(3 * mebibyte, false);
  pass(7);
  large.complete(0);
  large.close();
  await wait;
  expect(call.waitedMs).toBe(7);
  // The request arrives.
  pass(5);
  call.startWork();
  pass(20);
  expect(call.workedMs).toBe(20);
  // The client reads a message.
  call.pauseWork();
  pass(100);
  call.resumeWork();
  pass(3);
  call.endWork();
  pass(50);
  expect(call).toMatchObject({ ageMs: 185, waitedMs: 7, workedMs: 23 });
});
