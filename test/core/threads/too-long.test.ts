import { expect, test } from "vitest";
import { insertMemory } from "../../../src/core/memories/records.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { createThreadService } from "../../../src/core/threads/create-service.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { partsOver } from "../memories/service-parts.js";
import { memoryOf } from "../memory-fixture.js";
import { call, namespace } from "../search/search-service.js";

const turnsMax = 10_000;

async function threadOf(turns: number, content = "hello") {
  const store = createInMemoryStore();
  await store.update(scopeOf(namespace), async (tx) => {
    for (let at = 0; at < turns; at++) {
      const turn = memoryOf({
        ...{ id: `m${String(at).padStart(5, "0")}`, content, threadId: "long" },
        ...{ memoryType: "CONVERSATION", createTime: instantOfMillis(at) },
      });
      await insertMemory(tx, namespace, turn, undefined, undefined);
    }
  });
  return { store, threads: createThreadService(partsOver(store)) };
}

const tooLong = { code: "FAILED_PRECONDITION", reason: "THREAD_TOO_LONG", field: "thread_id" };

test("a thread of 10,001 turns is not cleared, replaced or copied, and stays as it is", async () => {
  const { store, threads } = await threadOf(turnsMax + 1);
  const thread = { namespace, threadId: "long" };
  const { seq } = await store.head(scopeOf(namespace));
  await expect(threads.clear(thread, call)).rejects.toMatchObject(tooLong);
  await expect(
    threads.replace(
      { ...thread, turns: [{ content: "new", tags: [], importance: 0.5, restricted: false }] },
      call,
    ),
  ).rejects.toMatchObject(tooLong);
  await expect(threads.fork({ ...thread, newThreadId: "copy" }, call)).rejects.toMatchObject(
    tooLong,
  );
  expect(await store.head(scopeOf(namespace))).toMatchObject({ seq });
  const { turns } = await threads.getTurns({ ...thread, limit: 1 }, call);
  expect(turns).toMatchObject([{ id: "m10000" }]);
  // The first part of it can be copied.
  const forked = await threads.fork({ ...thread, newThreadId: "copy", lastId: "m00002" }, call);
  expect(forked.turnCount).toBe(3);
});

test("a thread of 10,000 turns is cleared", async () => {
  const { threads } = await threadOf(turnsMax);
  expect(await threads.clear({ namespace, threadId: "long" }, call)).toEqual({ deleted: turnsMax });
});

test("a thread with more than 16 MiB of content is not copied", async () => {
  const { threads } = await threadOf(17, "x".repeat(1024 * 1024));
  const fork = { namespace, threadId: "long", newThreadId: "copy" };
  await expect(threads.fork(fork, call)).rejects.toMatchObject(tooLong);
});
