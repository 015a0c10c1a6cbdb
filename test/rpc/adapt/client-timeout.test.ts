import { createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { limitTimeout } from "../../../src/rpc/adapt/client-timeout.js";
import { describeOver } from "../../over-protocols.js";
import { protocols } from "../protocols.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const dayMs = 24 * 60 * 60 * 1000;

it.each([
  ["connect-timeout-ms", String(dayMs), String(dayMs)],
  ["connect-timeout-ms", String(dayMs + 1), String(dayMs)],
  ["connect-timeout-ms", "9999999999", String(dayMs)],
  ["connect-timeout-ms", "99999999999", "99999999999"],
  ["connect-timeout-ms", "soon", "soon"],
  ["grpc-timeout", "24H", "24H"],
  ["grpc-timeout", "25H", "86400S"],
  ["grpc-timeout", "99999999H", "86400S"],
  ["grpc-timeout", "99999999m", "86400S"],
  ["grpc-timeout", "99999999u", "99999999u"],
  ["grpc-timeout", "1D", "1D"],
])("%s %s becomes %s", (name, given, expected) => {
  const header = new Headers({ [name]: given });
  limitTimeout(header);
  expect(header.get(name)).toBe(expected);
});

const serve = useTestRpcServer();

describeOver("a call with a deadline in a month", protocols, (protocol) => {
  it("a call with a deadline in a month is answered", async () => {
    const health = createClient(Health, protocol().connect(serve()));
    const timeoutMs = 30 * dayMs;
    await expect(health.check({}, { headers: timeoutHeaders(timeoutMs) })).resolves.toBeDefined();
  });
});

it("a call over JSON with the longest timeout that a header can hold is answered", async () => {
  const response = await fetch(`http://${serve().httpAddress}/grpc.health.v1.Health/Check`, {
    method: "POST",
    headers: { "content-type": "application/json", "connect-timeout-ms": "9999999999" },
    body: "{}",
  });
  expect(await response.json()).toEqual({ status: "SERVING" });
});

/** Returns a deadline as the headers of all protocols. Clients set no timer for it. */
function timeoutHeaders(ms: number): Record<string, string> {
  return { "connect-timeout-ms": String(ms), "grpc-timeout": `${ms / 1000}S` };
}
