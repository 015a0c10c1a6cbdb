// AssemblyScript, compiled by scripts/build-kernel.mjs. Memory layout: similar-rows.ts.
//
// A row holds `dimension` numbers of int8; `dimension` is a multiple of 16.

/** Writes 1 / length of each row (float32); 0 for a row of zeros. */
export function measureRows(rows: usize, count: i32, dimension: usize, scales: usize): void {
  for (let row = 0; row < count; row++) {
    const start = rows + <usize>row * dimension;
    const squares = <f32>dot(start, start, dimension);
    store<f32>(scales + <usize>row * sizeof<f32>(), squares > 0 ? <f32>1 / sqrt(squares) : 0);
  }
}

/**
 * Finds the rows whose cosine with one of the rows is above `least`. Writes their numbers (uint16)
 * and cosines (float32) and returns how many they are.
 */
export function findSimilar(
  rows: usize,
  count: i32,
  dimension: usize,
  scales: usize,
  row: i32,
  least: f32,
  numbers: usize,
  cosines: usize,
): i32 {
  const wanted = rows + <usize>row * dimension;
  const scale = load<f32>(scales + <usize>row * sizeof<f32>());
  let found = 0;
  for (let other = 0; other < count; other++) {
    const product = <f32>dot(wanted, rows + <usize>other * dimension, dimension);
    const cosine = product * scale * load<f32>(scales + <usize>other * sizeof<f32>());
    if (cosine <= least) continue;
    store<u16>(numbers + <usize>found * sizeof<u16>(), <u16>other);
    store<f32>(cosines + <usize>found * sizeof<f32>(), cosine);
    found++;
  }
  return found;
}

/** Dot product of two rows. */
@inline
function dot(a: usize, b: usize, dimension: usize): i32 {
  let sums0 = i32x4.splat(0);
  let sums1 = i32x4.splat(0);
  for (let i: usize = 0; i < dimension; i += 16) {
    const numbersA = v128.load(a + i);
    const numbersB = v128.load(b + i);
    sums0 = i32x4.add(
      sums0,
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(numbersA), i16x8.extend_low_i8x16_s(numbersB)),
    );
    sums1 = i32x4.add(
      sums1,
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(numbersA), i16x8.extend_high_i8x16_s(numbersB)),
    );
  }
  const sums = i32x4.add(sums0, sums1);
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
