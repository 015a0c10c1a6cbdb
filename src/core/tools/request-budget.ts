import type { ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";

/**
 * The tokens of a request. Its queries share them in their order: a query may use what those before
 * it left.
 */
export class RequestBudget {
  #remaining: number;
  readonly #remainingByType: Map<ToolMemoryType, number>;

  /** Without a limit of its own in the manifest, a type may use the whole budget of the request. */
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

  /** Takes the tokens that a query used. Requires: they are within its grant. */
  use(memoryType: ToolMemoryType, tokens: number): void {
    this.#remaining -= tokens;
    this.#remainingByType.set(memoryType, (this.#remainingByType.get(memoryType) ?? 0) - tokens);
  }
}
