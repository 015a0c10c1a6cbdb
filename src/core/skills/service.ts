import type { Instant } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { Call } from "../ports/call.js";
import type { Clock, IdSource } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";
import type { PruningGate } from "../pruning/pruning-gate.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { PageQuery } from "../requests/list-page.js";
import type { UseTimes } from "../requests/use-times.js";
import type { WriteGate } from "../vectors/write-gate.js";

/** The dependencies of the use cases of skills. */
export interface SkillServiceParts {
  readonly store: Store;
  /** The index of skills. */
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly ids: IdSource;
  readonly gate: WriteGate;
  readonly uses: UseTimes;
  /** Whether skills may be removed by their age. Absent: always. */
  readonly pruningGate?: PruningGate;
}

/** A skill with its counts and, on request, its vector. */
export interface KnownSkill {
  readonly skill: Skill;
  readonly use: SkillUse;
  /** Present if the query asked for the vector and the skill has a vector. */
  readonly embedding?: SkillEmbedding;
}

/** The vector of a skill's text. */
export interface SkillEmbedding {
  readonly vector: Float32Array;
  /** `VectorProfile.modelId` of the namespace's skills. */
  readonly modelId: string;
}

/** A skill to store. */
export interface StoreSkillInput extends Idempotent {
  readonly namespace: Namespace;
  /** Id of the skill. Absent: the service makes an id. */
  readonly id?: string;
  readonly context: string;
  readonly lesson: string;
  readonly toolName?: string;
  /** The caller's own vector of `skillText`. Its Euclidean length may be any number above zero. */
  readonly embedding?: Float32Array;
  /** Counts and times of a skill from another store. Absent: those that the skill has, or none. */
  readonly successCount?: number;
  readonly failureCount?: number;
  readonly createTime?: Instant;
  readonly lastUsedTime?: Instant;
}

/** The result of storing a skill. */
export interface StoredSkill {
  readonly known: KnownSkill;
  /** Whether the skill is new. False: it replaced a skill of the same id. */
  readonly created: boolean;
}

export interface RetrieveSkillsQuery {
  readonly namespace: Namespace;
  readonly query: string;
  /** Maximum number of skills, 1 to 1,000. */
  readonly topK: number;
  /** Lowest similarity of a skill to return, 0 to 1. */
  readonly minSimilarity: number;
  /**
   * Finds only skills about this tool. Absent: all skills, whether they are about a tool or not.
   */
  readonly toolName?: string;
  /** The query's vector, for a namespace whose skills have the caller's vectors. */
  readonly queryEmbedding?: Float32Array;
  readonly includeEmbedding: boolean;
}

/** A skill that fits a situation. */
export interface FoundSkill extends KnownSkill {
  /** 0 to 1. */
  readonly similarity: number;
}

/** The skills that fit a situation. */
export interface RetrievedSkills {
  /** Most similar first. */
  readonly skills: readonly FoundSkill[];
  /** Number of further skills that do not fit one message. */
  readonly omittedCount: number;
  /** Why the search ignored the skills' vectors. Absent: it used the vectors, or there are none. */
  readonly keywordsOnlyReason?: string;
}

/** Which skills to list. An absent condition is met by all. */
export interface SkillFilter {
  readonly toolName?: string;
  readonly minSuccessCount?: number;
  readonly lastUsedBefore?: Instant;
}

export interface GetSkillQuery {
  readonly namespace: Namespace;
  readonly id: string;
  readonly includeEmbedding: boolean;
}

export interface ListSkillsQuery extends PageQuery {
  readonly namespace: Namespace;
  /** Default: all skills. */
  readonly filter?: SkillFilter;
  readonly includeEmbedding: boolean;
}

export interface SkillPage {
  readonly skills: readonly KnownSkill[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

export interface DeleteSkillInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
}

export interface UpdateSuccessCountInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  /** Number of new successes, 0 or more. Absent: 1, or 0 if `failureIncrement` is given. */
  readonly increment?: number;
  /** Number of new failures, 0 or more. Absent: 0. */
  readonly failureIncrement?: number;
}

/** The counts of a skill. All zero if the namespace has no such skill. */
export interface SuccessCounts {
  readonly updated: boolean;
  readonly successCount: number;
  readonly failureCount: number;
}

export interface PruneStaleInput extends Idempotent {
  readonly namespace: Namespace;
  /** Whether to report the stale skills and remove none. */
  readonly dryRun: boolean;
}

/** Why a skill is stale. */
export type PruneReason = "UNUSED" | "NEVER_SUCCEEDED";

/** A stale skill. */
export interface PrunedSkill {
  readonly id: string;
  readonly reason: PruneReason;
}

/**
 * The use cases of skills. Requires: inputs obey the rules of the proto files. An id that does not
 * exist and an id of another namespace give the same result.
 */
export interface SkillService {
  /**
   * Stores a skill. `undefined`: skills are off, and nothing was stored.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when a time is in the future, or when the last use is
   *   before the creation.
   */
  store(input: StoreSkillInput, call: Call): Promise<StoredSkill | undefined>;
  /** Finds the skills that are most similar to a situation, and records their use. */
  retrieve(query: RetrieveSkillsQuery, call: Call): Promise<RetrievedSkills>;
  /**
   * Returns one skill. `undefined`: skills are off.
   *
   * @throws NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.
   */
  get(query: GetSkillQuery): Promise<KnownSkill | undefined>;
  /** Lists skills, newest first. */
  list(query: ListSkillsQuery, call: Call): Promise<SkillPage>;
  /** Deletes one skill. `deleted` tells whether the skill existed. */
  delete(input: DeleteSkillInput, call: Call): Promise<{ readonly deleted: boolean }>;
  /** Adds to the counts of a skill. `updated` tells whether the skill exists. */
  updateSuccessCount(input: UpdateSuccessCountInput, call: Call): Promise<SuccessCounts>;
  /** Removes the stale skills of a namespace (`staleReason`), at most `pruneMax`. */
  pruneStale(input: PruneStaleInput, call: Call): Promise<readonly PrunedSkill[]>;
}
