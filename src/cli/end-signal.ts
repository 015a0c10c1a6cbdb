/** The numbers of the signals that end a server. An abrupt end has the exit code 128 + number. */
const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;
export type EndSignal = keyof typeof signalNumbers;

/** A second signal within this time after the first, in milliseconds, counts as the same signal. */
const sameSignalMs = 500;

/**
 * Resolves with the first signal that ends the server. A second signal after `sameSignalMs` ends
 * the process immediately.
 */
export function firstEndSignal(): Promise<EndSignal> {
  return new Promise((resolveSignal) => {
    let isEnding = false;
    let endsAtOnce = false;
    const receive = (signal: EndSignal) => {
      if (endsAtOnce) process.exit(128 + signalNumbers[signal]);
      if (isEnding) return;
      isEnding = true;
      // Under npm, Ctrl-C arrives twice at the same time: from the terminal and from npm.
      setTimeout(() => {
        endsAtOnce = true;
      }, sameSignalMs).unref();
      resolveSignal(signal);
    };
    process.on("SIGINT", receive).on("SIGTERM", receive);
  });
}
