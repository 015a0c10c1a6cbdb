/**
 * Whether a word becomes another word by at most `edits` edits. An edit inserts, deletes or
 * replaces a letter, or swaps two adjacent letters. No letter is edited twice (optimal string
 * alignment). Takes time in proportion to the length of the words, times 4 to the power of `edits`.
 *
 * @param edits At least 0. Meant for 2 and less.
 */
export function isWithinEdits(a: string, b: string, edits: number): boolean {
  return restIsWithin(a, 0, b, 0, edits);
}

/** Whether the rest of `a` from `i` becomes the rest of `b` from `j`. */
function restIsWithin(a: string, i: number, b: string, j: number, edits: number): boolean {
  let at = i;
  let bt = j;
  while (at < a.length && bt < b.length && a.charCodeAt(at) === b.charCodeAt(bt)) {
    at += 1;
    bt += 1;
  }
  const restA = a.length - at;
  const restB = b.length - bt;
  if (Math.abs(restA - restB) > edits) return false;
  if (restA === 0 || restB === 0) return true;
  if (edits === 0) return false;
  return (
    restIsWithin(a, at + 1, b, bt + 1, edits - 1) ||
    restIsWithin(a, at + 1, b, bt, edits - 1) ||
    restIsWithin(a, at, b, bt + 1, edits - 1) ||
    (isSwap(a, at, b, bt) && restIsWithin(a, at + 2, b, bt + 2, edits - 1))
  );
}

/** Whether the next two letters of `a` are the next two letters of `b` in the other order. */
function isSwap(a: string, at: number, b: string, bt: number): boolean {
  return (
    at + 1 < a.length &&
    bt + 1 < b.length &&
    a.charCodeAt(at) === b.charCodeAt(bt + 1) &&
    a.charCodeAt(at + 1) === b.charCodeAt(bt)
  );
}
