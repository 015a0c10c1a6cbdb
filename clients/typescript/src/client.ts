import { createTransport } from "#transport";
import { Calls } from "./calls.js";
import { resolveConnection } from "./connection-settings.js";
import { Handles } from "./handles/handles.js";
import type { TlsOptions } from "./transport-options.js";

/** Options for a connection. */
export interface ConnectOptions {
  /**
   * The API key or token for a server with credentials. The client sends a key only over TLS or to
   * the same machine. An empty key means no key. Default, in Node: the key in the variable
   * `VADEMECUM_API_KEY`, or in the file that `VADEMECUM_API_KEY_FILE` names.
   */
  readonly key?: string;
  /**
   * True for TLS, an object for TLS with settings, false for plaintext. Default, in Node: TLS if
   * `VADEMECUM_TLS_CA` or `VADEMECUM_TLS_CERT` is set, else plaintext.
   */
  readonly tls?: boolean | TlsOptions;
  /** Timeout of calls in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

/**
 * Returns a client for a server. The first call opens the connection.
 *
 * @param address host and port of the server's HTTP listener, such as `127.0.0.1:8080`
 * @throws TypeError when the address or an option is invalid
 * @throws TypeError when a certificate comes without its key, or a key without its certificate
 * @throws TypeError when the client would send a key in plaintext to another machine
 * @throws TypeError when an environment variable names a file that cannot be read, or when a
 *   certificate or a private key is not in PEM form
 */
export function connect(
  address: string,
  { key, tls, timeoutMs = defaultTimeoutMs }: ConnectOptions = {},
): Client {
  const settings = resolveConnection(address, { key, tls });
  return new Client(new Calls(createTransport(settings), settings.key, timeoutMs));
}

/** The name of the method with which Node shows a value, for example in `console.log`. */
const inspect = Symbol.for("nodejs.util.inspect.custom");

/** A connection to a server. */
export class Client extends Handles {
  /** Returns the address of the server, without the key. */
  override toString(): string {
    return `Client(${this.calls.host})`;
  }

  [inspect](): string {
    return this.toString();
  }

  /** Closes the connection. Running calls and later calls fail with CANCELLED. */
  close(): void {
    this.calls.close();
  }
}
