import { createTransport } from "#transport";
import { Calls } from "./calls.js";
import { resolveConnection } from "./connection-settings.js";
import { Handles } from "./handles/handles.js";
import { Routes } from "./routes.js";
import type { TlsOptions } from "./transport-options.js";

/** Options for a connection. */
export interface ConnectOptions {
  /**
   * The API key or token, for a server with credentials. A key is sent only over TLS, or to this
   * machine. An empty key sends none. Default, in Node: that of `VADEMECUM_API_KEY`, or of the file
   * that `VADEMECUM_API_KEY_FILE` names.
   */
  readonly key?: string;
  /**
   * True for TLS, or TLS settings; false for plaintext. Default, in Node: TLS if
   * `VADEMECUM_TLS_CA`, or `VADEMECUM_TLS_CERT` and `VADEMECUM_TLS_KEY`, name PEM files.
   */
  readonly tls?: boolean | TlsOptions;
  /** Default timeout of a call in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

/**
 * Returns a client for the server at an address: the host and port of its HTTP listener, such as
 * `127.0.0.1:8080`. The first call opens the connection.
 *
 * @throws TypeError when the address, the key or a certificate is invalid, when a file cannot be
 * read, or when the key would cross a network in plaintext
 */
export function connect(
  address: string,
  { key, tls, timeoutMs = defaultTimeoutMs }: ConnectOptions = {},
): Client {
  const settings = resolveConnection(address, { key, tls });
  const openAt = (other: string) => createTransport(resolveConnection(other, { key, tls }));
  const routes = new Routes(createTransport(settings), openAt);
  return new Client(new Calls(routes, settings.key, timeoutMs));
}

/** A connection to a server. */
export class Client extends Handles {
  /** Closes the connection. Running calls and later ones fail with CANCELLED. */
  close(): void {
    this.calls.close();
  }
}
