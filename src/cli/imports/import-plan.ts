import type { JsonObject } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { MemoryType } from "#gen/vademecum/v1/memory_pb.js";

/**
 * The metadata entry that says where an imported memory comes from: `from`, `id` and further facts
 * of the file.
 */
export const originEntry = "imported_from";

/** The fields of an `AddRequest` that an import sets. */
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

/** A memory of an export file, as Vademecum will store it. */
export interface ImportedMemory {
  /** The name of the memory in messages. */
  readonly name: string;
  /** Its id in the other system. However often an id is imported, it gives one memory. */
  readonly originId: string;
  readonly fields: ImportedFields;
}

/** A block of an export file. */
export interface ImportedBlock {
  readonly name: string;
  readonly label: string;
  readonly body: string;
}

/** A part of an export file that is not imported, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/**
 * The contents of an export file. Each memory, block, message, passage and attached file is in one
 * of the three lists, so that the command can report all of them. docs/guides/importing.md names
 * the smaller parts that no list has, such as images in a message.
 */
export interface ImportPlan {
  /** `source` of all memories of this import. Later imports use it to find these memories. */
  readonly source: string;
  readonly memories: readonly ImportedMemory[];
  readonly blocks: readonly ImportedBlock[];
  readonly skipped: readonly Skipped[];
  /** Fields that could not be read, of memories that are imported without them. */
  readonly incomplete: readonly Skipped[];
}

/** Which part of the file to import. */
export interface ImportChoice {
  /**
   * The id of the only user to import, as the file writes it. Without it, the file must hold one
   * user.
   */
  readonly sourceUser: string | undefined;
  /** Memories that expire by this time are skipped. */
  readonly nowMs: number;
}

/** The file does not have the named format, or the user must make a choice first. */
export class ImportRefusal extends Error {
  override readonly name = "ImportRefusal";
}
