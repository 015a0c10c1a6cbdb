import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";

/** An address that no machine has: it is reserved for documentation. */
const unusedAddress = "192.0.2.1";

/**
 * Starts a listener that looks like a server on another machine, and counts its connections. The
 * returned address is a network address of this machine. If this machine has none, the returned
 * address is one that no machine has.
 */
export async function startRemoteListener() {
  const counts = { connections: 0 };
  const host = Object.values(networkInterfaces())
    .flat()
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  const server = createServer((socket) => {
    counts.connections += 1;
    socket.destroy();
  });
  server.listen(0, host ?? "127.0.0.1");
  await once(server, "listening");
  return {
    address: `${host ?? unusedAddress}:${server.address().port}`,
    counts: () => counts,
    close: () => server.close(),
  };
}
