/**
 * Runs `work` for each item with concurrent callers. Each caller waits until the work for its item
 * is done, then takes the next item.
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
