import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { type RpcServerOptions, startRpcServer } from "../../src/rpc/rpc-server.js";
import { systemTimer } from "../../src/system/timer.js";
import { memoryOf } from "../core/memory-fixture.js";
import { describeOver } from "../over-protocols.js";
import { createDeferred } from "./deferred.js";
import { domainOf } from "./domain-double.js";
import { memoryProviderClient, protocols } from "./protocols.js";
import { failureOf } from "./rpc-failure.js";

const namespace = { userId: "ann", agentId: "cook" };
const domain = domainOf(() => ({ memories: { get: async () => memoryOf() } }));

/** Starts a server whose use cases load when the test says so. */
async function startLoading(more: Partial<RpcServerOptions> = {}) {
  const use = createDeferred<(tenant: string) => typeof domain>();
  const free = { host: "127.0.0.1", port: 0 };
  const log = pino({ level: "silent" });
  const server = await startRpcServer({
    loadDomains: () => use.promise,
    grpc: free,
    http: free,
    timer: systemTimer,
    log,
    ...more,
  });
  // Without this, Vitest would report an unhandled rejection before the test awaits the promise.
  for (const promise of [use.promise, server.loaded]) promise.catch(() => undefined);
  onTestFinished(() => server.stop(0));
  return { server, use };
}

describeOver("a server that has not loaded its use cases yet", protocols, (protocol) => {
  it("a server answers health checks before its use cases are loaded", async () => {
    const { server } = await startLoading();
    const health = createClient(Health, protocol().connect(server));
    const { status } = await health.check({ service: "vademecum.v1.MemoryProvider" });
    expect(status).toBe(HealthCheckResponse_ServingStatus.SERVING);
  });

  it("a call before the use cases are loaded is answered when they are loaded", async () => {
    const { server, use } = await startLoading();
    const transport = protocol().connect(server);
    const call = memoryProviderClient(server, protocol()).get({ namespace, id: "m1" });
    // When the server answers this later call, it has received the first call.
    await createClient(Health, transport).check({});
    use.resolve(() => domain);
    expect((await call).memory?.id).toBe("m1");
    await server.loaded;
  });

  it("a server validates a request that has waited for its use cases", async () => {
    const { server, use } = await startLoading();
    const call = failureOf(memoryProviderClient(server, protocol()).get({ namespace, id: "" }));
    use.resolve(() => domain);
    expect(await call).toMatchObject({ code: "InvalidArgument", reason: "INVALID_FIELD" });
  });

  it("a server refuses a caller without credentials before its use cases are loaded", async () => {
    const authenticator = { authenticate: () => undefined, onReview: () => undefined };
    const { server } = await startLoading({ authenticator });
    const call = memoryProviderClient(server, protocol()).get({ namespace, id: "m1" });
    expect(await failureOf(call)).toMatchObject({ code: "Unauthenticated" });
  });

  it("a call fails with INTERNAL if the use cases cannot be loaded, and health checks are answered", async () => {
    const { server, use } = await startLoading();
    const client = memoryProviderClient(server, protocol());
    const call = failureOf(client.get({ namespace, id: "m1" }));
    use.reject(new Error("a module is missing"));
    expect(await call).toMatchObject({ code: "Internal" });
    expect(await failureOf(client.get({ namespace, id: "m1" }))).toMatchObject({
      code: "Internal",
    });
    await createClient(Health, protocol().connect(server)).check({});
    await expect(server.loaded).rejects.toThrow("a module is missing");
  });
});

it("reflection is answered before the use cases are loaded", async () => {
  const { server } = await startLoading();
  const [grpc] = protocols;
  if (grpc === undefined) throw new Error("there is no protocol");
  const reflection = createClient(ServerReflection, grpc.connect(server));
  const requests = async function* () {
    yield { messageRequest: { case: "listServices" as const, value: "" } };
  };
  for await (const { messageResponse } of reflection.serverReflectionInfo(requests()))
    expect(messageResponse.case).toBe("listServicesResponse");
});
