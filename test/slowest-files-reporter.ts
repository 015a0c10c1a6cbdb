import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const listed = 10;

/** Lists the test files that took longest, including the time to load them. */
export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules
      .map((module) => {
        const { collectDuration, duration } = module.diagnostic();
        return { file: module.moduleId, ms: collectDuration + duration };
      })
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, listed)
      .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative("", file)}`);
    process.stdout.write(`\nThe slowest ${lines.length} test files:\n${lines.join("\n")}\n`);
  }
}
