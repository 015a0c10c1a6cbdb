import { createConnectTransport } from "@connectrpc/connect-web";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/** Connect over `fetch`. The browser decides which certificates to trust. */
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
