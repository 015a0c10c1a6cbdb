import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { HoldWritesResponseSchema } from "#gen/vademecum/v1/backup_pb.js";
import { planRanges } from "../../src/cli/backups/move-plan.js";
import type { MoveAdmin } from "../../src/cli/backups/move-scopes.js";
import { allSlots, lastSlot } from "../../src/core/model/slot-range.js";

interface Moves {
  readonly storeId?: string;
  readonly moves?: readonly {
    readonly first: number;
    /** Default: the last slot. */
    readonly last?: number;
    readonly address: string;
    readonly storeId?: string;
  }[];
}

/** Returns the client of a server whose HoldWrites returns the given moves. */
function serverWith({ storeId = "", moves = [] }: Moves): MoveAdmin {
  const listed = moves.map(({ first, last = lastSlot, ...moved }) => ({
    ...moved,
    range: { first, last },
  }));
  const response = create(HoldWritesResponseSchema, { storeId, moves: listed });
  return { holdWrites: async () => response } as unknown as MoveAdmin;
}

const fromAddress = "http://10.0.0.1:50051";
const toAddress = "http://10.0.0.2:50051";
const address = "https://memory.example.com";

function planBetween(from: Moves, to: Moves, clientAddress?: string) {
  const ends = { from: serverWith(from), to: serverWith(to), fromAddress, toAddress };
  return planRanges({ ...ends, clientAddress });
}

describe("the plan of a move", () => {
  it("a move sends clients to the address of the target if no client address is known", async () => {
    expect(await planBetween({ storeId: "a" }, { storeId: "b" })).toMatchObject({
      left: [allSlots],
      open: [allSlots],
      misdirected: [],
      clientAddress: toAddress,
    });
  });

  it("a repeated move to the same store continues, even at another address of the store", async () => {
    const begun = { storeId: "a", moves: [{ first: 100, address, storeId: "b" }] };
    expect(await planBetween(begun, { storeId: "b" })).toMatchObject({
      left: [{ first: 0, last: 99 }],
      misdirected: [],
      clientAddress: address,
    });
    expect(await planBetween(begun, { storeId: "b" }, toAddress)).toMatchObject({
      misdirected: [{ first: 100, last: lastSlot }],
      clientAddress: toAddress,
    });
  });

  it("a repeated move releases the ranges for which each server sends clients to the other", async () => {
    const source = {
      storeId: "a",
      moves: [
        { first: 300, address, storeId: "b" },
        { first: 100, last: 299, address, storeId: "b" },
      ],
    };
    const target = { storeId: "b", moves: [{ first: 0, last: 199, address: fromAddress }] };
    expect(await planBetween(source, target)).toMatchObject({
      left: [{ first: 0, last: 99 }],
      open: [],
      unreleased: [{ first: 100, last: 199 }],
    });
  });

  it("a move compares addresses if a server does not name its store", async () => {
    const begun = { moves: [{ first: 100, address }] };
    await expect(planBetween(begun, { storeId: "b" })).rejects.toThrow(
      `--from: a part of its data has moved to ${address} already. To continue that move, name ` +
        "this address as --client-address",
    );
    expect(await planBetween(begun, { storeId: "b" }, address)).toMatchObject({ misdirected: [] });
    const moved = { moves: [{ first: 0, address }] };
    await expect(planBetween({}, moved)).rejects.toThrow(
      `--to: a part of its data has moved to ${address}. To move it back, name this address as ` +
        "--from",
    );
    const other = { moves: [{ first: 0, address: fromAddress }] };
    expect(await planBetween({}, other)).toMatchObject({ open: [] });
  });

  it("a move back is refused if its source is not the store to which the target's data has moved", async () => {
    const moved = { storeId: "b", moves: [{ first: 0, address: fromAddress, storeId: "c" }] };
    await expect(planBetween({ storeId: "a" }, moved)).rejects.toThrow(
      "the server of --from has another store",
    );
  });

  it("a move refuses two servers with the same store", async () => {
    await expect(planBetween({ storeId: "a" }, { storeId: "a" })).rejects.toThrow("the same data");
  });
});
