import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { connectionsMax } from "../limits.js";
import { trackOpen } from "./track-open.js";

/** Where to listen. Port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Certificate chain and key, in PEM. */
export interface TlsIdentity {
  readonly certPem: string;
  readonly keyPem: string;
}

/** A port that takes calls. */
export interface Listener {
  /** Host and real port, as `host:port`. */
  readonly address: string;
  /** Takes no new calls, lets those in flight finish for up to `graceMs`, then cuts them. Resolves when all sockets are closed. */
  stop(graceMs: number): Promise<void>;
}

/** How the connections of a listener end. */
export interface Drain {
  /** Takes no new calls; closes what is idle, and the rest as it becomes so. */
  begin(graceMs: number): void;
  /** Ends what is left, in a way that tells the clients. */
  cut(): void;
}

/** How long the sockets of clients that do not answer stay open after they were told that their calls were cut. */
const socketGraceMs = 500;

/** Opens a port for a server of sockets. @throws if it cannot be opened */
export async function openListener(
  server: Server,
  { host, port }: ListenAddress,
  drain: Drain,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => trackOpen(sockets, socket));
  server.maxConnections = connectionsMax;
  server.listen(port, host);
  await once(server, "listening");
  return {
    address: formatAddress({ host, port: (server.address() as AddressInfo).port }),
    stop: async (graceMs) => {
      const closed = once(server, "close");
      server.close();
      drain.begin(graceMs);
      const cut = setTimeout(() => drain.cut(), graceMs);
      const destroy = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs + socketGraceMs);
      await closed;
      clearTimeout(cut);
      clearTimeout(destroy);
    },
  };
}

/** `host:port`, with brackets around an IPv6 address. */
function formatAddress({ host, port }: ListenAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
