/**
 * Reads the output of `store-writer`. Returns the sequence number of the last acknowledged commit
 * of each user.
 */
export function acknowledgedCommits(output: string): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const line of output.split("\n").slice(0, -1)) {
    const [userId = "", seq] = line.split(" ");
    last.set(userId, Math.max(last.get(userId) ?? 0, Number(seq)));
  }
  return last;
}
