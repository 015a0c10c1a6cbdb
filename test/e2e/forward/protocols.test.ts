import { Code, createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { runCommand } from "../../cli/run-command.js";
import { describeOver } from "../../over-protocols.js";
import { failureOf } from "../harness/failure.js";
import { collect } from "../harness/namespace-client.js";
import { protocols } from "../harness/protocols.js";
import {
  adminOf,
  ann,
  bob,
  connect,
  declareTool,
  memoriesOn,
  query,
  rangeOfAnn,
  sendTo,
  serve,
  servePair,
  turn,
} from "./two-servers.js";

describeOver("a moved user is served through the old server", protocols, (protocol) => {
  it("unary calls about a moved user are answered by the new server", async () => {
    const { old, current, admin } = await servePair();
    const through = memoriesOn(old, ann, protocol());
    const { id, commitSeq } = await through.add("tea with milk");
    expect(await memoriesOn(current).contents()).toEqual(["tea with milk"]);
    const found = await through.search("milk", { minCommitSeq: commitSeq });
    expect(found.contents).toEqual(["tea with milk"]);
    expect((await through.get(id)).content).toBe("tea with milk");
    expect((await admin.holdWrites({ listOnly: true })).forwardedCalls).toBe(3n);
  });

  it("users who have not moved are still served by the old server", async () => {
    const { old, current, admin } = await servePair();
    await memoriesOn(old, bob, protocol()).add("coffee");
    expect(await memoriesOn(current, bob).contents()).toEqual([]);
    expect((await admin.holdWrites({ listOnly: true })).forwardedCalls).toBe(0n);
  });

  it("a stream of replies about a moved user comes from the new server", async () => {
    const { old, current } = await servePair();
    await memoriesOn(current).add("tea with milk");
    await declareTool(current);
    const through = createClient(ToolService, connect(old, protocol()).transport);
    const replies = await collect(through.queryMemory({ ...turn, queries: [query("q")] }));
    const found = replies.flatMap(({ result }) => result?.results ?? []);
    expect(found.map(({ memory }) => memory?.content)).toEqual(["tea with milk"]);
  });

  it("an error of the new server reaches the caller with all its details", async () => {
    const { old, current } = await servePair();
    const ends = [memoriesOn(old, ann, protocol()), memoriesOn(current, ann, protocol())];
    for (const call of [
      (client: (typeof ends)[number]) => client.get("unknown"),
      (client: (typeof ends)[number]) => client.page({ pageToken: "wrong" }),
    ]) {
      const [through, direct] = await Promise.all(ends.map((client) => failureOf(call(client))));
      expect(through).toEqual(direct);
    }
  });

  it("a retry through the old server after the move stores nothing twice", async () => {
    const [old, current] = [await serve(), await serve()];
    const through = memoriesOn(old, ann, protocol());
    const { id } = await through.add("tea", { idempotencyKey: "k" });
    const move = ["move", "--from", old.grpcUrl, "--to", current.grpcUrl];
    expect((await runCommand(move)).exitCode).toBe(0);
    expect((await through.add("tea", { idempotencyKey: "k" })).id).toBe(id);
    expect(await through.contents()).toEqual(["tea"]);
  });
});

describeOver(
  "a batch with items of a moved user",
  protocols.filter(({ duplex }) => duplex),
  (protocol) => {
    it("each item goes to the server of its user, and the answers keep their order", async () => {
      const { old, current } = await servePair();
      const items = Array.from({ length: 50 }, (_, index) => ({
        clientId: String(index),
        add: { namespace: index % 2 === 0 ? ann : bob, content: `memory ${index}` },
      }));
      const replies = await memoriesOn(old, ann, protocol()).addBatch([
        ...items,
        { clientId: "invalid", add: { namespace: ann, content: "" } },
        { clientId: "empty" },
      ]);
      expect(replies.map(({ clientId }) => clientId)).toEqual([
        ...items.map(({ clientId }) => clientId),
        "invalid",
        "empty",
      ]);
      expect(replies.map(({ result }) => result.case)).toEqual([
        ...items.map(() => "id"),
        "error",
        "error",
      ]);
      expect((await memoriesOn(current).contents()).length).toBe(25);
      expect((await memoriesOn(old, bob).contents()).length).toBe(25);
    });

    it("a batch that began before its user moved goes on at the new server", async () => {
      const [old, current] = [await serve(), await serve()];
      const { provider } = memoriesOn(old, ann, protocol());
      let stored: () => void = () => undefined;
      const firstIsStored = new Promise<void>((resolve) => {
        stored = resolve;
      });
      const items = (async function* () {
        yield { clientId: "1", add: { namespace: ann, content: "one" } };
        await firstIsStored;
        const move = ["move", "--from", old.grpcUrl, "--to", current.grpcUrl];
        expect((await runCommand(move)).exitCode).toBe(0);
        yield { clientId: "2", add: { namespace: ann, content: "two" } };
      })();
      const outcomes: (string | undefined)[] = [];
      for await (const { result } of provider.addBatch(items)) {
        outcomes.push(result.case);
        stored();
      }
      expect(outcomes).toEqual(["id", "id"]);
      expect(await memoriesOn(current).contents()).toEqual(["two", "one"]);
    });

    it("if the new server does not answer, only the items of its users fail", async () => {
      const old = await serve();
      await sendTo(adminOf(old), "http://127.0.0.1:1", rangeOfAnn);
      const replies = await memoriesOn(old, ann, protocol()).addBatch([
        { clientId: "1", add: { namespace: ann, content: "lost" } },
        { clientId: "2", add: { namespace: bob, content: "kept" } },
      ]);
      expect(replies.map(({ result }) => result.case)).toEqual(["error", "id"]);
      expect(replies[0]?.result.value).toMatchObject({ code: Code.Unavailable });
    });
  },
);
