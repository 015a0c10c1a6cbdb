import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AddBatchRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { grpcFrame } from "../raw-http2.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const itemCount = 10_000;
const request = grpcFrame(
  toBinary(
    AddBatchRequestSchema,
    create(AddBatchRequestSchema, {
      clientId: "x",
      add: { namespace: { userId: "ann", agentId: "cook" }, content: "x".repeat(200) },
    }),
  ),
);

describe.each(["grpcAddress", "httpAddress"] as const)("a batch at %s", (listener) => {
  it("a batch takes no further items while its client reads no replies, and all of them once it reads", async () => {
    let stored = 0;
    // Long ids, because the server may buffer some 64 KiB of replies.
    const rest = { outcome: "ADDED", commitSeq: 1n } as const;
    const add = async () => ({ id: `${++stored}`.padStart(500, "0"), ...rest });
    const server = await startTestRpcServer({ openBatch: () => ({ add }) });
    const session = connectHttp2(`http://${server[listener]}`, {
      settings: { initialWindowSize: 0 },
    });
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ":method": "POST",
      ":path": "/vademecum.v1.MemoryProvider/AddBatch",
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.end(Buffer.concat(Array.from({ length: itemCount }, () => request)));
    await vi.waitFor(() => expect(stored).toBeGreaterThan(500), { timeout: 20_000 });
    // A hundred pings are time enough to store thousands of items.
    for (let ping = 0; ping < 100; ping++)
      await new Promise((resolve) => session.ping((...answer) => resolve(answer)));
    expect(stored).toBeLessThan(2_000);

    stream.resume();
    session.settings({ initialWindowSize: 2 ** 20 });
    await once(stream, "end");
    expect(stored).toBe(itemCount);
  });
});
