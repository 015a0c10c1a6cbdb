import { ConnectError } from "@connectrpc/connect";
import type { MoveAdmin } from "./move-scopes.js";

/** Remembers which server's call failed with an error. */
export class CallOrigins<Name extends string> {
  readonly #names = new WeakMap<ConnectError, Name>();

  /** Returns the calls of a server. `nameOf` returns `name` for the errors of these calls. */
  track(admin: MoveAdmin, name: Name): MoveAdmin {
    return {
      backup: (...request) => this.#stream(admin.backup(...request), name),
      restore: (...request) => this.#stream(admin.restore(...request), name),
      holdWrites: async (...request) => {
        try {
          return await admin.holdWrites(...request);
        } catch (error) {
          throw this.#named(error, name);
        }
      },
    };
  }

  /** Returns the name of the server; `undefined` if no tracked call failed with this error. */
  nameOf(error: ConnectError): Name | undefined {
    return this.#names.get(error);
  }

  async *#stream<T>(messages: AsyncIterable<T>, name: Name): AsyncGenerator<T> {
    try {
      yield* messages;
    } catch (error) {
      throw this.#named(error, name);
    }
  }

  /** Keeps the first name of an error: an error of the source also ends the call of the target. */
  #named(error: unknown, name: Name): unknown {
    if (error instanceof ConnectError && !this.#names.has(error)) this.#names.set(error, name);
    return error;
  }
}
