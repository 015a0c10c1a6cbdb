import type { Block, BlockVersion } from "../model/block.js";
import type { KeyValue } from "../model/key-value.js";
import type { Memory } from "../model/memory.js";
import type { Namespace, Scope } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { TurnEntry } from "../model/turn-entry.js";

/** Tables whose records belong to one namespace, by the type of their values. Keys are any text, ordered by their UTF-8 bytes. */
export interface NamespaceTables {
  /** Memories by id. */
  memories: Memory;
  /** Vectors of memories by the memory's id; a memory may have none. In use unless the profile names the other table. */
  vectors: Float32Array;
  /** The same for another model: Reindex fills whichever of the two tables is not in use, and the profile then names it. */
  alternateVectors: Float32Array;
  /** Order of writing: `timelineKey` of each memory, nothing in the value. */
  timeline: null;
  /** What the namespace's vectors are, by `Collection.profileKey`: those of memories, those of skills. */
  profiles: VectorProfile;
  /** Skills by id. */
  skills: Skill;
  /** Vectors of skills by the skill's id; a skill may have none. */
  skillVectors: Float32Array;
  /** The same for another model, as with `alternateVectors`. */
  alternateSkillVectors: Float32Array;
  /** Order of writing: `timelineKey` of each skill, nothing in the value. */
  skillTimeline: null;
  /** How each skill has fared, by the skill's id. */
  skillUses: SkillUse;
  /** Traces of turns by the entry's id, a UUIDv7. */
  turnEntries: TurnEntry;
  /** The same entries by request, and by task: `turnKey` of each, nothing in the value. */
  turnsByRequest: null;
  turnsByTask: null;
}

/** Tables whose records belong to a scope as a whole. */
export interface ScopeTables {
  /** Replies to calls with an idempotency key, by `replyKey`. */
  replies: StoredReply;
  /** The same replies by the time they expire, by `expiryKey`; the value is the key in `replies`. */
  replyExpiries: string;
  /** A user's blocks by label. */
  blocks: Block;
  /** All versions of a user's blocks, by `blockVersionKey`. */
  blockVersions: BlockVersion;
  /** A user's proposals by id. */
  proposals: Proposal;
  /** Ids of proposals that wait for a decision, nothing in the value. */
  pendingProposals: null;
  /** The ids of all proposals by what they edit: `proposalByTargetKey`, nothing in the value. */
  proposalsByTarget: null;
  /** Ids of rejected proposals, by a digest of what they asked for. */
  rejectedEdits: string;
  /** A run's values by key. */
  keyValues: KeyValue;
  /** A run's keys in the order in which they were first written. */
  keyPositions: string;
  /** Manifests of tools, by `manifestKey`. In the server's scope. */
  toolManifests: ToolManifest;
}

export type NamespaceTable = keyof NamespaceTables;
export type ScopeTable = keyof ScopeTables;
export type Table = NamespaceTable | ScopeTable;
export type ValueOf<T extends Table> = (NamespaceTables & ScopeTables)[T];

/** Where the records of a table live: there is no way to reach a namespace's record without naming the namespace. */
export type PlaceOf<T extends Table> = T extends NamespaceTable ? Namespace : Scope;

/** The tables that can hold a namespace's vectors. */
export type VectorTable = "vectors" | "alternateVectors" | "skillVectors" | "alternateSkillVectors";

/** Tables whose changes are written to the change log, because an index is derived from them. */
export const loggedTables = ["memories", "profiles", "skills"] as const satisfies readonly Table[];
export type LoggedTable = (typeof loggedTables)[number];

/** Whose vectors a namespace holds. The first vector decides, until Reindex changes it; mixing is refused. */
export interface VectorProfile {
  /** `Embedder.modelId`, or `caller` for vectors given with the calls. */
  readonly modelId: string;
  readonly dimension: number;
  /** Where the vectors are. Absent: in the first of `Collection.vectorTables`. */
  readonly table?: VectorTable;
}

/** The reply that a repeated call gets. */
export interface StoredReply {
  /** SHA-256 of the request, in hexadecimal. */
  readonly requestDigest: string;
  /** Made of JSON values. */
  readonly reply: unknown;
  readonly expireMs: number;
}

/** State of a scope after its last commit. */
export interface Head {
  /** Random name of this life of the data; restoring or accepting a loss starts another. */
  readonly epoch: string;
  /** Number of the scope's last commit; 0 if it has none. Never goes back within an epoch, also not by a reset. */
  readonly seq: number;
}

/** One commit as the change log tells it. */
export interface Change {
  readonly seq: number;
  /** Records of logged tables that were put or deleted: their state now is in the snapshot. */
  readonly touched: readonly {
    readonly table: LoggedTable;
    readonly agentId: string;
    readonly key: string;
  }[];
  /** Agents whose namespace was cleared (before anything in `touched`). */
  readonly cleared: readonly string[];
}

/** Which part of a table to scan, and in which direction. */
export interface ScanRange {
  /** Begin behind this key (in the direction of the scan). It need not exist. */
  readonly after?: string;
  /** Greatest key first. Default false. */
  readonly reverse?: boolean;
}

/** Reads of one consistent state. A record that fails its checksum throws DATA_LOSS, never reads as absent. */
export interface Reader {
  get<T extends Table>(table: T, place: PlaceOf<T>, key: string): Promise<ValueOf<T> | undefined>;
  /** Records in key order. Stopping early is fine. If records are missing or have come back, it throws DATA_LOSS: at the latest at its end when it runs forward over the whole table, else before the first record. */
  scan<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    range?: ScanRange,
  ): AsyncIterable<readonly [key: string, value: ValueOf<T>]>;
  /** Number of records, in constant time. */
  count<T extends Table>(table: T, place: PlaceOf<T>): Promise<number>;
}

/** A state that stays as it is while later commits happen. Must be disposed of: declare it with `await using`. */
export interface Snapshot extends Reader, AsyncDisposable {
  readonly head: Head;
}

/** Reads see the transaction's own writes and those of all transactions of the scope before it. Values must not be changed after they were handed over. Ends with the function that it was given to: later writes throw. */
export interface Transaction extends Reader {
  /** The head before this transaction. */
  readonly head: Head;
  /** Commits after `afterSeq` up to `head`, oldest first; `undefined` if the log does not reach back that far. */
  changes(afterSeq: number): readonly Change[] | undefined;
  put<T extends Table>(table: T, place: PlaceOf<T>, key: string, value: ValueOf<T>): void;
  /** Deleting what is not there is no error. */
  delete<T extends Table>(table: T, place: PlaceOf<T>, key: string): void;
  /** Empties all tables of a namespace, in one step however large it is. */
  clear(namespace: Namespace): void;
  /** The time to write into records: the clock's, or the scope's last one if the clock has gone back. */
  commitTimeMs(clockMs: number): number;
}

/** What a transaction came to. */
export interface Committed<T> {
  readonly result: T;
  /** Head after the commit; that of before where nothing was written. */
  readonly head: Head;
}

/**
 * Records in scopes, with atomic and durable transactions.
 *
 * Errors: UNAVAILABLE (STORE_UNAVAILABLE) while the store is failed or closed, UNAVAILABLE (OUTCOME_UNKNOWN) when a write may or may not have been kept, RESOURCE_EXHAUSTED (DISK_FULL) for a growing write without room, DATA_LOSS (DAMAGED_RECORD) for a record that fails its checksum.
 */
export interface Store {
  /**
   * Runs `transact` and commits what it wrote in one atomic step. Resolves when that is durable; a transaction that wrote nothing resolves when everything it read is.
   * Transactions of one scope run one after another; those of different scopes do not wait for each other. If `transact` throws, nothing is written and the error is passed on.
   * REQUIRES: `transact` does nothing but read and write through the transaction: it may run more than once.
   */
  update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>>;
  /** The state of the last durable commit. */
  snapshot(scope: Scope): Promise<Snapshot>;
  /** Commits after `afterSeq` up to the snapshot's head, oldest first; `undefined` if the log does not reach back that far. */
  changes(snapshot: Snapshot, afterSeq: number): Promise<readonly Change[] | undefined>;
  /** All namespaces that hold something, for work on everything. */
  namespaces(): AsyncIterable<Namespace>;
  /** All scopes that hold something outside of namespaces, for work on everything. */
  scopes(): AsyncIterable<Scope>;
  /** Ends after all transactions that were begun. */
  close(): Promise<void>;
}
