import { beforeEach, describe, expect, it } from "vitest";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createManualTimer, type ManualTimer } from "../../server/manual-timer.js";

const namespace = { userId: "u1", agentId: "a1" };

let store: Store;
let timer: ManualTimer;

beforeEach(async () => {
  store = createInMemoryStore("epoch");
  timer = createManualTimer();
  await store.update(scopeOf(namespace), async (tx) => {
    for (const id of ["s1", "s2"]) {
      tx.put("skillUses", namespace, id, {
        successCount: 1,
        failureCount: 2,
        lastUsedTime: instantOfMillis(1000),
      });
    }
  });
});

function open(over: Store = store, failures: unknown[] = []) {
  return createSkillUses({ store: over, timer, onFailure: (error) => failures.push(error) });
}

/** Reads the number of commits, and the use time of each skill in milliseconds. */
async function readStore() {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const usedMs: Record<string, number> = {};
  for await (const [id, { lastUsedTime }] of snapshot.scan("skillUses", namespace))
    usedMs[id] = lastUsedTime.seconds * 1000;
  return { seq: snapshot.head.seq, usedMs };
}

describe("use times of skills", () => {
  it("use times of skills are collected for a second and written in one commit", async () => {
    const uses = open();
    uses.note(namespace, ["s1"], 5000);
    timer.pass(999);
    uses.note(namespace, ["s1", "s2"], 6000);
    expect(await readStore()).toEqual({ seq: 1, usedMs: { s1: 1000, s2: 1000 } });
    timer.pass(1);
    await uses.close();
    expect(await readStore()).toEqual({ seq: 2, usedMs: { s1: 6000, s2: 6000 } });
    expect(timer.waiting).toEqual([]);
  });

  it("flushing the use times of skills writes them at once, and only once", async () => {
    const uses = open();
    uses.note(namespace, ["s1"], 5000);
    await uses.flush(namespace);
    expect(await readStore()).toEqual({ seq: 2, usedMs: { s1: 5000, s2: 1000 } });
    expect(timer.waiting).toEqual([]);
    await uses.close();
    expect((await readStore()).seq).toBe(2);
  });

  it("use times of skills never move back, and create no record for a deleted skill", async () => {
    const uses = open();
    uses.note(namespace, ["s1", "gone"], 500);
    await uses.close();
    expect((await readStore()).usedMs).toEqual({ s1: 1000, s2: 1000 });
  });

  it("use times of skills are lost when their write fails, and the failure is reported", async () => {
    const failures: unknown[] = [];
    const broken = new Error("the disk is full");
    const uses = open({ ...store, update: () => Promise.reject(broken) }, failures);
    uses.note(namespace, ["s1"], 5000);
    await uses.flush(namespace);
    expect(failures).toEqual([broken]);
  });
});
