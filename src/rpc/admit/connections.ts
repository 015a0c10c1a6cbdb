import type { Socket } from "node:net";
import { isLoopback } from "../../edge/address.js";
import { clientAddress } from "./client-address.js";
import { ClientUse } from "./client-use.js";
import { Connection } from "./connection.js";
import type { OpenReply, ReplyParts, ReplyStream } from "./open-reply.js";

/** Share of all open calls that the calls of one address may be. */
const addressShare = 2 / 3;

/** The open connections of both listeners, and what each address uses. */
export class Connections {
  readonly #parts: ReplyParts;
  readonly #open = new Map<string, Connection>();
  readonly #useOf = new Map<string, ClientUse>();
  #openCalls = 0;

  constructor(parts: ReplyParts) {
    this.#parts = parts;
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Number of requests whose replies are not completely sent. */
  get openCalls(): number {
    return this.#openCalls;
  }

  /**
   * Counts a connection that a client has opened. Returns `undefined` if the connection exceeds a
   * limit; the caller must then close it.
   */
  open(socket: Socket): Connection | undefined {
    const { limits, nowMs } = this.#parts;
    const remote = socket.remoteAddress ?? "";
    const address = clientAddress(remote);
    const isForwarder = limits.forwarders.has(address) || limits.forwarders.has(remote);
    const use =
      this.#useOf.get(address) ?? new ClientUse(isForwarder, isLoopback({ host: remote }));
    if (this.#open.size >= limits.connections) return undefined;
    if (use.isLimited(limits)) {
      if (use.connections >= limits.connectionsPerAddress) return undefined;
      if (use.isBarred(nowMs())) return undefined;
    }
    const connection = new Connection(socket, use, this.#parts);
    const key = keyOf(socket);
    this.#open.set(key, connection);
    this.#useOf.set(address, use);
    use.connections++;
    socket.once("close", () => {
      this.#open.delete(key);
      use.connections--;
      connection.forget();
    });
    return connection;
  }

  /** Returns the connection of a TLS socket, by the addresses of the underlying socket. */
  find(socket: Socket): Connection | undefined {
    return this.#open.get(keyOf(socket));
  }

  /**
   * Opens the reply of a request that begins. Returns `undefined` if its connection, its address or
   * all addresses together have too many open calls.
   */
  openReply(connection: Connection, stream: ReplyStream): OpenReply | undefined {
    const { limits } = this.#parts;
    const { use } = connection;
    if (this.#openCalls >= limits.openCalls) return undefined;
    if (use.isLimited(limits) && use.openCalls >= limits.openCalls * addressShare) {
      this.countGivenUp(connection);
      return undefined;
    }
    const reply = connection.openReply(stream);
    if (reply === undefined) return undefined;
    use.openCalls++;
    this.#openCalls++;
    return reply;
  }

  /** Notes that the stream of a reply is closed. */
  closeReply(connection: Connection, reply: OpenReply): void {
    if (connection.isLost && reply.isYoung) this.countGivenUp(connection);
    connection.closeReply(reply);
    connection.use.openCalls--;
    this.#openCalls--;
  }

  /**
   * Counts a stream that the client has reset before the request was complete. Drops the connection
   * after too many such streams, which is an offence of its address (`ClientUse.countOffence`).
   */
  countReset(connection: Connection): void {
    if (connection.countReset()) this.#refuse(connection);
  }

  /**
   * Counts a call that the client gave up before the call began or shortly after. Also counts a
   * call that exceeds the limit on open calls of its address. If the address has too many such
   * calls, drops the connection, which is an offence of the address (`ClientUse.countOffence`).
   */
  countGivenUp(connection: Connection): void {
    const { limits, nowMs } = this.#parts;
    if (!connection.use.isLimited(limits)) return;
    if (connection.use.countGivenUp(limits.givenUpCalls, nowMs())) this.#refuse(connection);
  }

  #refuse(connection: Connection): void {
    const { limits, nowMs } = this.#parts;
    if (connection.isRefused) return;
    // Without a limit of an address, many clients may share the address.
    if (connection.use.isLimited(limits)) connection.use.countOffence(limits, nowMs());
    connection.refuse();
  }

  /** Checks the time limits of all connections and replies. */
  check(): void {
    const { limits, nowMs } = this.#parts;
    const isCrowded = this.#open.size >= limits.connections * 0.9;
    const idleMs = isCrowded ? limits.idleMs / 10 : limits.idleMs;
    const now = nowMs();
    for (const connection of this.#open.values()) {
      connection.check(idleMs);
      for (const reply of connection.replies) reply.check();
    }
    for (const [address, use] of this.#useOf) if (use.isIdle(now)) this.#useOf.delete(address);
  }
}

/** Returns a key made of both ends of a connection. No other open connection has the same key. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
