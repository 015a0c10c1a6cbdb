import type { VademecumError } from "./errors.js";
import type { Scope } from "./routing.js";
import type { OpenTransport } from "./transport-options.js";

/** Maximum number of users and runs that a client remembers as moved. */
const movesMax = 10_000;

/**
 * Maximum number of moves that one call follows. A move to another server and back counts twice.
 */
const followsMax = 3;

/**
 * Chooses the server of each call: the home server, or the server to which the call's user or run
 * has moved. Users and runs move one by one, so this class remembers each move separately.
 */
export class Routes {
  readonly #home: OpenTransport;
  readonly #openAt: (address: string) => OpenTransport;
  readonly #others = new Map<string, OpenTransport>();
  readonly #addresses = new Map<string, string>();

  /**
   * @param home the server at the address given to `connect`
   * @param openAt opens a connection to an address, with the key of the client; throws if the
   *   client may not send the key there
   */
  constructor(home: OpenTransport, openAt: (address: string) => OpenTransport) {
    this.#home = home;
    this.#openAt = openAt;
  }

  /** Returns the connection to the server of a user or run. */
  of(scope: Scope | undefined): OpenTransport {
    const address = scope && this.#addresses.get(keyOf(scope));
    return (address !== undefined && this.#others.get(address)) || this.#home;
  }

  /**
   * Handles the error MOVED. Remembers the new server of the call's user or run, and returns true
   * if the call can be repeated there. A call cannot be repeated if it has followed too many moves,
   * or if the client may not send its key to the new server.
   *
   * @param follows number of moves that the call has followed so far
   */
  follow(scope: Scope | undefined, error: VademecumError, follows: number): boolean {
    const address = error.movedTo;
    if (scope === undefined || address === undefined || follows >= followsMax) return false;
    try {
      if (!this.#others.has(address)) this.#others.set(address, this.#openAt(address));
    } catch {
      return false;
    }
    const key = keyOf(scope);
    this.#addresses.delete(key);
    this.#addresses.set(key, address);
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size > movesMax && oldest !== undefined) this.#addresses.delete(oldest);
    return true;
  }

  /** Sends later calls about a user or run to the home server again. */
  forget(scope: Scope | undefined): void {
    if (scope !== undefined) this.#addresses.delete(keyOf(scope));
  }

  close(): void {
    this.#home.close();
    for (const other of this.#others.values()) other.close();
  }
}

function keyOf({ kind, id }: Scope): string {
  return `${kind} ${id}`;
}
