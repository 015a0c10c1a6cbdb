/**
 * Compares two texts by their UTF-8 bytes: negative, zero or positive. Differs from `<`, which
 * sorts characters above U+FFFF before U+E000.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) {
      const surrogateA = isSurrogate(unitA);
      return surrogateA === isSurrogate(unitB) ? unitA - unitB : surrogateA ? 1 : -1;
    }
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
