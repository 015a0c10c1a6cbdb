import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

/**
 * Ends a run with one plain line, `N passed, N failed, N skipped`, that programs can read. Prints
 * the failed tests with their messages just before this line, because a stored log often keeps only
 * its end.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const failures: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        counts[test.result().state] += 1;
        if (test.result().state === "failed") failures.push(failedTest(test));
      }
      // A file that cannot be loaded has no tests. It counts as one failure.
      if (module.errors().length > 0) {
        counts.failed += 1;
        failures.push(`${relative("", module.moduleId)}\n    ${firstMessage(module.errors())}`);
      }
    }
    // An error outside of all tests makes the run fail too.
    for (const error of errors) {
      counts.failed += 1;
      failures.push(`outside of all tests\n    ${firstMessage([error])}`);
    }
    if (failures.length > 0) process.stdout.write(`\nFailed:\n  ${failures.join("\n  ")}\n`);
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  }
}

function failedTest(test: TestCase): string {
  const file = relative("", test.module.moduleId);
  return `${file} > ${test.fullName}\n    ${firstMessage(test.result().errors ?? [])}`;
}

function firstMessage(errors: readonly { readonly message: string }[]): string {
  return errors[0]?.message.slice(0, 500) ?? "without a message";
}
