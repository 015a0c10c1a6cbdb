import { accountOf, hasCredentials, type Principal } from "../../core/model/principal.js";

/** Counts something for each principal, or for each group of them. */
export class PrincipalCounts {
  readonly #counts = new Map<string, number>();
  readonly #groupOf: (principal: Principal) => string;

  /** @param groupOf returns the group of a principal. Default: each principal counts by itself */
  constructor(groupOf: (principal: Principal) => string = accountOf) {
    this.#groupOf = groupOf;
  }

  /** Returns the count of a principal; 0 without credentials. */
  of(principal: Principal): number {
    return this.#counts.get(this.#groupOf(principal)) ?? 0;
  }

  /** Changes the count of a principal. Does nothing without credentials. */
  change(principal: Principal, change: 1 | -1): void {
    if (!hasCredentials(principal)) return;
    const group = this.#groupOf(principal);
    const count = this.of(principal) + change;
    if (count === 0) this.#counts.delete(group);
    else this.#counts.set(group, count);
  }
}
