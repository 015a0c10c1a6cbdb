/** Runs a use case and measures how long it takes, in milliseconds. */
export async function measure<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly durationMs: number }> {
  const startMs = performance.now();
  const result = await run();
  return { result, durationMs: performance.now() - startMs };
}
