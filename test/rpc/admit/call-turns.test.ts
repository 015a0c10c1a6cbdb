import { setImmediate as nextImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { CallTurns } from "../../../src/rpc/admit/call-turns.js";

/** Creates turns with a clock that advances by `streamMs` when a stream begins. */
function createTurns(streamMs: number) {
  let nowMs = 0;
  const begun: string[] = [];
  const turns = new CallTurns<string>(() => nowMs);
  const add = (connection: string, name: string): void =>
    turns.add(connection, () => {
      begun.push(`${connection}${name}`);
      nowMs += streamMs;
    });
  return { add, begun };
}

it("streams begin immediately when few arrive at once", () => {
  const { add, begun } = createTurns(0.1);
  for (let stream = 0; stream < 40; stream++) add("a", `${stream}`);
  expect(begun).toHaveLength(40);
});

it("other work gets its turn while many streams begin", async () => {
  const { add, begun } = createTurns(1);
  for (let stream = 0; stream < 12; stream++) add("a", `${stream}`);
  expect(begun).toHaveLength(5);
  await nextImmediate();
  expect(begun).toHaveLength(10);
  await nextImmediate();
  expect(begun).toHaveLength(12);
});

it("the stream of one connection does not wait for all of the many streams of another connection", async () => {
  const { add, begun } = createTurns(1);
  for (let stream = 0; stream < 100; stream++) add("a", `${stream}`);
  add("b", "0");
  expect(begun).not.toContain("b0");
  await nextImmediate();
  expect(begun).toContain("b0");
});

it("the streams of one connection begin in their order", async () => {
  const { add, begun } = createTurns(1);
  for (let stream = 0; stream < 12; stream++) {
    add("a", `${stream}`);
    add("b", `${stream}`);
  }
  for (let turn = 0; turn < 10; turn++) await nextImmediate();
  for (const connection of ["a", "b"])
    expect(begun.filter((name) => name.startsWith(connection))).toEqual(
      Array.from({ length: 12 }, (_, stream) => `${connection}${stream}`),
    );
});
