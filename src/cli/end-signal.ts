/** Number of each signal that ends a server: the exit code of an abrupt end is 128 and this. */
const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;
export type EndSignal = keyof typeof signalNumbers;

/** Signals this soon after the first, in milliseconds, are taken for the same one. */
const doubledSignalMs = 500;

/** The first signal that asks for the end. From then on a second one ends the process. */
export function firstEndSignal(): Promise<EndSignal> {
  return new Promise((resolveSignal) => {
    let isEnding = false;
    let isImpatient = false;
    const receive = (signal: EndSignal) => {
      if (isImpatient) process.exit(128 + signalNumbers[signal]);
      if (isEnding) return;
      isEnding = true;
      // Ctrl-C under npm arrives twice at once: from the terminal and from npm.
      setTimeout(() => {
        isImpatient = true;
      }, doubledSignalMs).unref();
      resolveSignal(signal);
    };
    process.on("SIGINT", receive).on("SIGTERM", receive);
  });
}
