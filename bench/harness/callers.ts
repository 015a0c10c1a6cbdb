/** Runs `work` for each item: so many callers at a time, each of which waits for its item before it takes the next. */
export async function withCallers<T>(
  callers: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
    }),
  );
}
