import type { Reindexer } from "../../src/core/reindex/reindex.js";

/** For tests that reindex nothing. */
export const noReindexer: Reindexer = {
  // biome-ignore lint/correctness/useYield: it has nothing to tell
  async *reindex() {
    throw new Error("the test expects no such call");
  },
  stop: () => undefined,
};
