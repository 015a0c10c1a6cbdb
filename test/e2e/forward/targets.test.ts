import { describe, expect, it } from "vitest";
import { runCommand } from "../../cli/run-command.js";
import { failureOf } from "../harness/failure.js";
import {
  adminOf,
  ann,
  bob,
  memoriesOn,
  rangeOfAnn,
  sendTo,
  serve,
  servePair,
} from "./two-servers.js";

describe("a server that may not forward", () => {
  it("--on-moved refuse answers MOVED with the new address", async () => {
    const { old, current } = await servePair({ "on-moved": "refuse" });
    expect(await failureOf(memoriesOn(old).list())).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "MOVED",
      metadata: { address: current.grpcUrl },
    });
    const [reply] = await memoriesOn(old).addBatch([
      { clientId: "1", add: { namespace: ann, content: "tea" } },
    ]);
    expect(reply?.result.case).toBe("error");
  });

  it("users move only to addresses of --move-targets, and over a network only with TLS", async () => {
    const admin = adminOf(await serve({ "move-targets": "10.0.0.2:50051,127.0.0.1:7" }));
    for (const [movedTo, problem] of [
      ["http://127.0.0.1:8", "not in the list --move-targets"],
      ["https://10.0.0.3:50051", "not in the list --move-targets"],
      ["http://10.0.0.2:50051", "must begin with https://"],
    ] as const) {
      const failure = await failureOf(admin.holdWrites({ listOnly: true, movedTo }));
      expect(failure).toMatchObject({ reason: "MOVE_TARGET_REFUSED" });
      expect(failure.message).toContain(problem);
      const { holdId } = await admin.holdWrites({ range: {} });
      expect(await failureOf(admin.holdWrites({ range: {}, holdId, movedTo }))).toMatchObject({
        reason: "MOVE_TARGET_REFUSED",
      });
    }
    for (const movedTo of ["https://10.0.0.2:50051", "http://127.0.0.1:7"])
      expect((await admin.holdWrites({ listOnly: true, movedTo })).moves).toEqual([]);
  });

  it("a move is refused before it begins when a server does not list the other one", async () => {
    const [old, current] = [await serve({ "move-targets": "127.0.0.1:1" }), await serve()];
    const refused = await runCommand([
      ...["move", "--from", old.grpcUrl, "--to", current.grpcUrl, "--json"],
    ]);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      reason: "MOVE_TARGET_REFUSED",
      side: "from",
    });
  });
});

describe("calls over all users", () => {
  it("Prune and Reset count the users that have moved, and name their servers", async () => {
    const [old, current] = [await serve({ "allow-reset": "true" }), await serve()];
    await memoriesOn(old).add("tea");
    await memoriesOn(old, bob).add("coffee");
    const admin = adminOf(old);
    expect(await admin.prune({})).toMatchObject({ movedUsers: 0n, movedTo: [] });
    await sendTo(admin, current.grpcUrl, rangeOfAnn);
    const left = { movedUsers: 1n, movedTo: [current.grpcUrl] };
    expect(await admin.prune({})).toMatchObject(left);
    const { provider } = memoriesOn(old);
    const reset = { target: { case: "everything", value: true } } as const;
    expect(await provider.reset(reset)).toMatchObject({ deleted: 1n, ...left });
  });
});
