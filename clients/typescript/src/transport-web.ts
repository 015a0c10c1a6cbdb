import { createConnectTransport } from "@connectrpc/connect-web";
import type { OpenTransport, TransportOptions } from "./transport-options.js";

/** Connect over `fetch`. Which certificates to trust is the browser's business. */
export function createTransport({ baseUrl }: TransportOptions): OpenTransport {
  return {
    transport: createConnectTransport({ baseUrl }),
    isConnectionFailure,
    close: () => undefined,
  };
}

/** `fetch` has no other error for it. */
function isConnectionFailure(cause: unknown): boolean {
  return cause instanceof TypeError;
}
