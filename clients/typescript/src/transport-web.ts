import { createConnectTransport } from "@connectrpc/connect-web";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/**
 * Creates a transport for the protocol Connect over `fetch`. The browser decides which certificates
 * to trust.
 */
export function createTransport({ baseUrl }: TransportOptions): OpenTransport {
  return {
    transport: createConnectTransport({ baseUrl }),
    isConnectionFailure,
    close: () => undefined,
  };
}

/** `fetch` reports every connection failure as a TypeError. */
function isConnectionFailure(cause: unknown): boolean {
  return cause instanceof TypeError;
}
