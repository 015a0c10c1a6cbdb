/** The quantised rows of a static model, one vector for each token. */
export interface Weights {
  readonly dimension: number;
  /** Row-major: `dimension` numbers for each token. */
  readonly rows: Int8Array;
  /** The factor for the numbers of each row. */
  readonly scales: Float32Array;
}

/** Size of a scale, which is a float16, in bytes. */
const scaleBytes = 2;

/** Returns the size of the weights of `tokenCount` tokens, in bytes. */
export function weightBytes(tokenCount: number, dimension: number): number {
  return tokenCount * (dimension + scaleBytes);
}

/**
 * Reads weights: the rows as int8, followed by one float16 scale for each row, little-endian. The
 * rows are a view of `bytes`.
 *
 * Requires: `bytes` has `weightBytes(tokenCount, dimension)` bytes.
 */
export function decodeWeights(bytes: Uint8Array, tokenCount: number, dimension: number): Weights {
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset, tokenCount * dimension);
  const halves = new DataView(bytes.buffer, bytes.byteOffset + rows.length);
  const scales = Float32Array.from({ length: tokenCount }, (_, token) =>
    float16(halves.getUint16(token * scaleBytes, true)),
  );
  return { dimension, rows, scales };
}

/** Returns the number that the bits of a finite float16 stand for (IEEE 754 binary16). */
function float16(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0b1_1111;
  const fraction = (bits & 0b11_1111_1111) / 1024;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}
