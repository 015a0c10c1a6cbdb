/** Texts up to this number of UTF-16 units stay unchanged. */
const shortLength = 64;

/**
 * Empties the long texts of a JSON document, but not the keys of its objects. The result has the
 * same objects and keys, and the same faults outside of its texts.
 */
export function withoutLongTexts(json: string): string {
  const kept: string[] = [];
  let keptFrom = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfText(json, start);
    if (end - start > shortLength && !isKey(json, end)) {
      kept.push(json.slice(keptFrom, start + 1));
      keptFrom = end;
    }
    start = json.indexOf('"', end + 1);
  }
  kept.push(json.slice(keptFrom));
  return kept.join("");
}

/** Returns the position of the quote that ends a text, or the length of the document. */
function endOfText(json: string, start: number): number {
  // `indexOf` runs in native code, so that long texts cost little.
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

const colonAhead = /\s*:/y;

/** Whether the text that ends at a position is the key of an object. */
function isKey(json: string, end: number): boolean {
  colonAhead.lastIndex = end + 1;
  return colonAhead.test(json);
}
