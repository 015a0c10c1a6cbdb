import { constants, type ServerHttp2Stream } from "node:http2";
import { answeredStreamMs } from "../limits.js";

/**
 * Resets an HTTP/2 stream if its client is still sending one second after the whole answer was
 * sent. Otherwise the client could keep the stream open without limit. The delay lets clients such
 * as Node read the answer before the reset.
 */
export function closeOnceAnswered(stream: ServerHttp2Stream): void {
  stream.once("finish", () => {
    if (stream.readableEnded || stream.closed) return;
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), answeredStreamMs);
    stream.once("close", () => clearTimeout(timer));
  });
}
