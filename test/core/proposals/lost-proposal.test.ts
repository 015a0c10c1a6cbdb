import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { call } from "../search/search-service.js";
import { createWorkshop } from "./proposal-workshop.js";

const namespace = { userId: "ada", agentId: "guide" };
const { userId } = namespace;

it("ListProposals lists pending proposals even if the record of another proposal is missing", async () => {
  const { store, blocks, proposals } = createWorkshop();
  await blocks.put({ userId, label: "plan", body: "one two three", writtenBy: "kim" });
  const { proposal } = await proposals.propose({
    namespace,
    target: { kind: "block", label: "plan" },
    oldString: "one",
    newString: "1",
    replaceAll: false,
    reasoning: "digits",
  });
  const scope = userScope(userId);
  await store.update(scope, async (tx) => tx.put("pendingProposals", scope, "lost", null));
  const query = { userId, status: "PENDING", limit: 10, pageToken: "" } as const;
  const { items } = await proposals.list(query, call);
  expect(items.map(({ id }) => id)).toEqual([proposal.id]);
});
