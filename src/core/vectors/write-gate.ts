import { type Namespace, namespaceMapKey } from "../model/namespace.js";
import type { Call } from "../ports/call.js";

/**
 * Holds back adds and updates in a namespace during the last part of a Reindex. In this part, the
 * Reindex embeds the texts that changed last, and then puts the new vectors in use.
 */
export interface WriteGate {
  /**
   * Returns a promise that resolves when writes to the namespace may continue. Returns `undefined`
   * if writes may continue now.
   */
  closed(namespace: Namespace): Promise<void> | undefined;
  /** Holds back writes until the returned function is called. Requires: the gate is open. */
  close(namespace: Namespace): () => void;
}

/**
 * Waits until writes to the namespace may continue. Throws the error of `Call.throwIfEnded` if the
 * call ends first.
 */
export async function writesAllowed(
  gate: WriteGate,
  namespace: Namespace,
  call: Call,
): Promise<void> {
  const opening = gate.closed(namespace);
  // A signal that has already aborted sends no event, so the wait below would miss the end.
  call.throwIfEnded();
  if (opening !== undefined) await waitForEither(opening, call.signal);
  call.throwIfEnded();
}

async function waitForEither(opening: Promise<void>, signal: AbortSignal): Promise<void> {
  let stopWaiting: () => void = () => undefined;
  const end = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  signal.addEventListener("abort", stopWaiting, { once: true });
  try {
    await Promise.race([opening, end]);
  } finally {
    signal.removeEventListener("abort", stopWaiting);
  }
}

export function createWriteGate(): WriteGate {
  const closed = new Map<string, Promise<void>>();
  return {
    closed: (namespace) => (closed.size === 0 ? undefined : closed.get(namespaceMapKey(namespace))),
    close(namespace) {
      const mapKey = namespaceMapKey(namespace);
      let open: () => void = () => undefined;
      const opening = new Promise<void>((resolve) => {
        open = resolve;
      });
      closed.set(mapKey, opening);
      return () => {
        closed.delete(mapKey);
        open();
      };
    },
  };
}
