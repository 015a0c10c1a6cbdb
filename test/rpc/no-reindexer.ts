import type { Reindexer } from "../../src/core/reindex/reindex.js";

/** For tests that reindex nothing. */
export const noReindexer: Reindexer = {
  reindex: () => {
    throw new Error("the test expects no such call");
  },
  stop: () => undefined,
};
