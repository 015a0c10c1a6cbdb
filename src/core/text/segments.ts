/** A part of a text, from `start` up to but not including `end` (UTF-16 units). */
export interface TextSegment {
  readonly start: number;
  readonly end: number;
}

/**
 * Number of UTF-16 units that are segmented at a time. Windows are short because each step of a
 * segmenter takes time in proportion to its whole text.
 */
const windowLength = 1_024;

/**
 * Splits a text into sentences or words, without gaps. White space belongs to the sentence before
 * it. Between words, white space is a segment of its own. Takes time linear in the text, except for
 * very long sentences. Calls `pause` about once a millisecond.
 */
export async function segmentsOf(
  text: string,
  granularity: "sentence" | "word",
  pause: () => Promise<void>,
): Promise<TextSegment[]> {
  const segmenter = new Intl.Segmenter("und", { granularity });
  const found: TextSegment[] = [];
  let length = windowLength;
  for (let start = 0; start < text.length; ) {
    await pause();
    const window = text.slice(start, start + length);
    const isLast = start + length >= text.length;
    const ends = Array.from(
      segmenter.segment(window),
      ({ segment, index }) => index + segment.length,
    );
    // More text could change the last segment of the window.
    const whole = isLast ? ends : ends.slice(0, -1);
    if (whole.length === 0) {
      length *= 2;
      continue;
    }
    let from = start;
    for (const end of whole) {
      found.push({ start: from, end: start + end });
      from = start + end;
    }
    start = from;
    length = windowLength;
  }
  return found;
}
