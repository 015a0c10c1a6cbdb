import { spawnSync } from "node:child_process";
import { env } from "node:process";
import { configDefaults, defineConfig } from "vitest/config";

/** Files that choose their stores themselves, or need none. */
const withOwnStores = [
  "test/e2e/memory-provider.long.test.ts",
  "test/e2e/move-providers.long.test.ts",
  "test/e2e/namespace-size.long.test.ts",
  "test/e2e/postgres-*.long.test.ts",
  "test/e2e/provider-choice.long.test.ts",
  "test/e2e/restore-postgres.long.test.ts",
  "test/e2e/security-page.long.test.ts",
];

/** The commit under test. Empty: this is no clone. */
const commit = spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).stdout?.trim() ?? "";

export default defineConfig(({ mode }) => {
  const isOverPostgres = mode === "postgres" || mode === "postgres-all";
  const isFullSuite = mode === "all" || mode === "postgres-all";
  const isLong = mode === "long";
  return {
    test: {
      include: [
        isLong
          ? "test/**/*.long.test.ts"
          : isOverPostgres
            ? "test/e2e/**/*.test.ts"
            : "test/**/*.test.ts",
      ],
      globalSetup: isOverPostgres ? ["test/postgres-for-all-files.ts"] : [],
      env: { VADEMECUM_TEST_COMMIT: commit },
      setupFiles: ["test/property-settings.ts"],
      exclude: [
        ...configDefaults.exclude,
        ...(isOverPostgres ? withOwnStores : []),
        ...(isFullSuite || isLong ? [] : ["test/**/*.long.test.ts"]),
      ],
      // Loading the same modules for each file anew would be half of the quick suite's work.
      isolate: isFullSuite,
      // Most long tests wait for processes, clocks and disks.
      ...(isLong && { maxWorkers: 3 }),
      // A test ends by what happens in it. These times only end a test that hangs.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      deps: { interopDefault: false },
      reporters: [
        "default",
        ...(env["CI"] === undefined ? [] : ["./test/slowest-files-reporter.ts"]),
        "./test/closing-line-reporter.ts",
      ],
    },
  };
});
