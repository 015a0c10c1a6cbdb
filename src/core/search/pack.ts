import type { Match } from "./matches.js";
import type { Omission } from "./search.js";

/** Omissions that a receipt lists at most; the others are counted. */
export const listedOmissions = 100;

/** What the packer may use up. */
export interface PackLimits {
  /** Most matches to take. */
  readonly limit: number;
  /** Most tokens to take; infinity without a budget. */
  readonly budgetTokens: number;
  /** Whether matches with the words of one already taken are left out. */
  readonly dropNearCopies: boolean;
}

/** What fitted. */
export interface Packed {
  readonly taken: readonly { readonly match: Match; readonly tokens: number }[];
  readonly tokensUsed: number;
  /** Best first, at most `listedOmissions`. */
  readonly omitted: readonly Omission[];
}

/**
 * Takes matches in their order; one that does not fit into what is left is passed over, and smaller ones behind it still get their chance. Never over the budget.
 * `tokensOf` may be dear: it is asked only where `memory.tokenCount`, which is never more, would fit.
 */
export function pack(
  inOrder: (tokensMax: () => number) => Iterable<Match>,
  { limit, budgetTokens, dropNearCopies }: PackLimits,
  tokensOf: (match: Match) => number,
): Packed {
  const taken: { match: Match; tokens: number }[] = [];
  const omitted: Omission[] = [];
  const signatures = new Set<number>();
  let left = budgetTokens;
  const omit = ({ memory, scores }: Match, tokens: number, reason: Omission["reason"]) => {
    if (omitted.length < listedOmissions)
      omitted.push({ id: memory.id, tokens, score: scores.final, reason });
  };
  // Once the receipt is full, only what fits is still of interest.
  const tokensMax = () => (omitted.length < listedOmissions ? Number.POSITIVE_INFINITY : left);
  for (const match of inOrder(tokensMax)) {
    const { memory, wordSignature } = match;
    if (dropNearCopies && wordSignature !== undefined && signatures.has(wordSignature)) {
      omit(match, memory.tokenCount, "NEAR_COPY");
      continue;
    }
    const tokens = memory.tokenCount > left ? memory.tokenCount : tokensOf(match);
    if (tokens > left) {
      omit(match, tokens, "OVER_BUDGET");
      continue;
    }
    taken.push({ match, tokens });
    left -= tokens;
    if (wordSignature !== undefined) signatures.add(wordSignature);
    if (taken.length === limit) break;
  }
  const tokensUsed = taken.reduce((sum, { tokens }) => sum + tokens, 0);
  return { taken, tokensUsed, omitted };
}
