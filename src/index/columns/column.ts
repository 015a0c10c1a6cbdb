/** A column: one number for each row, or for each entry of another kind. */
export type Column =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/**
 * Columns without entries, for what has none yet. All owners share them, because a namespace has
 * some sixty columns, and most of those of a small one stay empty.
 */
export const empty = {
  int8: new Int8Array(0),
  uint8: new Uint8Array(0),
  uint16: new Uint16Array(0),
  int32: new Int32Array(0),
  uint32: new Uint32Array(0),
  float32: new Float32Array(0),
  float64: new Float64Array(0),
} as const;

/** Least length of a column that has grown. */
const lengthMin = 8;

/**
 * Returns a column with room for `count` entries: the column itself if it is long enough, else a
 * longer copy.
 *
 * @param fill The value of the new entries. Default 0.
 */
export function withRoom<T extends Column>(column: T, count: number, fill = 0): T {
  if (count <= column.length) return column;
  const create = column.constructor as new (length: number) => T;
  const longer = new create(Math.max(lengthMin, Math.ceil(count * 1.25)));
  longer.set(column);
  if (fill !== 0) longer.fill(fill, column.length);
  return longer;
}

/**
 * Returns a column whose entry i is entry `kept[i]` of the given column.
 *
 * @param missing The value of entries that the given column does not have. Default 0.
 */
export function gathered<T extends Column>(column: T, kept: Int32Array, missing = 0): T {
  const create = column.constructor as new (length: number) => T;
  const result = new create(kept.length);
  for (let to = 0; to < kept.length; to++) result[to] = column[kept[to] as number] ?? missing;
  return result;
}
