import type { Principal } from "../../core/model/principal.js";
import type { Authenticator, Credentials } from "../../core/ports/authenticator.js";

/** A call that may stay open for longer than the rights of its caller last. */
export interface OpenCall {
  /** The path of its RPC, such as `/vademecum.v1.MemoryProvider/AddBatch`. */
  readonly path: string;
  readonly credentials: Credentials;
  /** Address and port of the client. */
  readonly peer: string;
  readonly requestId: string;
  /** The caller, with the rights that the call has now. */
  readonly principal: Principal;
  /**
   * Continues the call with changed rights.
   *
   * @throws PERMISSION_DENIED (ROLE_REQUIRED, OUT_OF_SCOPE) when the new rights do not allow the
   *   request of the call
   */
  continueAs(principal: Principal): void;
  /** Ends the call with an error. */
  fail(error: unknown): void;
}

/**
 * Returns the caller of an open call with its present rights.
 *
 * @param found the principal of the credentials of the call; `undefined` if they are not valid
 * @throws UNAUTHENTICATED (CREDENTIALS_REFUSED) when the credentials no longer stand for the same
 *   principal
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the principal has no role that the RPC allows
 */
export type Readmit = (call: OpenCall, found: Principal | undefined) => Principal;

/** The open calls with the same credentials, each with the principal of its last review. */
interface Group {
  readonly credentials: Credentials;
  readonly calls: Map<OpenCall, Principal | undefined>;
}

/**
 * The open calls of callers with credentials. A review ends the calls whose credentials or roles no
 * longer suffice. It authenticates each credential once, however many calls have it.
 */
export class OpenCalls {
  readonly #authenticator: Pick<Authenticator, "authenticate">;
  readonly #readmit: Readmit;
  readonly #groups = new Map<string, Group>();

  constructor(authenticator: Pick<Authenticator, "authenticate">, readmit: Readmit) {
    this.#authenticator = authenticator;
    this.#readmit = readmit;
  }

  /** Adds a call. Returns a function that removes it, to be called when the call has ended. */
  follow(call: OpenCall): () => void {
    const { authorization, certificateNames, certificateExpireMs } = call.credentials;
    const key = JSON.stringify([authorization, certificateNames, certificateExpireMs]);
    const group = this.#groups.get(key) ?? { credentials: call.credentials, calls: new Map() };
    this.#groups.set(key, group);
    // Does not store the principal of the call, because it may have changed since the call was
    // admitted.
    group.calls.set(call, undefined);
    return () => {
      group.calls.delete(call);
      if (group.calls.size === 0 && this.#groups.get(key) === group) this.#groups.delete(key);
    };
  }

  /** Checks all calls. Ends a call later if a token has to be verified first. */
  review(): void {
    for (const { credentials, calls } of this.#groups.values()) {
      const found = this.#authenticator.authenticate(credentials);
      if (found instanceof Promise) void found.then((principal) => this.#settle(calls, principal));
      else this.#settle(calls, found);
    }
  }

  #settle(calls: Group["calls"], found: Principal | undefined): void {
    for (const [call, reviewed] of calls) {
      if (found !== undefined && found === reviewed) continue;
      calls.set(call, found);
      try {
        call.continueAs(this.#readmit(call, found));
      } catch (error) {
        call.fail(error);
      }
    }
  }
}
