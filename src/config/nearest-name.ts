/** Returns the name that is most similar to a text; empty without names. */
export function nearestName(name: string, known: Iterable<string>): string {
  const [nearest = ""] = [...known]
    .map((other) => [other, distance(name, other)] as const)
    .sort(([, a], [, b]) => a - b)
    .map(([other]) => other);
  return nearest;
}

/** Returns how many characters to insert, delete or replace to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, character] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + Number(character !== other);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
