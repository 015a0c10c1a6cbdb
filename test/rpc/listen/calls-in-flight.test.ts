import { createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../deferred.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const namespace = { userId: "ann", agentId: "cook" };

describeOver("a server without room for the messages of further calls", protocols, (protocol) => {
  it("a server without room for more messages lets some calls wait, refuses others, and answers health checks", async () => {
    const [started, finish] = [createDeferred(), createDeferred()];
    const server = await startTestRpcServer(
      {
        get: async () => {
          started.resolve();
          await finish.promise;
          return { memory: memoryOf(), namespace };
        },
      },
      undefined,
      {},
      { callBytes: 1, waitingCalls: 1 },
    );
    const client = memoryProviderClient(server, protocol());
    const first = client.get({ namespace, id: "m1" });
    await started.promise;
    const second = client.get({ namespace, id: "m1" });
    const third = client.get({ namespace, id: "m1" });
    const outcomes = Promise.allSettled([second, third]);
    // Of the second and the third call, the server lets the first to arrive wait, and refuses the
    // other.
    expect(await failureOf(Promise.race([second, third]))).toMatchObject({
      code: "ResourceExhausted",
      reason: "OVERLOADED",
      retryDelay: { seconds: 1n, nanos: 0 },
    });
    const health = createClient(Health, protocol().connect(server));
    await health.check({});
    finish.resolve();
    expect((await first).memory?.id).toBe("m1");
    expect((await outcomes).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
