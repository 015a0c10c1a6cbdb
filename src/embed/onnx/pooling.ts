/** How the vectors of a text's tokens become the text's vector. */
export const poolings = ["cls", "mean", "max", "lasttoken"] as const;
export type Pooling = (typeof poolings)[number];

/** Vectors of tokens as a model gives them: row-major, one row a token. */
export interface TokenVectors {
  readonly values: Float32Array;
  readonly dimension: number;
  /** The text's first row. */
  readonly firstRow: number;
  /** Rows of the text, special tokens included, padding not. At least 1. */
  readonly rows: number;
}

/** The vector of one text. */
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

function rowOf({ values, dimension, firstRow }: TokenVectors, row: number): Float32Array {
  const start = (firstRow + row) * dimension;
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
