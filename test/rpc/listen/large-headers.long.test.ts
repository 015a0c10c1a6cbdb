import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { startProbeServer } from "../probe-server.js";
import { grpcFrame, sendHttp2 } from "../raw-http2.js";

const path = "/grpc.health.v1.Health/Check";
const large = "x".repeat(64 * 1024);

async function expectServing(address: string): Promise<void> {
  const { headers } = await sendHttp2(
    `http://${address}`,
    { ":path": path, "content-type": "application/grpc" },
    grpcFrame(Buffer.alloc(0)),
  );
  expect(headers[":status"]).toBe(200);
}

it("a request with headers of 64 KB is refused over HTTP/1.1, and other requests are served", async () => {
  const { httpAddress } = await startProbeServer({});
  const [host = "", port] = httpAddress.split(":");
  const socket = connect({ host, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Large: ${large}\r\nContent-Type: application/json\r\n` +
      "Content-Length: 2\r\n\r\n{}",
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
  await expectServing(httpAddress);
});

it.each(["grpcAddress", "httpAddress"] as const)(
  "a request with headers of 64 KB is refused over HTTP/2 at %s",
  async (listener) => {
    let calls = 0;
    const address = (
      await startProbeServer({
        check: async () => {
          calls += 1;
          throw new Error("the call must not arrive");
        },
      })
    )[listener];
    const session = connectHttp2(`http://${address}`);
    session.on("error", () => undefined);
    onTestFinished(() => session.destroy());
    await once(session, "remoteSettings");
    const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc" };
    const stream = session.request({ ...headers, "x-large": large });
    stream.on("error", () => undefined);
    stream.end(grpcFrame(Buffer.alloc(0)));
    stream.resume();
    let status: unknown;
    stream.on("response", (received) => {
      status = received[":status"];
    });
    await new Promise((resolve) => stream.once("close", resolve));
    expect(calls).toBe(0);
    expect([undefined, 431]).toContain(status);
  },
);
