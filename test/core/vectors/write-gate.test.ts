import { expect, it } from "vitest";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import { createWriteGate, writesAllowed } from "../../../src/core/vectors/write-gate.js";

const namespace = { userId: "u1", agentId: "a1" };

function callOf({ signal }: AbortController): Call {
  return { ...endlessCall, signal, throwIfEnded: () => signal.throwIfAborted() };
}

it("a closed write gate holds back writes to its namespace until the gate opens", async () => {
  const gate = createWriteGate();
  const steps: string[] = [];
  const open = gate.close(namespace);
  const write = writesAllowed(gate, namespace, callOf(new AbortController())).then(() =>
    steps.push("written"),
  );
  await writesAllowed(gate, { ...namespace, agentId: "a2" }, callOf(new AbortController()));
  steps.push("opened");
  open();
  await write;
  expect(steps).toEqual(["opened", "written"]);
});

it("a write that waits at a closed gate fails when its call ends", async () => {
  const gate = createWriteGate();
  gate.close(namespace);
  const controller = new AbortController();
  const write = writesAllowed(gate, namespace, callOf(controller));
  controller.abort(new Error("the call has ended"));
  await expect(write).rejects.toThrow("the call has ended");
});

it("a write whose call has already ended fails at a closed gate, and does not wait", async () => {
  const gate = createWriteGate();
  gate.close(namespace);
  const controller = new AbortController();
  controller.abort(new Error("the call has ended"));
  const write = writesAllowed(gate, namespace, callOf(controller));
  await expect(write).rejects.toThrow("the call has ended");
});
