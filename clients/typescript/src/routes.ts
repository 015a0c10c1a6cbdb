import type { VademecumError } from "./errors.js";
import type { Scope } from "./routing.js";
import type { OpenTransport } from "./transport-options.js";

/** How many users and runs a client remembers as moved. */
const movesMax = 10_000;

/** How often one call follows moves. Data that moves there and back needs two. */
const followsMax = 3;

/**
 * Decides to which server a call goes: to the client's own, or to the one to which its user or run
 * has moved. Each user moves by itself, so others stay where they are.
 */
export class Routes {
  readonly #home: OpenTransport;
  readonly #openAt: (address: string) => OpenTransport;
  readonly #others = new Map<string, OpenTransport>();
  readonly #addresses = new Map<string, string>();

  /** @param openAt connects with the same credentials; throws when they may not be sent there */
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
   * Remembers where the user or the run of a failed call is now. Returns whether the call can be
   * repeated there. It cannot if the credentials may not be sent to that address.
   *
   * @param follows how many moves the call has followed before
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
