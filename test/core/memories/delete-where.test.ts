import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { deleteWhereMax } from "../../../src/core/memories/delete.js";
import { insertMemory } from "../../../src/core/memories/records.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { withTurns } from "../event-loop-turns.js";
import { memoryOf } from "../memory-fixture.js";

const namespace = { userId: "ann", agentId: "one" };
const call = endlessCall;

it("DeleteWhere deletes 10,000 memories, but refuses to delete 10,001; a dry run counts 10,001", async () => {
  const store = createInMemoryStore();
  const memories = createMemoryService({
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }),
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    timer: createManualTimer(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock: { nowMs: () => 1000 },
    ids: createIdSource(),
    allowReset: false,
  });
  await store.update(scopeOf(namespace), async (tx) => {
    for (let i = 0; i <= deleteWhereMax; i++)
      await insertMemory(
        tx,
        namespace,
        memoryOf({ id: `m${i}`, tags: ["many"] }),
        undefined,
        undefined,
      );
  });
  const filter = { tagsAny: ["many"] };
  const { deleted, sampleIds } = await memories.deleteWhere(
    { namespace, filter, dryRun: true },
    call,
  );
  expect({ deleted, samples: sampleIds.length }).toEqual({
    deleted: deleteWhereMax + 1,
    samples: 10,
  });
  await expect(
    memories.deleteWhere({ namespace, filter, dryRun: false }, call),
  ).rejects.toMatchObject({
    code: "FAILED_PRECONDITION",
    reason: "TOO_MANY_MATCHES",
    fields: [{ field: "filter" }],
  });
  expect(await memories.delete({ namespace, id: "m7" }, call)).toEqual({ deleted: true });
  const { reply, turns } = await withTurns(() =>
    memories.deleteWhere({ namespace, filter, dryRun: false }, call),
  );
  expect(reply).toMatchObject({ deleted: deleteWhereMax });
  // Other calls got a turn between many small steps.
  expect(turns).toBeGreaterThan(8);
  expect(
    await memories.getAll(
      { namespace, limit: 1, filter: {}, pageToken: "", includeSuperseded: true },
      call,
    ),
  ).toMatchObject({
    memories: [],
  });
});
