import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createTraffic } from "../../../src/rpc/admit/traffic.js";
import { createSocketServer } from "../../../src/rpc/listen/socket-server.js";
import { openSocket, patient } from "../raw-connections.js";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "tls");
const identity = {
  certPem: readFileSync(join(fixtures, "cert.pem"), "utf8"),
  keyPem: readFileSync(join(fixtures, "key.pem"), "utf8"),
};

it.each([
  ["sends nothing", ""],
  ["sends a part of its first message", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["sends something else", "GET / HTTP/1.1\r\n\r\n"],
])("a TLS connection is closed when its client %s", async (_, bytes) => {
  const traffic = createTraffic({ headersMs: 20 });
  const tls = { current: identity, onChange: () => undefined };
  const options = { traffic, tls, protocols: ["h2"], allowHalfOpen: true };
  const server = createSocketServer(options, () => expect.unreachable("no handshake was done"));
  onTestFinished(() => {
    server.close();
    traffic.stop();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = await openSocket(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  socket.write(Buffer.from(bytes, "latin1"));
  await once(socket, "close");
  await vi.waitFor(() => expect(traffic.connections.size).toBe(0), patient);
});
