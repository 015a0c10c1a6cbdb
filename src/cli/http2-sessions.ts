import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { Http2SessionManager } from "@connectrpc/connect-node";

/**
 * The HTTP/2 sessions with one server. A session that fails ends its calls, but not the process.
 *
 * Node reports the failure of a session to its streams first, and to the session when its socket
 * closes. Between the two reports, a command whose call has failed calls `abort`. The base class
 * then stops listening, so the second report would end the process with an uncaught exception.
 */
export class Http2Sessions extends Http2SessionManager {
  readonly #known = new WeakSet<ClientHttp2Session>();

  override async request(
    ...call: Parameters<Http2SessionManager["request"]>
  ): Promise<ClientHttp2Stream> {
    const stream = await super.request(...call);
    const { session } = stream;
    if (session !== undefined && !this.#known.has(session as ClientHttp2Session)) {
      this.#known.add(session as ClientHttp2Session);
      session.on("error", () => undefined);
    }
    return stream;
  }
}
