import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";

/** An address that is reserved for documentation. No machine has it. */
const unusedAddress = "192.0.2.1";

/**
 * Listens on an address that other machines can reach, if this machine has one, and counts the
 * connections.
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
