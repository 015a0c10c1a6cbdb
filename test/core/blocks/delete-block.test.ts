import { expect, it } from "vitest";
import { createBlockService } from "../../../src/core/blocks/create-service.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { withTurns } from "../event-loop-turns.js";

const userId = "ann";
const label = "notes";

it("other calls get their turn while a block with many versions is deleted", async () => {
  const versions = 40;
  const count = () => 1;
  const blocks = createBlockService({
    store: createInMemoryStore(),
    tokens: {
      count,
      countFramed: count,
      countInTurns: async () => 1,
      truncateInTurns: async (text) => text,
    },
    clock: { nowMs: () => 1_000 },
    wakeUps: createWakeUps(),
  });
  for (let i = 0; i < versions; i++)
    await blocks.put({ userId, label, body: `version ${i}`, writtenBy: "" });
  const { reply, turns } = await withTurns(() => blocks.delete({ userId, label }));
  expect(reply).toEqual({ deleted: true });
  expect(turns).toBeGreaterThan(versions / 4);
});
