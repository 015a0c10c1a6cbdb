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

export default defineConfig(({ mode }) => {
  const isOverPostgres = mode === "postgres" || mode === "postgres-all";
  const isFullSuite = mode === "all" || mode === "postgres-all";
  return {
    test: {
      include: [isOverPostgres ? "test/e2e/**/*.test.ts" : "test/**/*.test.ts"],
      globalSetup: isOverPostgres ? ["test/postgres-for-all-files.ts"] : [],
      setupFiles: ["test/property-settings.ts"],
      exclude: [
        ...configDefaults.exclude,
        ...(isOverPostgres ? withOwnStores : []),
        ...(isFullSuite ? [] : ["test/**/*.long.test.ts"]),
      ],
      // Loading the same modules for each file anew would be half of the quick suite's work.
      isolate: isFullSuite,
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
