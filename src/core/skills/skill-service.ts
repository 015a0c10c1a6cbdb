import type { Namespace } from "../model/namespace.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";

/** A skill with all that is known of it. */
export interface KnownSkill {
  readonly skill: Skill;
  readonly use: SkillUse;
  /** Only where it was asked for, and the skill has one. */
  readonly embedding?: SkillEmbedding;
}

/** The vector of a skill's text. */
export interface SkillEmbedding {
  readonly vector: Float32Array;
  /** What made it: `VectorProfile.modelId`. */
  readonly modelId: string;
}

/** A skill to store. */
export interface StoreSkillInput extends Idempotent {
  readonly namespace: Namespace;
  /** Absent: a new one. */
  readonly id?: string;
  readonly context: string;
  readonly lesson: string;
  readonly toolName?: string;
  /** The caller's own vector of `skillText`; of any length above zero. */
  readonly embedding?: Float32Array;
}

/** What became of it. */
export interface StoredSkill {
  readonly known: KnownSkill;
  /** False: it has replaced one. */
  readonly created: boolean;
}

export interface RetrieveSkillsQuery {
  readonly namespace: Namespace;
  readonly query: string;
  /** 1 to 1,000. */
  readonly topK: number;
  /** 0 to 1. */
  readonly minSimilarity: number;
  /** Absent: skills about any tool or none. */
  readonly toolName?: string;
  /** The query's vector, where the namespace's skills have the caller's. */
  readonly queryEmbedding?: Float32Array;
  readonly includeEmbedding: boolean;
}

/** The skills for a situation. */
export interface RetrievedSkills {
  /** Best first. */
  readonly skills: readonly (KnownSkill & { readonly similarity: number })[];
  /** How many more there are that no message has room for. */
  readonly omittedCount: number;
  /** Why vectors do not count although the skills have some. */
  readonly keywordsOnlyReason?: string;
}

export interface ListSkillsQuery {
  readonly namespace: Namespace;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Token of the page before; empty: from the newest. */
  readonly pageToken: string;
  readonly includeEmbedding: boolean;
}

export interface SkillPage {
  readonly skills: readonly KnownSkill[];
  /** Empty: there is no more. */
  readonly nextPageToken: string;
}

export interface DeleteSkillInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
}

export interface UpdateSuccessCountInput extends Idempotent {
  readonly namespace: Namespace;
  readonly id: string;
  /** How often it has helped since; 0 or more. Absent: once, or never where `failureIncrement` is given. */
  readonly increment?: number;
  /** How often it has not; 0 or more. Absent: never. */
  readonly failureIncrement?: number;
}

/** The counts of a skill, zeros if it is not there. */
export interface SuccessCounts {
  readonly updated: boolean;
  readonly successCount: number;
  readonly failureCount: number;
}

export interface PruneStaleInput extends Idempotent {
  readonly namespace: Namespace;
  readonly dryRun: boolean;
}

/** Why a skill has outlived its use. */
export type PruneReason = "UNUSED" | "NEVER_SUCCEEDED";

/** A skill that was removed. */
export interface PrunedSkill {
  readonly id: string;
  readonly reason: PruneReason;
}

/**
 * The use cases of skills. Inputs are within the limits of the proto rules; what rules cannot say is checked here.
 * Unknown ids and ids of other namespaces are the same to all of them.
 */
export interface SkillService {
  /** `undefined`: skills are off, nothing was stored. */
  store(input: StoreSkillInput, call: Call): Promise<StoredSkill | undefined>;
  retrieve(query: RetrieveSkillsQuery, call: Call): Promise<RetrievedSkills>;
  list(query: ListSkillsQuery, call: Call): Promise<SkillPage>;
  delete(input: DeleteSkillInput, call: Call): Promise<{ readonly deleted: boolean }>;
  updateSuccessCount(input: UpdateSuccessCountInput, call: Call): Promise<SuccessCounts>;
  /** Removes what `staleReason` names, at most `pruneMax` of them. */
  pruneStale(input: PruneStaleInput, call: Call): Promise<readonly PrunedSkill[]>;
}
