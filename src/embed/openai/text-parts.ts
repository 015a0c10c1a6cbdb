import { unitLength } from "../unit-length.js";

/**
 * Maximum bytes of a part. OpenAI's models accept 8,191 tokens, and no token is shorter than a
 * byte.
 */
const maxPartBytes = 8000;

/**
 * Splits a text into parts that are short enough for a model, at white space where there is some.
 * Leaves out parts of white space alone, because endpoints refuse them.
 */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(maxPartBytes);
  for (let rest = text.toWellFormed(); rest !== ""; ) {
    const { read } = encoder.encodeInto(rest, buffer);
    const end = read === rest.length ? read : (lastSpaceIn(rest.slice(0, read)) ?? read);
    const part = rest.slice(0, end);
    if (part.trim() !== "") parts.push(part);
    rest = rest.slice(end);
  }
  return parts;
}

/**
 * Returns the vector of a text: the mean of the unit vectors of its parts, weighted by the length
 * of each part and scaled to unit length.
 */
export function meanOfParts(
  parts: readonly string[],
  vectors: readonly Float32Array[],
): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const [part, vector] of vectors.entries()) {
    const weight = parts[part]?.length ?? 0;
    // Without scaling, components near the maximum of a float32 would overflow.
    const unit = unitLength(vector.slice());
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (unit[i] ?? 0);
  }
  return unitLength(sum);
}

/**
 * Returns the index of the last white space of a part; `undefined` if the part has none after its
 * start.
 */
function lastSpaceIn(part: string): number | undefined {
  const found = /\s\S*$/.exec(part)?.index ?? 0;
  return found === 0 ? undefined : found;
}
