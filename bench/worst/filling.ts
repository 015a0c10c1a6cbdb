/** The bytes and the JSON of a field that is filled. */
export interface FieldContent {
  /** The records of the field, with their tags. */
  readonly wire: Uint8Array;
  /** The value of the field. Absent: JSON cannot express it. */
  readonly json?: string;
}

/** A way to fill a field. */
export interface Filling {
  readonly name: string;
  /** The counts to start with: bytes, items, or the number itself. */
  readonly counts: readonly number[];
  fill(count: number): FieldContent;
}
