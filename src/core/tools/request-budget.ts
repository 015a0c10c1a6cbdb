import type { ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";

/**
 * The token budget of a request. Its queries share the budget in order: each query may use what the
 * earlier queries left.
 */
export class RequestBudget {
  #remaining: number;
  readonly #remainingByType: Map<ToolMemoryType, number>;

  /** A type without a limit in the manifest may use the whole budget of the request. */
  constructor(requestTokens: number, manifest: ToolManifest | undefined) {
    this.#remaining = requestTokens;
    const limits = manifest?.memoryAccess ?? [];
    this.#remainingByType = new Map(
      limits.map(({ memoryType, maxBudgetTokens = requestTokens }) => [
        memoryType,
        maxBudgetTokens,
      ]),
    );
  }

  /** Returns how many of the requested tokens a query would get now. */
  grant(memoryType: ToolMemoryType, requestedTokens: number): number {
    return Math.min(requestedTokens, this.#remaining, this.#remainingByType.get(memoryType) ?? 0);
  }

  /** Takes the tokens that a query used. Requires: the tokens are within the query's grant. */
  use(memoryType: ToolMemoryType, tokens: number): void {
    this.#remaining -= tokens;
    this.#remainingByType.set(memoryType, (this.#remainingByType.get(memoryType) ?? 0) - tokens);
  }
}
