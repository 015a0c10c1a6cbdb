import { invalidField } from "../model/errors.js";
import {
  type ContextQuery,
  type SectionKind,
  type SectionLimits,
  sectionKinds,
} from "./service.js";

/** The default maximum of each section, as a share of the budget. */
const shares: Readonly<Record<SectionKind, number>> = {
  BLOCKS: 0.4,
  SKILLS: 0.1,
  KEYS: 0.1,
  MEMORIES: 1,
  RECENT: 0.3,
};

/** The order in which sections take from the budget. MEMORIES get what the others leave. */
const order = ["BLOCKS", "SKILLS", "KEYS", "RECENT", "MEMORIES"] as const;

/**
 * The rest of a context's budget. Each section of `order` calls `capOf`, is built, and then calls
 * `take`.
 */
export class ContextBudget {
  #rest: number;
  /** Tokens that the sections to come keep. */
  #kept: number;

  /** @throws INVALID_ARGUMENT (INVALID_FIELD) when the sections keep more than the budget has */
  constructor(private readonly query: Pick<ContextQuery, "budgetTokens" | "sections">) {
    this.#rest = query.budgetTokens;
    this.#kept = sectionKinds.reduce((sum, kind) => sum + this.#minOf(kind), 0);
    if (this.#kept <= query.budgetTokens) return;
    throw invalidField(
      "budget_tokens",
      `is ${query.budgetTokens}, but the sections keep ${this.#kept} tokens by their min_tokens; ` +
        "raise it, or lower min_tokens",
    );
  }

  /** Returns the maximum number of tokens of the next section. */
  capOf(kind: (typeof order)[number]): number {
    const min = this.#minOf(kind);
    this.#kept -= min;
    const share = Math.floor(this.query.budgetTokens * shares[kind]);
    const max = this.#limitsOf(kind).maxTokens ?? Math.max(share, min);
    return Math.min(max, this.#rest - this.#kept);
  }

  /** Takes the tokens that a section uses. */
  take(tokens: number): void {
    this.#rest -= tokens;
  }

  #minOf(kind: SectionKind): number {
    return this.#limitsOf(kind).minTokens ?? 0;
  }

  #limitsOf(kind: SectionKind): SectionLimits {
    return this.query.sections[kind] ?? {};
  }
}
