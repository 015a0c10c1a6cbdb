import { createTransport } from "#transport";
import { Calls } from "./calls.js";
import { Handles } from "./handles/handles.js";
import type { TlsOptions } from "./transport-options.js";

/** Options for a connection. */
export interface ConnectOptions {
  /** The API key, if the server requires one. Without TLS, the key can be read on the network. */
  readonly key?: string;
  /** True for TLS with default settings, or TLS settings. Default false. */
  readonly tls?: boolean | TlsOptions;
  /** Default timeout of a call in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

/**
 * Returns a client for the server at an address: the host and port of its HTTP listener, such as
 * `127.0.0.1:8080`. The first call opens the connection.
 *
 * @throws TypeError when the address or the key is invalid
 */
export function connect(
  address: string,
  { key, tls = false, timeoutMs = defaultTimeoutMs }: ConnectOptions = {},
): Client {
  const baseUrl = `${tls === false ? "http" : "https"}://${address}`;
  if (address.includes("://") || !URL.canParse(baseUrl))
    throw new TypeError(
      `address: is ${JSON.stringify(address)} and must be a host and port, such as 127.0.0.1:8080`,
    );
  if (key !== undefined && !/^[\x20-\x7e]*$/.test(key))
    throw new TypeError("key: must contain only printable ASCII characters, without a line break");
  return new Client(
    new Calls(
      createTransport({ baseUrl, tls: typeof tls === "boolean" ? undefined : tls }),
      key,
      timeoutMs,
    ),
  );
}

/** A connection to a server. */
export class Client extends Handles {
  /** Closes the connection. Running calls and later ones fail with CANCELLED. */
  close(): void {
    this.calls.close();
  }
}
