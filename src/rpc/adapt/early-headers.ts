import type { HttpResponse } from "../http-messages.js";
import type { RpcMethod } from "./handler.js";

/** How long a stream that ends soon waits for its first message. */
const soonMs = 100;

/**
 * Sends the headers of a stream alone if its first message is late, because some clients wait for
 * the headers before they read, or before they send requests. A stream that ends soon gets a moment
 * first, because one packet with both costs less. Returns a function that cancels this.
 */
export function sendHeadersEarly({ kind, openEnded }: RpcMethod, send: () => void): () => void {
  if (openEnded || kind === "bidi_streaming") {
    send();
    return () => undefined;
  }
  const timer = setTimeout(send, soonMs);
  return () => clearTimeout(timer);
}

/** Sends the headers of a response now, instead of with the first chunk of its body. */
export function flushHeaders(response: HttpResponse, headers: Headers): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, Object.fromEntries(headers));
  if ("flushHeaders" in response) response.flushHeaders();
  // connect-node writes the headers again with the first chunk, which Node refuses.
  Reflect.set(response, "writeHead", () => response);
}
