import type { Filter } from "../filter/matcher.js";
import type { Instant } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import type { Omission, RankingWeights } from "../search/query/search.js";
import type { SearcherParts } from "../search/searcher.js";
import type { SkillService } from "../skills/service.js";

/** The dependencies of building contexts. */
export interface ContextServiceParts extends Omit<SearcherParts, "compileExpression"> {
  readonly store: Store;
  readonly skills: Pick<SkillService, "retrieve">;
}

/** The kinds of sections, in the order of the text: what changes least comes first. */
export const sectionKinds = ["BLOCKS", "SKILLS", "KEYS", "MEMORIES", "RECENT"] as const;
export type SectionKind = (typeof sectionKinds)[number];

export const contextFormats = ["MARKDOWN", "XML", "PLAIN"] as const;
export type ContextFormat = (typeof contextFormats)[number];

/** The place of a section in the budget. */
export interface SectionLimits {
  /** Tokens that other sections leave free. Default 0. */
  readonly minTokens?: number | undefined;
  /** Default: a share of the budget, but at least `minTokens`. MEMORIES: what is left. */
  readonly maxTokens?: number | undefined;
}

/** The sections to build. An absent section is not part of the context. */
export interface ContextSections {
  /** `labels`: empty for all blocks. */
  readonly BLOCKS?: SectionLimits & { readonly labels: readonly string[] };
  readonly SKILLS?: SectionLimits & {
    readonly topK: number;
    readonly minSimilarity: number;
    readonly toolName?: string | undefined;
  };
  /** `keys`: empty for all keys. */
  readonly KEYS?: SectionLimits & { readonly runId: string; readonly keys: readonly string[] };
  /** See `SearchQuery`. */
  readonly MEMORIES?: SectionLimits & {
    readonly limit?: number | undefined;
    readonly filter: Filter;
    readonly order: "RELEVANCE" | "NEWEST_FIRST";
    readonly minRelevance?: number | undefined;
    readonly gate?: number | undefined;
    readonly weights: RankingWeights;
    readonly queryEmbedding?: Float32Array | undefined;
  };
  readonly RECENT?: SectionLimits & { readonly threadId: string; readonly maxTurns: number };
}

/** What to put into the context of a turn. `context.proto` documents the fields and defaults. */
export interface ContextQuery {
  readonly namespace: Namespace;
  readonly query: string;
  readonly budgetTokens: number;
  readonly sections: ContextSections;
  readonly format: ContextFormat;
  readonly referenceTime?: Instant | undefined;
  readonly timeZone?: string | undefined;
  readonly minCommitSeq?: bigint | undefined;
  /** Whether memories and turns show their dates, and memories their authors. */
  readonly annotates: boolean;
}

/** An item of a section. */
export interface ContextItem {
  /** A label, an id or a key. */
  readonly id: string;
  /** Number of tokens that the item adds to the text. */
  readonly tokens: number;
  readonly excerpted: boolean;
}

/** An item that was left out. `tokens` may be a lower bound. */
export type ContextOmission = Pick<Omission, "id" | "tokens" | "reason">;

/** A section with its receipt. */
export interface BuiltSection {
  readonly kind: SectionKind;
  /** Empty, or a text that ends with a line break. */
  readonly text: string;
  /** Exact number of tokens of `text`. */
  readonly tokens: number;
  readonly items: readonly ContextItem[];
  /** At most 100. */
  readonly omitted: readonly ContextOmission[];
  /** Number of further items that were left out. */
  readonly omittedCount: number;
  readonly noItemsReason?: string | undefined;
  readonly keywordsOnlyReason?: string | undefined;
}

/** The context of a turn. */
export interface BuiltContext {
  readonly text: string;
  /** Exact number of tokens of `text`. */
  readonly tokenCount: number;
  /** Number of tokens at the beginning of `text` that do not depend on the query. */
  readonly stablePrefixTokens: number;
  readonly sections: readonly BuiltSection[];
  readonly commitSeq: bigint;
  /** Absent without the section KEYS. */
  readonly runCommitSeq?: bigint;
}

/** The use case of contexts. Requires: inputs obey the rules of the proto files. */
export interface ContextService {
  /**
   * Builds the context of a turn.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when the sections keep more tokens than the budget has
   * @throws ABORTED (CONTEXT_CHANGED) when the data changed again and again
   */
  build(query: ContextQuery, call: Call): Promise<BuiltContext>;
}
