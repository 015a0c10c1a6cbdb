import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Connection } from "../admit/connection.js";
import type { Traffic } from "../admit/traffic.js";
import { type TlsSource, tlsOptionsOf } from "./tls-identity.js";

/** The protocols of a port, and the limits on its connections. */
export interface SocketServerOptions {
  readonly traffic: Traffic;
  /** Source of the TLS identity. Absent: the server's connections are plaintext. */
  readonly tls?: TlsSource | undefined;
  /** Names of the protocols that TLS clients may choose, the preferred one first. */
  readonly protocols: readonly string[];
  /** Whether a connection stays open for writing when the client has ended its side. */
  readonly allowHalfOpen?: boolean;
}

type TakeSocket = (socket: Socket, connection: Connection) => void;

/**
 * Creates the server that accepts the connections of a port. `take` gets each connection, after its
 * TLS handshake. Connections beyond the limits are closed immediately. A new TLS identity applies
 * to new connections.
 */
export function createSocketServer(options: SocketServerOptions, take: TakeSocket): Server {
  const { allowHalfOpen = false } = options;
  const { connections } = options.traffic;
  const begin = options.tls === undefined ? take : shakeHands(options, options.tls, take);
  return createNetServer({ allowHalfOpen, noDelay: true }, (socket) => {
    const connection = connections.open(socket);
    if (connection === undefined) socket.destroy();
    else begin(socket, connection);
  });
}

/** Returns a function that passes connections on to `take` after their TLS handshakes. */
function shakeHands(
  {
    traffic: {
      connections,
      limits: { headersMs },
    },
    protocols,
  }: SocketServerOptions,
  tls: TlsSource,
  take: TakeSocket,
): TakeSocket {
  const server = createTlsServer(
    {
      ...tlsOptionsOf(tls.current),
      ALPNProtocols: [...protocols],
    },
    (socket) => {
      const connection = connections.find(socket);
      if (connection === undefined) {
        socket.destroy();
        return;
      }
      connection.secure(socket);
      take(socket, connection);
    },
  );
  // Node leaves the connection of a failed handshake open.
  server.on("tlsClientError", (_, socket) => socket.destroy());
  tls.onChange((identity) => server.setSecureContext(tlsOptionsOf(identity)));
  return (socket, connection) => {
    server.emit("connection", socket);
    // Node's own limit begins again with each byte of the client.
    const timer = setTimeout(() => {
      if (!connection.isSecure) socket.destroy();
    }, headersMs);
    socket.once("close", () => clearTimeout(timer));
  };
}
