import { createTransport } from "#transport";
import { Calls } from "./calls.js";
import { Handles } from "./handles/handles.js";
import type { TlsOptions } from "./transport-options.js";

/** How to reach a server. */
export interface ConnectOptions {
  /** The key to show, if the server wants one. Without TLS it can be read on the way. */
  readonly key?: string;
  /** Whether to speak TLS, or how. Default false. */
  readonly tls?: boolean | TlsOptions;
  /** Milliseconds that a call may take unless it says otherwise. Default 30,000. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

/** A client of the server at an address: host and port of its HTTP listener, such as `127.0.0.1:8080`. It connects with its first call. Throws a TypeError for an address or a key that cannot be one. */
export function connect(
  address: string,
  { key, tls = false, timeoutMs = defaultTimeoutMs }: ConnectOptions = {},
): Client {
  const baseUrl = `${tls === false ? "http" : "https"}://${address}`;
  if (address.includes("://") || !URL.canParse(baseUrl))
    throw new TypeError(
      `address: must be host and port, such as 127.0.0.1:8080, and is ${JSON.stringify(address)}`,
    );
  if (key !== undefined && !/^[\x20-\x7e]*$/.test(key))
    throw new TypeError("key: must have printable ASCII characters only, and no line end");
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
  /** Ends the connection, and calls that are running: they and later ones fail with CANCELLED. */
  close(): void {
    this.calls.close();
  }
}
