import { hasCredentials, identityOf, type Principal } from "../../core/model/principal.js";

/** Counts something for each principal. Does not count callers without credentials. */
export class PrincipalCounts {
  readonly #counts = new Map<string, number>();

  /** Returns the count of a principal; 0 without credentials. */
  of(principal: Principal): number {
    return this.#counts.get(identityOf(principal)) ?? 0;
  }

  /** Changes the count of a principal. Does nothing without credentials. */
  change(principal: Principal, change: 1 | -1): void {
    if (!hasCredentials(principal)) return;
    const count = this.of(principal) + change;
    if (count === 0) this.#counts.delete(identityOf(principal));
    else this.#counts.set(identityOf(principal), count);
  }
}
