/** Returns a count with its noun: `1 query`, `2 queries`. Default plural: the noun with an `s`. */
export function countPhrase(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
