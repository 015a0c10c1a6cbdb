import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { Health, HealthCheckResponseSchema } from "#gen/grpc/health/v1/health_pb.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { anonymous } from "../../../src/core/model/principal.js";
import type { EndedCall } from "../../../src/core/ports/ended-call.js";
import { createCallLines } from "../../../src/rpc/logs/call-lines.js";
import { describeOver } from "../../over-protocols.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { startProbeServer } from "../probe-server.js";
import { protocols } from "../protocols.js";
import { failureOf } from "../rpc-failure.js";

const call: EndedCall = {
  ...{ path: "/Search", code: "OK", durationMs: 3, peer: "127.0.0.1:5000" },
  requestId: "r-1",
  ...{ kind: "unary", mayLast: false, waitedMs: 0, workedMs: 0, rows: 0 },
  ...{ principal: { ...anonymous, name: "key:ann" }, requestBytes: 12, replyBytes: 345 },
};

/** Creates lines for calls from 100 ms on, and a list of the logged lines. */
function createLines(isLevelEnabled = () => true) {
  const logged: object[] = [];
  const timer = createManualTimer();
  const at = (level: string) => (facts: object, msg: string) =>
    void logged.push({ level, ...facts, msg });
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), isLevelEnabled };
  const lines = createCallLines({ log: log as never, timer, slowCallMs: 100 });
  return { logged, timer, lines };
}

it("a slow call is logged with its caller and sizes, a watch is not", () => {
  const { logged, lines } = createLines();
  lines.note({ ...call, durationMs: 123.456 });
  lines.note({ ...call, durationMs: 123.456, mayLast: true });
  expect(logged).toEqual([
    {
      ...{ level: "warn", msg: "a call was slow", method: "/Search", code: "OK" },
      ...{ principal: "key:ann", peer: "127.0.0.1:5000", durationMs: 123.5, requestId: "r-1" },
      ...{ requestBytes: 12, replyBytes: 345 },
    },
    expect.objectContaining({ level: "debug", msg: "a call ended" }),
  ]);
});

it("a call without a line costs nothing: its facts are read only at level debug", () => {
  const read: string[] = [];
  const watched = new Proxy(call, {
    get: (target, name) => {
      read.push(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  createLines(() => false).lines.note(watched);
  expect(read).not.toContain("principal");
  createLines().lines.note(watched);
  expect(read).toContain("principal");
});

it.each([
  ["UNAVAILABLE", "warn"],
  ["RESOURCE_EXHAUSTED", "warn"],
  ["INVALID_ARGUMENT", "info"],
  ["NOT_FOUND", "info"],
  // These have lines of their own.
  ["INTERNAL", "debug"],
  ["PERMISSION_DENIED", "debug"],
  ["CANCELLED", "debug"],
  ["OK", "debug"],
] as const)("a call that ends with %s is logged at level %s", (code, level) => {
  const { logged, lines } = createLines();
  lines.note({ ...call, code });
  expect(logged).toEqual([expect.objectContaining({ level, code })]);
});

it("at most ten lines of an RPC and code are logged in a second, and then one line counts the rest", () => {
  const { logged, timer, lines } = createLines();
  for (let i = 0; i < 12; i++) lines.note({ ...call, code: "UNAVAILABLE" });
  lines.note({ ...call, code: "NOT_FOUND" });
  timer.pass(1000);
  expect(logged).toHaveLength(12);
  expect(logged.at(-1)).toEqual({
    ...{ level: "warn", msg: "further calls failed or were slow" },
    ...{ code: "UNAVAILABLE", method: "/Search", omitted: 2 },
  });
});

describeOver("an ended call", protocols, (protocol) => {
  it("is observed once, with its code, reason, caller and sizes", async () => {
    const calls: EndedCall[] = [];
    const server = await startProbeServer(
      {
        check: async ({ service }) => {
          if (service === "bad") throw new VademecumError("NOT_FOUND", "UNKNOWN_SERVICE", "no");
          return create(HealthCheckResponseSchema, { status: 1 });
        },
        watch: async function* () {
          yield create(HealthCheckResponseSchema, { status: 1 });
        },
      },
      undefined,
      undefined,
      undefined,
      (ended) => calls.push(ended),
    );
    const health = createClient(Health, protocol().connect(server));
    await health.check({ service: "good" });
    await failureOf(health.check({ service: "bad" }));
    for await (const _ of health.watch({}));
    expect(calls).toMatchObject([
      { path: "/grpc.health.v1.Health/Check", code: "OK", mayLast: false },
      { path: "/grpc.health.v1.Health/Check", code: "NOT_FOUND", reason: "UNKNOWN_SERVICE" },
      { path: "/grpc.health.v1.Health/Watch", code: "OK", mayLast: true },
    ]);
    const [answered] = calls;
    expect(answered?.principal?.name).toBe(anonymous.name);
    expect(answered?.requestBytes).toBeGreaterThan(0);
    expect(answered?.replyBytes).toBeGreaterThan(0);
    expect(answered?.peer).toMatch(/^127\.0\.0\.1:\d+$/);
  });
});
