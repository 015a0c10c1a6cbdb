import { expect, test } from "vitest";
import type { IdRange } from "../../../src/core/ports/id-range.js";
import { chosenNamespaces } from "../../../src/core/search/across-agents.js";

/** A store with this many agents of one user. */
function storeOf(count: number) {
  return {
    async *ids({ prefix = "" }: IdRange): AsyncGenerator<string> {
      const ids = Array.from({ length: count }, (_, i) => `agent ${i}`);
      yield* ids.filter((id) => id.startsWith(prefix)).sort();
    },
  };
}

test("a search of all agents reads at most 1,000 agents that the caller may name", async () => {
  const everything = { allowed: ["*"] };
  expect(await chosenNamespaces(storeOf(1_000), "kim", everything)).toHaveLength(1_000);
  await expect(chosenNamespaces(storeOf(1_001), "kim", everything)).rejects.toMatchObject({
    code: "FAILED_PRECONDITION",
    reason: "TOO_MANY_AGENTS",
  });
  const few = await chosenNamespaces(storeOf(1_001), "kim", { allowed: ["agent 7", "agent 9*"] });
  expect(few).toHaveLength(1 + 1 + 10 + 100);
});
