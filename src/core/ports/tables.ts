import type { Block, BlockVersion } from "../model/block.js";
import type { Delivery } from "../model/delivery.js";
import type { BegunErasure } from "../model/erasure.js";
import type { KeyValue } from "../model/key-value.js";
import type { Memory, MemoryUse } from "../model/memory.js";
import type { StoredVersion } from "../model/memory-version.js";
import type { Namespace, Scope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { Thread } from "../model/thread.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { StoredReply } from "./stored-reply.js";

/**
 * Tables whose records belong to one namespace, each with the type of its values. Keys are any
 * text, sorted by their UTF-8 bytes.
 */
export interface NamespaceTables {
  /** Memories by id. */
  memories: Memory;
  /**
   * Vectors of memories by the memory's id. A memory may have no vector. This table is in use
   * unless the profile names `alternateVectors`.
   */
  vectors: Float32Array;
  /**
   * Vectors of memories for another model. Reindex fills the table that is not in use. Afterwards
   * the profile names the filled table.
   */
  alternateVectors: Float32Array;
  /** Memories in the order of writing, by `timelineKey`. The values are empty. */
  timeline: null;
  /** Last uses of memories by tools, by the memory's id. Absent: no tool has read the memory. */
  memoryUses: MemoryUse;
  /** Ids of memories by `Memory.externalId`. */
  externalIds: string;
  /** Earlier versions of memories, by `memoryVersionKey`. */
  memoryVersions: StoredVersion;
  /** Threads that have turns, by their ids. */
  threads: Thread;
  /** Turns of threads in their order, by `threadTurnKey`. The values are empty. */
  threadTurns: null;
  /**
   * The models of the namespace's vectors, by `Collection.profileKey`: one for memories, one for
   * skills.
   */
  profiles: VectorProfile;
  /** Skills by id. */
  skills: Skill;
  /** Vectors of skills by the skill's id. A skill may have none. */
  skillVectors: Float32Array;
  /** Vectors of skills for another model, as with `alternateVectors`. */
  alternateSkillVectors: Float32Array;
  /** Skills in the order of writing, by `timelineKey`. The values are empty. */
  skillTimeline: null;
  /** Uses, successes and failures of each skill, by the skill's id. */
  skillUses: SkillUse;
  /** Trace entries of turns by the entry's id, a UUIDv7. */
  turnEntries: TurnEntry;
  /** Trace entries of each request, by `turnKey`. The values are empty. */
  turnsByRequest: null;
  /** Trace entries of each task, by `turnKey`. The values are empty. */
  turnsByTask: null;
}

/** Tables whose records belong to a whole scope. */
export interface ScopeTables {
  /** Replies to calls with an idempotency key, by `replyKey`. */
  replies: StoredReply;
  /**
   * Stored replies in the order of their expiry, under `expiryKey`. The value is the key in
   * `replies`.
   */
  replyExpiries: string;
  /** Keys of a user for digests of removed texts, by their purpose, in hexadecimal. */
  digestKeys: string;
  /** A user's blocks by label. */
  blocks: Block;
  /** All versions of a user's blocks, by `blockVersionKey`. */
  blockVersions: BlockVersion;
  /** A user's proposals by id. */
  proposals: Proposal;
  /** Proposals that wait for a decision, by id. The values are empty. */
  pendingProposals: null;
  /** Proposals ordered by their targets, by `proposalByTargetKey`. The values are empty. */
  proposalsByTarget: null;
  /** Ids of rejected proposals, by `rejectedEditKey`. */
  rejectedEdits: string;
  /** A run's values by key. */
  keyValues: KeyValue;
  /** A run's keys in the order in which they were first written. */
  keyPositions: string;
  /** Manifests of tools, by `manifestKey`. In the server's scope. */
  toolManifests: ToolManifest;
  /** Erasures that have begun and not ended. In the server's scope. */
  erasures: BegunErasure;
  /**
   * What the receiver of webhooks has of a user's changes, under `deliveryKey`. Absent: all of
   * them.
   */
  deliveries: Delivery;
}

export type NamespaceTable = keyof NamespaceTables;
export type ScopeTable = keyof ScopeTables;
export type Table = NamespaceTable | ScopeTable;
export type ValueOf<T extends Table> = (NamespaceTables & ScopeTables)[T];

/**
 * The owner of a table's records. A record of a namespace can only be reached by naming the
 * namespace.
 */
export type OwnerOf<T extends Table> = T extends NamespaceTable ? Namespace : Scope;

/** The tables that can hold a namespace's vectors. */
export type VectorTable = "vectors" | "alternateVectors" | "skillVectors" | "alternateSkillVectors";

/** Tables whose changes go to the change log. Indexes are derived from them. */
export const loggedTables = ["memories", "profiles", "skills"] as const satisfies readonly Table[];
export type LoggedTable = (typeof loggedTables)[number];

/** Tables of users that `Store.acrossUsers` and `Store.undelivered` list. */
export const crossUserTables = [
  "proposals",
  "pendingProposals",
  "deliveries",
] as const satisfies readonly ScopeTable[];
export type CrossUserTable = (typeof crossUserTables)[number];

/**
 * The model of a namespace's vectors. The first vector decides it, until Reindex changes it.
 * Vectors of other models are refused.
 */
export interface VectorProfile {
  /** `Embedder.modelId`, or `caller` for vectors given with the calls. */
  readonly modelId: string;
  readonly dimension: number;
  /** The table that holds the vectors. Absent: the first of `Collection.vectorTables`. */
  readonly table?: VectorTable;
}
