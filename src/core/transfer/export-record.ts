import type { BlockVersion } from "../model/block.js";
import type { Instant } from "../model/instant.js";
import type { KeyEntry } from "../model/key-value.js";
import type { StoredVersion } from "../model/memory-version.js";
import type { Namespace } from "../model/namespace.js";
import type { Proposal } from "../model/proposal.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { TurnEntry } from "../model/turn-entry.js";

/** Version of the export format. A new version marks exports that this one would misread. */
export const exportFormat = 1;

/** What a caller can choose to export. */
export const exportKinds = [
  "MEMORIES",
  "BLOCKS",
  "PROPOSALS",
  "SKILLS",
  "KEYS",
  "TURN_ENTRIES",
] as const;
export type ExportKind = (typeof exportKinds)[number];

/** The first record of an export. */
export interface ExportHeader {
  /** `exportFormat` of the build that made the export. */
  readonly format: number;
  /** Product version of that build. */
  readonly productVersion: string;
  readonly createTimeMs: number;
  readonly kinds: readonly ExportKind[];
  /** Whether the export has vectors. */
  readonly vectors: boolean;
}

/** A vector, and the model that made it. */
export interface ExportedVector {
  /** `VectorProfile.modelId`. */
  readonly modelId: string;
  readonly values: Float32Array;
}

/** A memory, or an earlier version of the memory before it. */
export interface MemoryRecord {
  readonly kind: "memory" | "memoryVersion";
  readonly namespace: Namespace;
  readonly version: StoredVersion;
  /** When a tool last read the memory. Only of the present version. */
  readonly lastUsedTime?: Instant;
  /** Only of the present version. */
  readonly vector?: ExportedVector;
}

/** The newest version of a block, or an earlier version of the block before it. */
export interface BlockRecord {
  readonly kind: "block" | "blockVersion";
  readonly userId: string;
  readonly label: string;
  /** `createSeq` has no meaning outside of its store. */
  readonly version: BlockVersion;
}

export interface ProposalRecord {
  readonly kind: "proposal";
  readonly userId: string;
  readonly proposal: Omit<Proposal, "approvedMemory">;
  /** See `Proposal.approvedMemory`. */
  readonly approvedMemory?: StoredVersion;
}

export interface SkillRecord {
  readonly kind: "skill";
  readonly namespace: Namespace;
  /** `createSeq` has no meaning outside of its store. */
  readonly skill: Skill;
  readonly use: SkillUse;
  readonly vector?: ExportedVector;
}

export interface KeyRecord {
  readonly kind: "key";
  readonly runId: string;
  readonly entry: KeyEntry;
}

export interface TurnEntryRecord {
  readonly kind: "turnEntry";
  readonly namespace: Namespace;
  readonly id: string;
  readonly entry: TurnEntry;
}

/** A record with data of a user or run. */
export type DataRecord =
  | MemoryRecord
  | BlockRecord
  | ProposalRecord
  | SkillRecord
  | KeyRecord
  | TurnEntryRecord;

export type DataKind = DataRecord["kind"];

/** Number of records of each kind. */
export type RecordCounts = ReadonlyMap<DataKind, number>;

/**
 * One record of an export. The records are a header, the data of users in the order of their ids,
 * the data of runs in the order of their ids, and a trailer.
 */
export type ExportRecord =
  | { readonly kind: "header"; readonly header: ExportHeader }
  | DataRecord
  | { readonly kind: "trailer"; readonly counts: RecordCounts };

/** The name of a kind in messages: `memory_version`. */
export function kindName(kind: ExportRecord["kind"]): string {
  return kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
