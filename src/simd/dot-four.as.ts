// AssemblyScript, part of the kernels that import it.

/**
 * Dot products of a query (int16) and four rows (int8). `dimension` is a multiple of 8. Loads each
 * part of the query once for the four rows.
 */
@inline
export function dotFour(row0: usize, row1: usize, row2: usize, row3: usize, dimension: usize, query: usize): v128 {
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  let sums2 = i32x4.splat(0);
  let sums3 = i32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 8) {
    const part = v128.load(query + i * sizeof<i16>());
    sums0 = i32x4.add(sums0, i32x4.dot_i16x8_s(v128.load8x8_s(row0 + i), part));
    sums1 = i32x4.add(sums1, i32x4.dot_i16x8_s(v128.load8x8_s(row1 + i), part));
    sums2 = i32x4.add(sums2, i32x4.dot_i16x8_s(v128.load8x8_s(row2 + i), part));
    sums3 = i32x4.add(sums3, i32x4.dot_i16x8_s(v128.load8x8_s(row3 + i), part));
  }
  const sums01 = i32x4.add(v128.shuffle<i32>(sums0, sums1, 0, 4, 1, 5), v128.shuffle<i32>(sums0, sums1, 2, 6, 3, 7));
  const sums23 = i32x4.add(v128.shuffle<i32>(sums2, sums3, 0, 4, 1, 5), v128.shuffle<i32>(sums2, sums3, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(sums01, sums23, 0, 1, 4, 5), v128.shuffle<i32>(sums01, sums23, 2, 3, 6, 7));
}
