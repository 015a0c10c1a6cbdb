import { createConnectTransport } from "@connectrpc/connect-web";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/**
 * Creates a transport for the protocol Connect over `fetch`. It has no TLS settings: the browser
 * decides which certificates to trust.
 */
export function createTransport({ baseUrl }: TransportOptions): OpenTransport {
  return {
    transport: createConnectTransport({ baseUrl }),
    baseUrl,
    advice: " Also check that the server allows the origin of this page (--http-allow-origin).",
    isConnectionFailure,
    close: () => undefined,
  };
}

/** Whether an error is a TypeError, which `fetch` throws for every connection failure. */
function isConnectionFailure(cause: unknown): boolean {
  return cause instanceof TypeError;
}
