import { describe, expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { type Quota, smallerQuota } from "../../../src/core/model/quota.js";
import { withinQuota } from "../../../src/core/requests/within-quota.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../../contract/sample-records.js";

const namespace = { userId: "kim", agentId: "a" };
const scope = userScope("kim");

/** Returns an empty store, and functions that add and remove keys and memories under a quota. */
function createUser() {
  const store = createInMemoryStore();
  const key = (length: number, name: string) => name.padEnd(length, "-");
  const write = (quota: Quota, add: readonly number[], remove: readonly string[] = []) =>
    store.update(scope, (tx) =>
      withinQuota(tx, scope, quota, async () => {
        for (const name of remove) tx.delete("timeline", namespace, name);
        for (const [at, length] of add.entries())
          tx.put("timeline", namespace, key(length, `${length} ${at} `), null);
      }),
    );
  const bytes = async () => (await store.update(scope, (tx) => tx.usage())).result.bytes;
  const addMemories = (quota: Quota, ...ids: string[]) =>
    store.update(scope, (tx) =>
      withinQuota(tx, scope, quota, async () => {
        for (const id of ids) tx.put("memories", namespace, id, sampleMemory(id, id));
      }),
    );
  return { store, write, bytes, addMemories };
}

const exceeded = { code: "RESOURCE_EXHAUSTED", reason: "QUOTA_EXCEEDED", retryAfterMs: undefined };

describe("a quota", () => {
  it("a user may fill the quota to the last byte, but not exceed it by one byte", async () => {
    const { write, bytes } = createUser();
    await write({ bytes: 100 }, [60]);
    await expect(write({ bytes: 100 }, [41])).rejects.toMatchObject({
      ...exceeded,
      quotas: [
        { subject: "user:kim", description: "the user would hold 101 bytes; the quota is 100" },
      ],
      metadata: { quota: "bytes", limit: "100" },
    });
    await write({ bytes: 100 }, [40]);
    expect(await bytes()).toBe(100);
  });

  it("a quota of memories refuses all memories of a call together", async () => {
    const { store, addMemories } = createUser();
    await expect(addMemories({ memories: 2 }, "1", "2", "3")).rejects.toMatchObject(exceeded);
    await addMemories({ memories: 2 }, "1", "2");
    await addMemories({ memories: 2 }, "2");
    await expect(addMemories({ memories: 2 }, "3")).rejects.toMatchObject(exceeded);
    await using snapshot = await store.snapshot(scope);
    expect(await snapshot.count("memories", namespace)).toBe(2);
  });

  it("a user above the quota may shrink or keep the size, but not grow", async () => {
    const { write, bytes } = createUser();
    await write({}, [300]);
    const name = "300 0 ".padEnd(300, "-");
    await write({ bytes: 100 }, [250], [name]);
    const shorter = "250 0 ".padEnd(250, "-");
    await write({ bytes: 100 }, [250], [shorter]);
    await expect(write({ bytes: 100 }, [290], [shorter])).rejects.toMatchObject(exceeded);
    expect(await bytes()).toBe(250);
  });

  it("a user who exceeds the quota by at most 64 KiB may still grow by 32 bytes, because an update may need them", async () => {
    const { write } = createUser();
    await write({}, [100]);
    const from = (length: number) => [`${length} 0 `.padEnd(length, "-")];
    await write({ bytes: 50 }, [132], from(100));
    await expect(write({ bytes: 50 }, [165], from(132))).rejects.toMatchObject(exceeded);
    await write({}, [50 + 64 * 1024], from(132));
    await expect(
      write({ bytes: 50 }, [60 + 64 * 1024], from(50 + 64 * 1024)),
    ).rejects.toMatchObject(exceeded);
  });

  it("two quotas combine to the smaller limit of memories and the smaller limit of bytes", () => {
    expect(smallerQuota({ memories: 3 }, { memories: 5, bytes: 7 })).toEqual({
      memories: 3,
      bytes: 7,
    });
    expect(smallerQuota({}, {})).toEqual({ memories: undefined, bytes: undefined });
  });
});
