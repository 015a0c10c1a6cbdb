import { env } from "node:process";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => {
  const isFullSuite = mode === "all";
  const isOverPostgres = mode === "postgres";
  return {
    test: {
      include: [isOverPostgres ? "test/e2e/**/*.test.ts" : "test/**/*.test.ts"],
      globalSetup: isOverPostgres ? ["test/postgres-for-all-files.ts"] : [],
      setupFiles: ["test/property-settings.ts"],
      exclude: [...configDefaults.exclude, ...(isFullSuite ? [] : ["test/**/*.long.test.ts"])],
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
