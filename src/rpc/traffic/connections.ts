import type { Socket } from "node:net";
import { clientAddress } from "./client-address.js";
import { Connection } from "./connection.js";
import type { OpenReply, ReplyParts } from "./open-reply.js";

/** The open connections of both listeners. */
export class Connections {
  readonly #parts: ReplyParts;
  readonly #open = new Map<string, Connection>();
  readonly #countOf = new Map<string, number>();
  readonly #waitsUntilMs = new Map<string, number>();

  constructor(parts: ReplyParts) {
    this.#parts = parts;
  }

  /** Returns the milliseconds of a clock that never jumps. */
  get nowMs(): () => number {
    return this.#parts.nowMs;
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Number of requests whose replies are not completely sent. */
  get openCalls(): number {
    let count = 0;
    for (const { replyCount } of this.#open.values()) count += replyCount;
    return count;
  }

  /**
   * Counts a connection that a client has opened. Returns `undefined` for a connection beyond a
   * limit, which the caller must close.
   */
  open(socket: Socket): Connection | undefined {
    const { limits, nowMs } = this.#parts;
    const address = clientAddress(socket.remoteAddress ?? "");
    const count = this.#countOf.get(address) ?? 0;
    if (this.#open.size >= limits.connections) return undefined;
    if (limits.connectionsPerAddress > 0) {
      if (count >= limits.connectionsPerAddress) return undefined;
      if ((this.#waitsUntilMs.get(address) ?? 0) > nowMs()) return undefined;
    }
    const connection = new Connection(socket, address, this.#parts);
    const key = keyOf(socket);
    this.#open.set(key, connection);
    this.#countOf.set(address, count + 1);
    socket.once("close", () => {
      this.#open.delete(key);
      const left = (this.#countOf.get(address) ?? 0) - 1;
      if (left > 0) this.#countOf.set(address, left);
      else this.#countOf.delete(address);
    });
    return connection;
  }

  /** Returns the connection of a TLS socket, by the addresses of the underlying socket. */
  find(socket: Socket): Connection | undefined {
    return this.#open.get(keyOf(socket));
  }

  /**
   * Counts a stream that the client has reset before the request was complete. Drops the connection
   * after too many such streams. If there is a limit for each address, the address gets no new
   * connection for a while. Without such a limit, many clients may share an address.
   */
  countReset(connection: Connection): void {
    if (!connection.countReset()) return;
    const { limits, nowMs } = this.#parts;
    if (limits.connectionsPerAddress > 0)
      this.#waitsUntilMs.set(connection.address, nowMs() + limits.addressWaitMs);
    connection.refuse();
  }

  /** Checks the times of all connections and replies. */
  check(): void {
    const { limits, nowMs } = this.#parts;
    const isCrowded = this.#open.size >= limits.connections * 0.9;
    const idleMs = isCrowded ? limits.crowdedIdleMs : limits.idleMs;
    const stalled: Stalled[] = [];
    const stalledRequests: Stalled[] = [];
    const now = nowMs();
    for (const connection of this.#open.values()) {
      connection.check(idleMs);
      for (const reply of connection.replies) {
        const forMs = reply.check();
        if (forMs >= limits.stalledCrowdedMs) stalled.push({ reply, forMs, bytes: reply.bytes });
        const request = reply.request.stall(now);
        if (request.forMs >= limits.stalledRequestMs) stalledRequests.push({ reply, ...request });
      }
    }
    makeRoom(this.#parts.buffer.neededBytes, stalled);
    makeRoom(this.#parts.requests.large.neededBytes, stalledRequests);
    for (const [address, untilMs] of this.#waitsUntilMs)
      if (untilMs <= now) this.#waitsUntilMs.delete(address);
  }
}

/** A call whose client has sent or read nothing for some time. */
interface Stalled {
  readonly reply: OpenReply;
  readonly forMs: number;
  /** Bytes that the call holds. */
  readonly bytes: number;
}

/** Resets calls, those that stall the longest first, until they have freed so many bytes. */
function makeRoom(neededBytes: number, stalled: readonly Stalled[]): void {
  let needed = neededBytes;
  for (const { reply, bytes } of stalled.toSorted((one, other) => other.forMs - one.forMs)) {
    if (needed <= 0) return;
    if (bytes === 0) continue;
    needed -= bytes;
    reply.reset();
  }
}

/** Returns a key made of both ends of a connection. No other open connection has the same key. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
