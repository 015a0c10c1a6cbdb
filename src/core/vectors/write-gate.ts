import { type Namespace, namespaceMapKey } from "../model/namespace.js";
import type { Call } from "../ports/call.js";

/** Holds back writes to a namespace for the moment in which its vectors are exchanged, so that there is a last one to catch up with. */
export interface WriteGate {
  /** Resolves when writes to the namespace may go on; `undefined`: they may. */
  closed(namespace: Namespace): Promise<void> | undefined;
  /** Holds writes back until the function that it returns is called. REQUIRES: it is open. */
  close(namespace: Namespace): () => void;
}

/** Waits until writes to the namespace may go on. @throws what ended the call, once it has ended */
export async function writesAllowed(
  gate: WriteGate,
  namespace: Namespace,
  call: Call,
): Promise<void> {
  const opened = gate.closed(namespace);
  if (opened !== undefined) await openedOrEnded(opened, call.signal);
  call.throwIfEnded();
}

async function openedOrEnded(opened: Promise<void>, signal: AbortSignal): Promise<void> {
  let stopWaiting: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  signal.addEventListener("abort", stopWaiting, { once: true });
  try {
    await Promise.race([opened, ended]);
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
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      closed.set(mapKey, opened);
      return () => {
        closed.delete(mapKey);
        open();
      };
    },
  };
}
