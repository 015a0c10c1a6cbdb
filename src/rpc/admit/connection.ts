import { constants, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { type ClientUse, countedMs } from "./client-use.js";
import { OpenReply, type ReplyParts, type ReplyStream } from "./open-reply.js";
import { SwapList } from "./swap-list.js";

/** Time for a client to close its side of a connection that the server has closed. */
const closeMs = 1_000;

/** A connection of a client, to either listener. */
export class Connection {
  /** What all clients of the connection's address use. */
  readonly use: ClientUse;
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer: string;
  #socket: Socket;
  readonly #parts: ReplyParts;
  readonly #replies = new SwapList<OpenReply>();
  readonly #resetAtMs: number[] = [];
  #session: ServerHttp2Session | undefined;
  #idleSinceMs: number;
  #pingAtMs = Infinity;
  #isPinged = false;
  #isSecure = false;
  #isKnown = false;
  #isRefused = false;
  #closesAtMs = Infinity;

  constructor(socket: Socket, use: ClientUse, parts: ReplyParts) {
    this.#socket = socket;
    this.use = use;
    this.peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.#parts = parts;
    this.#idleSinceMs = parts.nowMs();
  }

  /**
   * Whether the connection is closed. Also true while it closes, because Node ends the streams of a
   * session before the socket.
   */
  get isLost(): boolean {
    return this.#socket.destroyed || this.#session?.destroyed === true;
  }

  /** The replies whose streams are open. */
  get replies(): Iterable<OpenReply> {
    return this.#replies;
  }

  /** Whether the TLS handshake is done. */
  get isSecure(): boolean {
    return this.#isSecure;
  }

  /** Sets the TLS socket of the connection. Closing it also closes the socket below it. */
  secure(socket: Socket): void {
    this.#socket = socket;
    this.#isSecure = true;
  }

  /** Notes that the connection speaks HTTP/2. From now on, `check` pings the client. */
  startSession(session: ServerHttp2Session): void {
    this.#session = session;
    this.#pingAtMs = this.#parts.nowMs() + this.#parts.limits.pingMs;
  }

  /**
   * Returns the reply of a request that begins; `undefined` if the connection has too many open
   * replies.
   */
  openReply(stream: ReplyStream): OpenReply | undefined {
    if (this.#replies.size >= this.#parts.limits.connectionCalls) return undefined;
    const reply = new OpenReply(this.#parts, this, stream);
    this.#replies.add(reply);
    return reply;
  }

  /** Notes that the stream of a reply is closed. */
  closeReply(reply: OpenReply): void {
    reply.close();
    this.#replies.delete(reply);
    if (this.#replies.size === 0) this.#idleSinceMs = this.#parts.nowMs();
  }

  /**
   * Counts a stream that the client has reset before the request was complete. Returns whether
   * there are too many such streams.
   */
  countReset(): boolean {
    const now = this.#parts.nowMs();
    this.#resetAtMs.push(now);
    while ((this.#resetAtMs[0] ?? now) <= now - countedMs) this.#resetAtMs.shift();
    return this.#resetAtMs.length > this.#parts.limits.resets;
  }

  /**
   * Pings the client if the last ping is long enough ago. Closes the connection if it is idle for
   * too long, or if the client does not answer a ping.
   */
  check(idleMs: number): void {
    const now = this.#parts.nowMs();
    if (now >= this.#closesAtMs) this.#socket.destroy();
    else if (this.#replies.size === 0 && now - this.#idleSinceMs >= idleMs) this.#close();
    else if (now >= this.#pingAtMs) this.#ping();
  }

  /** Whether `refuse` was called. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Notes that a call with valid credentials came over the connection. */
  noteCredentials(): void {
    if (this.#isKnown || this.isLost) return;
    this.#isKnown = true;
    this.use.known++;
  }

  /** Notes that the connection is closed. */
  forget(): void {
    if (this.#isKnown) this.use.known--;
    this.#isKnown = false;
  }

  /** Drops the connection because the client misbehaves, and tells the client so. */
  refuse(): void {
    this.#isRefused = true;
    if (this.#session === undefined) this.#socket.destroy();
    else this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#closesAtMs = this.#parts.nowMs() + closeMs;
  }

  /**
   * Asks the client to close, and closes the server's side. Drops the connection a little later.
   */
  #close(): void {
    if (this.#closesAtMs < Infinity) return;
    this.#closesAtMs = this.#parts.nowMs() + closeMs;
    if (this.#session === undefined) this.#socket.end();
    else this.#session.close();
  }

  #ping(): void {
    const { pingMs } = this.#parts.limits;
    if (this.#isPinged) {
      this.#socket.destroy();
      return;
    }
    this.#isPinged = true;
    this.#pingAtMs = this.#parts.nowMs() + pingMs / 3;
    this.#session?.ping((error) => {
      if (error !== null) return;
      this.#isPinged = false;
      this.#pingAtMs = this.#parts.nowMs() + pingMs;
    });
  }
}
