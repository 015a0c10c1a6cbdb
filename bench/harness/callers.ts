/**
 * Runs `work` for each item with concurrent callers. Each caller waits for its item before it takes
 * the next.
 */
export async function withCallers<T>(
  callers: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
    }),
  );
}
