import type { VademecumError } from "./errors.js";
import type { Scope } from "./routing.js";
import type { OpenTransport } from "./transport-options.js";

/** Maximum number of users and runs that a client remembers as moved. */
const movesMax = 10_000;

/** Maximum number of moves that one call follows. A move away and back is two moves. */
const followsMax = 3;

/**
 * Chooses the server of a call: the client's own server, or the server to which the user or run of
 * the call has moved. Users and runs move one by one, so others may stay.
 */
export class Routes {
  readonly #home: OpenTransport;
  readonly #openAt: (address: string) => OpenTransport;
  readonly #others = new Map<string, OpenTransport>();
  readonly #addresses = new Map<string, string>();

  /**
   * @param openAt connects with the same credentials; throws when the credentials may not be sent
   *   there
   */
  constructor(home: OpenTransport, openAt: (address: string) => OpenTransport) {
    this.#home = home;
    this.#openAt = openAt;
  }

  /** Returns the connection for calls about a user or a run. */
  of(scope: Scope | undefined): OpenTransport {
    const address = scope && this.#addresses.get(keyOf(scope));
    return (address !== undefined && this.#others.get(address)) || this.#home;
  }

  /**
   * Remembers the new server of the user or the run of a failed call. Returns whether the call can
   * be repeated there. A call cannot be repeated where its credentials may not be sent.
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

  /** Sends calls about a user or a run to the client's own server again. */
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
