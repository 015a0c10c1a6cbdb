import { once } from "node:events";
import { createServer } from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { runCommand } from "../../cli/run-command.js";
import { failureOf } from "../harness/failure.js";
import { createUserClient } from "../harness/user-client.js";
import {
  adminOf,
  ann,
  connect,
  declareTool,
  ends,
  memoriesOn,
  query,
  rangeOfAnn,
  sendTo,
  serve,
  servePair,
  turn,
} from "./two-servers.js";

describe("forwarded calls", () => {
  it("a stub without a client of ours and a JSON request reach a moved user", async () => {
    const { old, current } = await servePair();
    await memoriesOn(current).add("tea");
    const reply = await fetch(`${old.httpUrl}/vademecum.v1.MemoryProvider/GetAll`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ namespace: ann }),
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ memories: [{ content: "tea" }] });
  });

  it("a query that cannot be read fails alone", async () => {
    const { old, current } = await servePair();
    await declareTool(current);
    await memoriesOn(current).add("tea with milk");
    const queries = [
      { ...query("good"), memoryType: "MEMORY_TYPE_EPISODIC" },
      { ...query("bad"), memoryType: "MEMORY_TYPE_EPISODIC", filter: 7 },
    ];
    const reply = await fetch(`${old.httpUrl}/vademecum.v1.ToolService/QueryMemory`, {
      method: "POST",
      headers: { "content-type": "application/connect+json" },
      body: envelope({ ...turn, queries }),
    });
    const results = messagesIn(Buffer.from(await reply.arrayBuffer()));
    const countOf = (id: string) =>
      results.find(({ result }) => result?.queryId === id)?.result?.returnedResults;
    expect([countOf("good"), countOf("bad")]).toEqual([1, 0]);
  });

  it("notes of a run that has moved are read and written through the old server", async () => {
    const { old, current } = await servePair();
    const through = createClient(KeyValueService, connect(old).transport);
    await through.writeKey({ runId: "r", key: "k", value: "v" });
    const direct = createClient(KeyValueService, connect(current).transport);
    expect(await direct.readKey({ runId: "r", key: "k" })).toMatchObject({ value: "v" });
    const dispatch = createClient(ToolService, connect(old).transport);
    expect(
      await dispatch.dispatch({ runId: "r", toolName: "read", arguments: { key: "k" } }),
    ).toMatchObject({ result: "v" });
  });

  it("a watch ends when its user moves, and the next watch follows the user at the new server", async () => {
    const [old, current] = [await serve(), await serve()];
    const watches = createClient(ProposalService, connect(old).transport);
    const edits = createUserClient(connect(old), ann);
    await edits.put("tea with milk");
    await edits.proposed({ old: "milk", new: "lemon" });
    const first = watches.watchProposals({ userId: "ann" })[Symbol.asyncIterator]();
    await first.next();
    const ending = failureOf(first.next());
    const move = ["move", "--from", old.grpcUrl, "--to", current.grpcUrl];
    expect((await runCommand(move)).exitCode).toBe(0);
    expect(await ending).toMatchObject({ reason: "MOVED" });
    const next = createUserClient(connect(old), ann).watch();
    await next.next();
    const proposed = next.next();
    const id = await edits.proposed({ old: "tea", new: "coffee" });
    expect((await proposed).id).toBe(id);
    next.end();
  });

  it("the deadline of a call goes with it", async () => {
    const old = await serve();
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    ends.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    await sendTo(adminOf(old), `http://127.0.0.1:${port}`, rangeOfAnn);
    const { provider } = memoriesOn(old);
    const failure = await failureOf(provider.getAll({ namespace: ann }, { timeoutMs: 300 }));
    expect(failure).toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });

  it("two servers that name each other answer NOT_SERVING, and a retry may help", async () => {
    const [one, other] = [await serve(), await serve()];
    await sendTo(adminOf(one), other.grpcUrl);
    await sendTo(adminOf(other), one.grpcUrl);
    const error = ConnectError.from(
      await memoriesOn(one)
        .list()
        .catch((cause: unknown) => cause),
    );
    expect(error.code).toBe(Code.Unavailable);
    expect(error.findDetails(RetryInfoSchema)[0]?.retryDelay).toMatchObject({
      seconds: 0n,
      nanos: 200_000_000,
    });
    expect(await failureOf(memoriesOn(one).list())).toMatchObject({ reason: "NOT_SERVING" });
  });

  it("data that moved on twice is reached through the first server", async () => {
    const [one, two, three] = [await serve(), await serve(), await serve()];
    await sendTo(adminOf(one), two.grpcUrl);
    await sendTo(adminOf(two), three.grpcUrl);
    await memoriesOn(one).add("tea");
    expect(await memoriesOn(three).contents()).toEqual(["tea"]);
  });

  it("a server that does not answer is named in the error", async () => {
    const old = await serve();
    await sendTo(adminOf(old), "http://127.0.0.1:1");
    const failure = await failureOf(memoriesOn(old).list());
    expect(failure).toMatchObject({ code: "UNAVAILABLE", reason: "NOT_SERVING" });
    expect(failure.message).toContain("http://127.0.0.1:1");
  });
});

/** Returns a message as Connect sends it in a stream. */
function envelope(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.byteLength, 1);
  return Buffer.concat([head, body]);
}

/** A message of QueryMemory, or the end of the stream. */
interface StreamedResult {
  readonly result?: { readonly queryId: string; readonly returnedResults: number };
}

function messagesIn(bytes: Buffer): readonly StreamedResult[] {
  const messages: StreamedResult[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + 5 + bytes.readUInt32BE(start + 1);
    messages.push(JSON.parse(bytes.toString("utf8", start + 5, end)) as StreamedResult);
    start = end;
  }
  return messages;
}
