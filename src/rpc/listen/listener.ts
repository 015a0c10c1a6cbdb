import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { type Address, formatAddress } from "../../edge/address.js";
import { trackOpen } from "./track-open.js";

/** An open port that accepts calls. */
export interface Listener {
  /** `host:port` with the port that is open. */
  readonly address: string;
  /**
   * Refuses new calls, gives calls in flight up to `graceMs` to finish, then cancels them. Resolves
   * when all sockets are closed.
   */
  stop(graceMs: number): Promise<void>;
}

/** How a server ends the connections of a listener that stops. */
export interface Drain {
  /** Refuses new calls, and closes each connection once it is idle. */
  begin(graceMs: number): void;
  /** Cancels the calls that are left, and signals this to their clients. */
  cancel(): void;
}

/** Time for clients to close their sockets after their calls were cancelled. */
const socketGraceMs = 500;

/**
 * Opens a port for a server of sockets.
 *
 * @throws Error of the system when the port cannot be opened
 */
export async function openListener(
  server: Server,
  { host, port }: Address,
  drain: Drain,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => trackOpen(sockets, socket));
  server.listen(port, host);
  await once(server, "listening");
  return {
    address: formatAddress({ host, port: (server.address() as AddressInfo).port }),
    stop: async (graceMs) => {
      const closed = once(server, "close");
      server.close();
      drain.begin(graceMs);
      const cancel = setTimeout(() => drain.cancel(), graceMs);
      const destroy = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs + socketGraceMs);
      await closed;
      clearTimeout(cancel);
      clearTimeout(destroy);
    },
  };
}
