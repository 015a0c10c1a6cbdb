import type { ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";

/** The tokens of a request, shared by its queries in their order: what one does not use is there for the next. */
export class RequestBudget {
  #left: number;
  readonly #leftByType: Map<ToolMemoryType, number>;

  /** Types without a limit of their own in the manifest share the request's. */
  constructor(requestTokens: number, manifest: ToolManifest | undefined) {
    this.#left = requestTokens;
    const limits = manifest?.memoryAccess ?? [];
    this.#leftByType = new Map(
      limits.map(({ memoryType, maxBudgetTokens = requestTokens }) => [
        memoryType,
        maxBudgetTokens,
      ]),
    );
  }

  /** Of what a query asks for, how much it would get now. */
  grant(memoryType: ToolMemoryType, askedTokens: number): number {
    return Math.min(askedTokens, this.#left, this.#leftByType.get(memoryType) ?? 0);
  }

  /** Takes what a query has used. REQUIRES: not more than it was granted */
  use(memoryType: ToolMemoryType, tokens: number): void {
    this.#left -= tokens;
    this.#leftByType.set(memoryType, (this.#leftByType.get(memoryType) ?? 0) - tokens);
  }
}
