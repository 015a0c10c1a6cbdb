import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import type { ProposalServiceParts } from "../../../src/core/proposals/service.js";
import { watchProposals } from "../../../src/core/proposals/watch.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { scopeRecords } from "../../contract/sample-records.js";

const kim = userScope("kim");
const call = endlessCall;

it("a watch of proposals reads a deleted proposal once more, and then never again", async () => {
  const inMemory = createInMemoryStore();
  const reads: string[] = [];
  let noteWiped = (): void => undefined;
  const wipedIsRead = new Promise<void>((resolve) => {
    noteWiped = resolve;
  });
  const store: Store = {
    ...inMemory,
    async snapshot(scope) {
      const snapshot = await inMemory.snapshot(scope);
      return {
        ...snapshot,
        async get(table, owner, key) {
          const value = await snapshot.get(table, owner, key);
          reads.push(key);
          if (value === undefined) noteWiped();
          return value;
        },
      };
    },
  };
  const propose = (id: string) =>
    store.update(kim, async (tx) => {
      tx.put("proposals", kim, id, { ...scopeRecords.proposals, id, status: "PENDING" });
      tx.put("pendingProposals", kim, id, null);
    });
  const wakeUps = createWakeUps();
  const clock = { nowMs: () => 0 };
  const parts: Pick<ProposalServiceParts, "store" | "wakeUps" | "clock"> = {
    store,
    wakeUps,
    clock,
  };
  const watch = watchProposals(parts as ProposalServiceParts, { userId: "kim" }, call);
  await propose("p1");
  expect((await watch.next()).value).toMatchObject({ proposal: { id: "p1" } });
  const next = watch.next();
  await store.update(kim, async (tx) => {
    tx.delete("proposals", kim, "p1");
    tx.delete("pendingProposals", kim, "p1");
  });
  wakeUps.wakeAll();
  await wipedIsRead;
  await propose("p2");
  wakeUps.wakeAll();
  expect((await next).value).toMatchObject({ proposal: { id: "p2" } });
  expect(reads).toEqual(["p1", "p1", "p2"]);
  await watch.return(undefined);
});
