import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "#gen/grpc/health/v1/health_pb.js";
import { allMethods } from "../../e2e/isolation/services.js";
import { describeOver } from "../../over-protocols.js";
import { containing } from "../matchers.js";
import { protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";
import { nextOf } from "../streams.js";
import { startTestRpcServer, useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();
const serviceName = "vademecum.v1.MemoryProvider";
const ownServices = new Set((await allMethods()).map(({ parent }) => parent.typeName));

describeOver("health", protocols, (protocol) => {
  it("health returns the status of the server and of each service", async () => {
    const server = serve();
    onTestFinished(() => server.setServing(true));
    const health = createClient(Health, protocol().connect(server));
    for (const service of ["", serviceName]) {
      expect(await health.check({ service })).toMatchObject({ status: ServingStatus.SERVING });
    }
    server.setServing(false);
    for (const service of ["", serviceName]) {
      expect(await health.check({ service })).toMatchObject({ status: ServingStatus.NOT_SERVING });
    }
    const { statuses } = await health.list({});
    expect(Object.keys(statuses).sort()).toEqual(
      ["", "vademecum.writes", ...ownServices].toSorted(),
    );
    expect(statuses[serviceName]?.status).toBe(ServingStatus.NOT_SERVING);
  });

  it("while the disk is full, only the health of writes is NOT_SERVING, and a watch tells its end", async () => {
    const server = serve();
    onTestFinished(() => server.setWrites("ok"));
    const health = createClient(Health, protocol().connect(server));
    const service = "vademecum.writes";
    const stopping = new AbortController();
    const watch = health.watch({ service }, { signal: stopping.signal })[Symbol.asyncIterator]();
    expect(await nextOf(watch)).toMatchObject({ status: ServingStatus.SERVING });
    server.setWrites("disk_full");
    expect(await nextOf(watch)).toMatchObject({ status: ServingStatus.NOT_SERVING });
    expect(await health.check({ service: "" })).toMatchObject({ status: ServingStatus.SERVING });
    const response = await fetch(`http://${server.httpAddress}/healthz`);
    expect(await response.json()).toEqual({ status: "SERVING", writes: "disk_full" });
    server.setWrites("ok");
    expect(await nextOf(watch)).toMatchObject({ status: ServingStatus.SERVING });
    stopping.abort();
  });

  it("health answers a check of an unknown service with SERVICE_NOT_FOUND", async () => {
    const health = createClient(Health, protocol().connect(serve()));
    const failure = await failureOf(health.check({ service: "vademecum.v1.Nothing" }));
    expect(failure).toMatchObject({
      code: "NotFound",
      reason: "SERVICE_NOT_FOUND",
      message: containing(serviceName),
    });
  });

  it("health streams each change to a watcher, and NOT_SERVING before the server stops", async () => {
    const server = await startTestRpcServer();
    const watch = createClient(Health, protocol().connect(server))
      .watch({ service: serviceName })
      [Symbol.asyncIterator]();
    const next = async () => (await nextOf(watch))?.status;
    expect(await next()).toBe(ServingStatus.SERVING);
    server.setServing(false);
    expect(await next()).toBe(ServingStatus.NOT_SERVING);
    server.setServing(true);
    expect(await next()).toBe(ServingStatus.SERVING);
    const stopped = server.stop(60_000);
    expect(await next()).toBe(ServingStatus.NOT_SERVING);
    expect(await next()).toBeUndefined();
    await stopped;
  });

  it("health streams SERVICE_UNKNOWN to a watcher of an unknown service, and no other status until the server stops", async () => {
    const server = await startTestRpcServer();
    const health = createClient(Health, protocol().connect(server));
    const watch = health.watch({ service: "other" })[Symbol.asyncIterator]();
    expect((await nextOf(watch))?.status).toBe(ServingStatus.SERVICE_UNKNOWN);
    const end = nextOf(watch);
    let hasEnded = false;
    void end.then(() => {
      hasEnded = true;
    });
    server.setServing(false);
    await health.check({});
    expect(hasEnded).toBe(false);
    await server.stop(60_000);
    expect(await end).toBeUndefined();
  });
});
