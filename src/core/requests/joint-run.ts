/**
 * Returns a function that runs `run`, one run after the other. Callers that wait for the same run
 * share it: each of them gets a run that began after its call.
 */
export function jointRun(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last.then(() => {
      waiting = undefined;
      const running = run();
      last = running.catch(() => undefined);
      return running;
    });
    return waiting;
  };
}
