import { beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { allSlots, lastSlot, slotOf } from "../../../src/core/model/slot-range.js";
import type { WriteHolds } from "../../../src/core/ports/holds.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createHeldStore, type MoveKeeper } from "../../../src/store/holds/held-store.js";
import { keepMovesInFile } from "../../../src/store/holds/keep-moves.js";
import { holdLifetimeMs, rangesMax } from "../../../src/store/holds/tenant-holds.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { collect, kim, notes } from "../../contract/store/context.js";

const address = "http://127.0.0.1:50052";
const held = { code: "UNAVAILABLE", reason: "WRITES_HELD", retryAfterMs: 200 };
const moved = { code: "FAILED_PRECONDITION", reason: "MOVED", metadata: { address } };
const notHeld = { code: "FAILED_PRECONDITION", reason: "NOT_HELD" };

let nowMs: number;
let content: string | undefined;
let inner: Store;
let store: Store;
let holds: WriteHolds;
let holdsOf: (tenant: string | undefined) => WriteHolds;

const keeper = (): MoveKeeper =>
  keepMovesInFile({
    read: async () => content,
    write: async (text) => {
      content = text;
    },
  });

async function open(): Promise<void> {
  ({ store, holdsOf } = await createHeldStore(inner, keeper(), { nowMs: () => nowMs }));
  holds = holdsOf(undefined);
}

beforeEach(async () => {
  nowMs = 1_000;
  content = undefined;
  inner = createInMemoryStore();
  await open();
});

const write = (scope: Scope = kim) =>
  store.update(scope, async (tx) =>
    tx.put("timeline", { ...notes, ...(scope.tenant && { tenant: scope.tenant }) }, "a", null),
  );

describe("the errors of holds and moves", () => {
  it.each([
    [kim, "this user"],
    [{ kind: "run", runId: "r" }, "this run"],
    [{ kind: "server" }, "the list of tool manifests"],
  ] as const)("errors of a hold or a move about %j name %s", async (scope, name) => {
    const { holdId } = await holds.hold(allSlots);
    await expect(write(scope)).rejects.toThrow(`writes of ${name} are held`);
    await holds.move(allSlots, holdId, { address });
    await expect(write(scope)).rejects.toThrow(`${name} has moved to ${address}`);
    await expect(holds.hold(allSlots)).rejects.toThrow(`a part of this range has moved to`);
  });
});

describe("a hold", () => {
  it("a hold refuses writes until its release, and lets reads through", async () => {
    await holds.hold(allSlots);
    await expect(write()).rejects.toMatchObject(held);
    await (await store.snapshot(kim))[Symbol.asyncDispose]();
    await holds.release(allSlots);
    await write();
  });

  it("a hold that is not renewed ends, and can then neither be renewed nor become a move", async () => {
    const { holdId, lifetimeMs } = await holds.hold(allSlots);
    expect(lifetimeMs).toBe(holdLifetimeMs);
    nowMs += holdLifetimeMs - 1;
    await holds.renew(allSlots, holdId);
    nowMs += holdLifetimeMs - 1;
    await expect(write()).rejects.toMatchObject(held);
    nowMs += 1;
    await write();
    await expect(holds.renew(allSlots, holdId)).rejects.toMatchObject(notHeld);
    await expect(holds.move(allSlots, holdId, { address })).rejects.toMatchObject(notHeld);
  });

  it("a hold that is handed over refuses everything, but lets reads through that are allowed, even after a restart", async () => {
    const { holdId } = await holds.hold(allSlots);
    const storeId = "store";
    await holds.handOver(allSlots, holdId, { address, storeId });
    nowMs += holdLifetimeMs;
    await open();
    expect(holds.routeOf(kim)).toEqual({ address, storeId, isHandingOver: true });
    expect(await holds.moves()).toEqual([{ ...allSlots, address, storeId, holdId }]);
    await expect(store.snapshot(kim)).rejects.toMatchObject(moved);
    await expect(write()).rejects.toMatchObject(moved);
    const ends = [holds.allowReads(kim), holds.allowReads(kim)];
    for (const end of ends) {
      await (await store.snapshot(kim))[Symbol.asyncDispose]();
      await expect(write()).rejects.toMatchObject(held);
      end();
    }
    await expect(store.snapshot(kim)).rejects.toMatchObject(moved);
    await holds.move(allSlots, holdId, { address, storeId });
    expect(holds.routeOf(kim)).toEqual({ address, storeId, isHandingOver: false });
    holds.allowReads(kim);
    await expect(store.snapshot(kim)).rejects.toMatchObject(moved);
  });

  it("a hold begins after the earlier writes are done", async () => {
    let end: () => void = () => undefined;
    const begun = store.update(kim, async (tx) => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      tx.put("timeline", notes, "a", null);
    });
    const order: string[] = [];
    const hold = holds.hold(allSlots).then(() => order.push("hold"));
    void begun.then(() => order.push("write"));
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    end();
    await hold;
    expect(order).toEqual(["write", "hold"]);
  });

  it("a hold covers the slots of its range and no others", async () => {
    const slot = slotOf(kim);
    await holds.hold({ first: 0, last: slot - 1 });
    await holds.hold({ first: slot + 1, last: lastSlot });
    await write();
    await holds.hold({ first: slot, last: slot });
    await expect(write()).rejects.toMatchObject(held);
    await holds.release({ first: slot, last: slot });
    await write();
  });

  it("a tenant has at most 1,024 ranges that are held or have moved, and can release them", async () => {
    const tenant = holdsOf("acme");
    for (let first = 0; first < rangesMax; first++) await tenant.hold({ first, last: first });
    const further = tenant.hold({ first: rangesMax, last: rangesMax });
    await expect(further).rejects.toMatchObject({ reason: "TOO_MANY_RANGES" });
    await holds.hold(allSlots);
    await tenant.hold({ first: 0, last: 0 });
    await tenant.release({ first: 0, last: 0 });
    await tenant.hold({ first: rangesMax, last: lastSlot });
    const within = { first: rangesMax + 1, last: rangesMax + 1 };
    await expect(tenant.release(within)).rejects.toMatchObject({ reason: "TOO_MANY_RANGES" });
    await tenant.release(allSlots);
  });

  it("a hold of one tenant lets other tenants write", async () => {
    await holdsOf("acme").hold(allSlots);
    await write();
    await expect(write({ ...kim, tenant: "acme" })).rejects.toMatchObject(held);
  });

  it("a hold stays in force when an earlier change of another range cannot be stored", async () => {
    const half = Math.floor(lastSlot / 2);
    const [lower, upper] = [
      { first: 0, last: half },
      { first: half + 1, last: lastSlot },
    ];
    let failSave: (error: Error) => void = () => undefined;
    const failing = new Promise<never>((_, reject) => {
      failSave = reject;
    });
    let saving: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      saving = resolve;
    });
    const failingKeeper: MoveKeeper = {
      load: async () => [],
      save() {
        saving();
        return failing;
      },
    };
    ({ store, holdsOf } = await createHeldStore(inner, failingKeeper, { nowMs: () => nowMs }));
    holds = holdsOf(undefined);
    const { holdId } = await holds.hold(lower);
    const move = holds.move(lower, holdId, { address });
    await hasBegun;
    const hold = holds.hold(upper);
    failSave(new Error("the disk is full"));
    await expect(move).rejects.toThrow("the disk is full");
    const { holdId: kept } = await hold;
    expect(await holds.renew(upper, kept)).toMatchObject({ holdId: kept });
  });
});

describe("a move", () => {
  it("a move sends every use of its scopes to the new address, and hides the scopes from listings", async () => {
    await write();
    const { holdId } = await holds.hold(allSlots);
    expect(await holds.move(allSlots, holdId, { address })).toEqual({
      holdId,
      lifetimeMs: undefined,
    });
    nowMs += 10 * holdLifetimeMs;
    await expect(write()).rejects.toMatchObject(moved);
    await expect(store.snapshot(kim)).rejects.toMatchObject(moved);
    expect(await collect(store.namespaces())).toEqual([]);
    expect(await holds.moves()).toEqual([{ ...allSlots, address }]);
    expect(await holdsOf("acme").moves()).toEqual([]);
    await expect(holds.hold({ first: 5, last: 6 })).rejects.toMatchObject(moved);
  });

  it("a move survives a restart, and can be released as a whole or in parts", async () => {
    await write();
    const { holdId } = await holds.hold(allSlots);
    await holds.move(allSlots, holdId, { address });
    await open();
    await expect(write()).rejects.toMatchObject(moved);
    const slot = slotOf(kim);
    await holds.release({ first: slot, last: slot });
    await open();
    await write();
    expect(await holds.moves()).toEqual([
      { first: 0, last: slot - 1, address },
      { first: slot + 1, last: lastSlot, address },
    ]);
    await holds.release(allSlots);
    expect(await holds.moves()).toEqual([]);
    expect(content).toBe("[]\n");
  });

  it("a move keeps the id of the store over a restart, and can get another address", async () => {
    const [lower, upper] = [
      { first: 0, last: 99 },
      { first: 100, last: lastSlot },
    ];
    for (const [range, storeId] of [
      [lower, "one"],
      [upper, "two"],
    ] as const) {
      const { holdId } = await holds.hold(range);
      await holds.move(range, holdId, { address, storeId });
    }
    const acme = holdsOf("acme");
    const { holdId } = await acme.hold(allSlots);
    await acme.move(allSlots, holdId, { address, storeId: "two" });
    await open();
    const other = "http://127.0.0.1:50053";
    await holds.changeAddress({ first: 0, last: 999 }, "two", other);
    await open();
    const moves = await holds.moves();
    expect(moves.toSorted((a, b) => a.first - b.first)).toEqual([
      { ...lower, address, storeId: "one" },
      { first: 100, last: 999, address: other, storeId: "two" },
      { first: 1000, last: lastSlot, address, storeId: "two" },
    ]);
    expect(await holdsOf("acme").moves()).toEqual([{ ...allSlots, address, storeId: "two" }]);
  });

  it("a move fails if it cannot be stored", async () => {
    const failing: MoveKeeper = {
      load: async () => [],
      save: () => Promise.reject(new Error("disk full")),
    };
    const { store: other, holdsOf: of } = await createHeldStore(inner, failing, {
      nowMs: () => nowMs,
    });
    const { holdId } = await of(undefined).hold(allSlots);
    await expect(of(undefined).move(allSlots, holdId, { address })).rejects.toThrow("disk full");
    await expect(
      other.update(kim, async (tx) => tx.put("timeline", notes, "a", null)),
    ).rejects.toMatchObject(held);
  });

  it("a store refuses to start with an unreadable file of moves", async () => {
    content = "{";
    await expect(open()).rejects.toMatchObject({ code: "DATA_LOSS", reason: "STORE_DAMAGED" });
  });
});
