import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { headersTimeoutMs } from "../limits.js";
import { type TlsSource, tlsOptionsOf } from "./tls-identity.js";

/** The protocols of a port. */
export interface SocketServerOptions {
  /** Absent: plaintext. */
  readonly tls?: TlsSource | undefined;
  /** Names of the protocols that TLS clients may choose, the preferred one first. */
  readonly protocols: readonly string[];
  /** Keep a connection open for writing when the client has ended its side. */
  readonly allowHalfOpen?: boolean;
}

/**
 * Creates the server of a port's connections. `onSocket` gets each connection, after its TLS
 * handshake. New TLS identities count for new connections.
 */
export function createSocketServer(
  { tls, protocols, allowHalfOpen = false }: SocketServerOptions,
  onSocket: (socket: Socket) => void,
): Server {
  const options = { allowHalfOpen, noDelay: true };
  if (tls === undefined) return createNetServer(options, onSocket);
  const server = createTlsServer(
    {
      ...options,
      ...tlsOptionsOf(tls.current),
      ALPNProtocols: [...protocols],
      handshakeTimeout: headersTimeoutMs,
    },
    onSocket,
  );
  tls.onChange((identity) => server.setSecureContext(tlsOptionsOf(identity)));
  return server;
}
