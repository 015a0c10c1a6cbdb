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

/** A client of the server at an address: host and port of its HTTP listener, such as `127.0.0.1:8080`. It connects with its first call. */
export function connect(address: string, { key, tls = false, timeoutMs = defaultTimeoutMs }: ConnectOptions = {}): Client {
  const baseUrl = `${tls === false ? "http" : "https"}://${address}`;
  const { transport, close } = createTransport({ baseUrl, tls: typeof tls === "boolean" ? undefined : tls });
  const calls = new Calls(transport, key, timeoutMs);
  const closeAll = () => {
    calls.cancelAll();
    close();
  };
  return new Client(calls, closeAll);
}

/** A connection to a server. */
export class Client extends Handles {
  readonly #close: () => void;

  constructor(calls: Calls, close: () => void) {
    super(calls);
    this.#close = close;
  }

  /** Ends the connection, and calls that are running: they fail with CANCELLED. */
  close(): void {
    this.#close();
  }
}
