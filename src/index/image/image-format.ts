import { type Namespace, namespaceMapKey } from "../../core/model/namespace.js";
import type { Head, VectorProfile } from "../../core/ports/store.js";

/**
 * The version of images. Must change when the analysis of texts, a column or its meaning changes:
 * images of other versions are ignored, and the index is derived from the records again.
 */
export const imageVersion = 7;

/** Whose index an image holds. */
export interface ImageOwner {
  /** The table of the records. */
  readonly table: string;
  readonly namespace: Namespace;
}

/** Returns a unique string for each image, for the keys of a `Map`. */
export function imageKey({ table, namespace }: ImageOwner): string {
  return `${table} ${namespaceMapKey(namespace)}`;
}

/**
 * Returns the version in the header of an image: `imageVersion`, with everything else that decides
 * what an index derives from a memory.
 *
 * @param codec The version of the packed records.
 * @param wordPieces Number of word pieces of the namespace's model; 0: it has none.
 */
export function imageVersionOf(codec: number, wordPieces: number): string {
  const { unicode = "" } = process.versions;
  return [imageVersion, codec, wordPieces, unicode].join(" ");
}

/** An image of up to this many bytes is read and written in one step. */
export const oneStepBytes = 4 * 1024 * 1024;

/** Bytes that are read or written between two pauses. */
export const sliceBytes = 1024 * 1024;

/** Each column begins at a multiple of this many bytes. */
export const alignment = 8;

/**
 * The end of an image, 16 bytes: the four bytes of `magic`, the length of the header, and the
 * checksum of the header (32 bits each), and four bytes of zeros.
 */
export const trailerBytes = 16;
export const magic = 0x31494d56; // "VMI1"

/** Where a column is: its first byte, its length in bytes, and its CRC-32. */
export type ColumnPlace = readonly [start: number, bytes: number, checksum: number];

/** What an image says about itself. */
export interface ImageHeader {
  /** `imageVersion`, with the versions of everything else that decides the columns. */
  readonly version: string;
  /** The table of the records. */
  readonly table: string;
  readonly userId: string;
  readonly agentId: string;
  /** Absent: the data without a tenant. */
  readonly tenant?: string | undefined;
  /** The last commit that the columns contain. */
  readonly head: Pick<Head, "epoch" | "seq">;
  readonly contentSeq: number;
  readonly profile?: VectorProfile | undefined;
  /** Values that are no columns, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly columns: Readonly<Record<string, ColumnPlace>>;
}
