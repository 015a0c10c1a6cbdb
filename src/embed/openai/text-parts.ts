import { unitLength } from "../unit-length.js";

/** Bytes of a part at most. OpenAI's models take 8,191 tokens, and no token is shorter than a byte. */
const maxPartBytes = 8000;

/** A text in parts that are short enough for a model, cut at white space where there is some. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(maxPartBytes);
  for (let rest = text.toWellFormed(); rest !== ""; ) {
    const { read } = encoder.encodeInto(rest, buffer);
    const end = read === rest.length ? read : (lastSpaceIn(rest.slice(0, read)) ?? read);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return parts;
}

/** The vector of a text from those of its parts, whatever their lengths are: their mean by the length of each part, scaled to unit length. */
export function meanOfParts(
  parts: readonly string[],
  vectors: readonly Float32Array[],
): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const [part, vector] of vectors.entries()) {
    const weight = parts[part]?.length ?? 0;
    // Numbers near the greatest of a float32 would overflow with a weight.
    const unit = unitLength(vector.slice());
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (unit[i] ?? 0);
  }
  return unitLength(sum);
}

/** Where the last white space of a part begins; `undefined` if there is none, or only at its beginning. */
function lastSpaceIn(part: string): number | undefined {
  const found = /\s\S*$/.exec(part)?.index ?? 0;
  return found === 0 ? undefined : found;
}
