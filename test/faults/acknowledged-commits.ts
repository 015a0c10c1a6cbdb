/** Returns the last commit of each user that `store-writer` has reported as acknowledged. */
export function acknowledgedCommits(output: string): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const line of output.split("\n").slice(0, -1)) {
    const [userId = "", seq] = line.split(" ");
    last.set(userId, Math.max(last.get(userId) ?? 0, Number(seq)));
  }
  return last;
}
