import { once } from "node:events";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { type ProbeAddresses, startProbeServer } from "../probe-server.js";

const path = "/grpc.health.v1.Health/Check";
const timedOut = /REQUEST_TIMEOUT|did not arrive within 0.03 s/;

let server: ProbeAddresses;
beforeEach(async () => {
  server = await startProbeServer({}, { firstMs: 30, nextMs: 30_000 });
});

/**
 * Sends the beginning of a call over HTTP/2 and leaves it open. Returns what the server answers.
 */
async function openCall(
  address: string,
  contentType: string,
  begin: Uint8Array,
): Promise<{ readonly status: string; readonly body: string }> {
  const session = connectHttp2(`http://${address}`);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": contentType,
      te: "trailers",
    });
    let fields: IncomingHttpHeaders = {};
    const add = (received: IncomingHttpHeaders) => {
      fields = { ...fields, ...received };
    };
    stream.on("response", add).on("trailers", add);
    if (begin.byteLength > 0) stream.write(begin);
    const closed = once(stream, "close");
    const body = await text(stream);
    // The client's side of the stream is still open, so the server resets the stream after its
    // answer.
    await closed;
    return { status: String(fields["grpc-status"] ?? fields[":status"]), body };
  } finally {
    session.destroy();
  }
}

/** The prefix of a message of 100 bytes, and the first byte of the message. */
const beginning = Buffer.from([0, 0, 0, 0, 100, 1]);

describe("a call whose request does not arrive", () => {
  it.each([
    ["no message", Buffer.alloc(0)],
    ["the beginning of its message", beginning],
  ])(
    "a late request ends with DEADLINE_EXCEEDED on the gRPC listener, after %s",
    async (_, begin) => {
      const { status } = await openCall(server.grpcAddress, "application/grpc", begin);
      expect(status).toBe("4");
    },
  );

  it.each([
    ["no message", Buffer.alloc(0)],
    ["the beginning of its message", beginning],
  ])(
    "a late request ends with DEADLINE_EXCEEDED over gRPC on the HTTP listener, after %s",
    async (_, begin) => {
      const { status } = await openCall(server.httpAddress, "application/grpc", begin);
      expect(status).toBe("4");
    },
  );

  it("a late request ends with DEADLINE_EXCEEDED over JSON and HTTP/2", async () => {
    const { status, body } = await openCall(
      server.httpAddress,
      "application/json",
      Buffer.from('{"serv'),
    );
    expect(status).toBe("504");
    expect(body).toMatch(timedOut);
  });

  it("a late request ends with DEADLINE_EXCEEDED over JSON and HTTP/1.1", async () => {
    const [host, port] = server.httpAddress.split(":");
    const socket = connect(Number(port), host);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 100\r\n\r\n{"serv',
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 504 /);
    socket.destroy();
  });
});
