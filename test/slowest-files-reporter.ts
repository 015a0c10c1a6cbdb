import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { env } from "node:process";
import type { Reporter, TestModule } from "vitest/node";

const listed = 10;

/** Test files that took longer go to the ledger, in seconds. */
const slowSeconds = 5;

/**
 * Lists the test files that took longest, including the time to load them. Appends the slow ones to
 * the file that `VADEMECUM_TEST_LEDGER` names, as lines of JSON.
 */
export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => {
        const { collectDuration, duration } = module.diagnostic();
        return { file: relative("", module.moduleId), ms: collectDuration + duration };
      })
      .toSorted((a, b) => b.ms - a.ms);
    const lines = files
      .slice(0, listed)
      .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
    process.stdout.write(`\nThe slowest ${lines.length} test files:\n${lines.join("\n")}\n`);
    const ledger = env["VADEMECUM_TEST_LEDGER"];
    if (ledger === undefined) return;
    for (const { file, ms } of files)
      if (ms > slowSeconds * 1000)
        appendFileSync(ledger, `${JSON.stringify({ file, seconds: Math.round(ms / 1000) })}\n`);
  }
}
