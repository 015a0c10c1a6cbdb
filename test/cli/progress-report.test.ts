import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createProgressReport } from "../../src/cli/progress-report.js";

it("a report without a terminal has a line for each stage, and another line every ten seconds", async () => {
  let nowMs = 1_000_000;
  const output = new PassThrough();
  const report = createProgressReport(output, () => nowMs);
  const showAfter = (waitMs: number, stage: string, detail: string): void => {
    nowMs += waitMs;
    report.show(stage, detail);
  };
  showAfter(0, "round 1", "0 %");
  showAfter(9_999, "round 1", "40 %");
  showAfter(1, "round 1", "50 %");
  showAfter(9_000, "round 1", "90 %");
  showAfter(0, "round 2", "0 %");
  showAfter(9_999, "round 2", "a\u001b[2J line");
  showAfter(1, "round 2", "a\u001b[2J line");
  report.clear();
  output.end();
  expect(await text(output)).toBe(
    "round 1: 0 %\nround 1: 50 %\nround 2: 0 %\nround 2: a\\u001b[2J line\n",
  );
});

it("a report on a terminal is one line", async () => {
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const report = createProgressReport(output, () => 0);
  report.show("round 1", "0 %");
  report.show("round 1", "50 %");
  output.end();
  const written = await text(output);
  expect(written).toContain("round 1: 50 %");
  expect(written).not.toContain("\n");
});
