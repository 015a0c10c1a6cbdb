/** How to combine the vectors of a text's tokens into the vector of the text. */
export const poolings = ["cls", "mean", "max", "lasttoken"] as const;
export type Pooling = (typeof poolings)[number];

/** The token vectors of one text: row-major, one row for each token. */
export interface TokenVectors {
  readonly values: Float32Array;
  readonly dimension: number;
  /** Number of rows, with special tokens. At least 1. */
  readonly rows: number;
}

/** Returns the vector of one text. */
export function poolTokens(pooling: Pooling, tokens: TokenVectors): Float32Array {
  switch (pooling) {
    case "cls":
      return rowOf(tokens, 0).slice();
    case "lasttoken":
      return rowOf(tokens, tokens.rows - 1).slice();
    case "mean":
      return combineRows(tokens, (sum, value) => sum + value).map((sum) => sum / tokens.rows);
    case "max":
      return combineRows(tokens, Math.max);
  }
}

function rowOf({ values, dimension }: TokenVectors, row: number): Float32Array {
  const start = row * dimension;
  return values.subarray(start, start + dimension);
}

function combineRows(
  tokens: TokenVectors,
  combine: (a: number, b: number) => number,
): Float32Array {
  const result = rowOf(tokens, 0).slice();
  for (let row = 1; row < tokens.rows; row++) {
    const next = rowOf(tokens, row);
    for (let i = 0; i < result.length; i++) result[i] = combine(result[i] ?? 0, next[i] ?? 0);
  }
  return result;
}
