import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createProgressLine } from "../../src/cli/progress-line.js";

function createOutput(properties: { isTTY: boolean; columns?: number }) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return Object.assign(stream, properties, { written: () => chunks.join("") });
}

it("a terminal that tells no width shows the progress", () => {
  const output = createOutput({ isTTY: true, columns: 0 });
  const line = createProgressLine(output);
  line.show("5 of 10 memories");
  expect(output.written()).toContain("5 of 10 memories");
  line.clear();
});

it("in a pipe, the progress is a line every ten seconds", () => {
  const output = createOutput({ isTTY: false });
  let nowMs = 0;
  const line = createProgressLine(output, { nowMs: () => nowMs });
  for (; nowMs <= 25_000; nowMs += 1_000) line.show(`${nowMs / 1_000} of 25`);
  line.clear();
  expect(output.written()).toBe("10 of 25\n20 of 25\n");
});

it("in a pipe that a program reads, there is no progress", () => {
  const output = createOutput({ isTTY: false });
  let nowMs = 0;
  const line = createProgressLine(output, { nowMs: () => nowMs, terminalOnly: true });
  for (; nowMs <= 25_000; nowMs += 1_000) line.show("still here");
  line.clear();
  expect(output.written()).toBe("");
});
