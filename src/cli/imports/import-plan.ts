import type { JsonObject } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { MemoryType } from "#gen/vademecum/v1/memory_pb.js";

/** The metadata entry of an imported memory that tells where it comes from: `from`, `id`, and what else the file says of it. */
export const originEntry = "imported_from";

/** The fields of an `AddRequest` that imports fill in. */
export interface ImportedFields {
  readonly content: string;
  readonly memoryType: MemoryType;
  readonly kind?: string;
  readonly tags?: string[];
  readonly author?: string;
  readonly threadId?: string;
  readonly metadata: JsonObject;
  readonly eventTime?: Timestamp;
  readonly expireTime?: Timestamp;
}

/** A memory of an export file, in the terms of Vademecum. */
export interface ImportedMemory {
  /** What to call it when it has to be named: where it stands in the file. */
  readonly name: string;
  /** Its id in the system that it comes from. Imports of the same id are imports of the same memory. */
  readonly originId: string;
  readonly fields: ImportedFields;
}

/** A block of an export file. */
export interface ImportedBlock {
  readonly name: string;
  readonly label: string;
  readonly body: string;
}

/** Something of an export file that is not imported. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** What an export file comes to. Nothing of the file is left out without a word: it is in one of the three. */
export interface ImportPlan {
  /** `source` of all memories of such imports, by which they are found again. */
  readonly source: string;
  readonly memories: readonly ImportedMemory[];
  readonly blocks: readonly ImportedBlock[];
  readonly skipped: readonly Skipped[];
}

/** What of the file is wanted. */
export interface ImportChoice {
  /** The only user whose memories are taken, by the id that the file has. Unset: the file must be of one user. */
  readonly sourceUser: string | undefined;
  /** What has expired by then is skipped. */
  readonly nowMs: number;
}

/** The file is not of the format that was named, or cannot be imported as it is. */
export class ImportRefusal extends Error {
  override readonly name = "ImportRefusal";
}
