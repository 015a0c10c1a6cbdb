import { configDefaults, defineConfig } from "vitest/config";
import { isFullSuite } from "./test/suite.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(isFullSuite ? [] : ["test/**/*.long.test.ts"])],
    // Half of the quick suite's time would go into loading the same modules for each file anew.
    isolate: isFullSuite,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    deps: { interopDefault: false },
    reporters: ["default", "./test/closing-line-reporter.ts"],
  },
});
