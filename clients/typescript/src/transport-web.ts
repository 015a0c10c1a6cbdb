import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { TransportOptions } from "./transport-options.js";

/** Connect over `fetch`. Which certificates to trust is the browser's business. */
export function createTransport({ baseUrl }: TransportOptions): { transport: Transport; close(): void } {
  return { transport: createConnectTransport({ baseUrl }), close: () => undefined };
}
