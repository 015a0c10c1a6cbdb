import { signal } from "@preact/signals";
import type { GetServerResponse } from "#gen/vademecum/v1/server_pb.js";
import { admin } from "../rpc.js";

const pollMs = 5_000;
/** Samples that are kept: ten minutes. */
const samplesMax = 120;

/** What the server said about itself, oldest first. */
export const samples = signal<readonly GetServerResponse[]>([]);
export const samplesError = signal<unknown>(undefined);

/** Asks the server every few seconds while the page is visible, until the result is called. */
export function followServer(): () => void {
  const leaving = new AbortController();
  const ask = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const sample = await admin.getServer({}, { signal: leaving.signal });
      samples.value = [...samples.peek(), sample].slice(-samplesMax);
      samplesError.value = undefined;
    } catch (error) {
      if (!leaving.signal.aborted) samplesError.value = error;
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), pollMs);
  return () => {
    leaving.abort();
    clearInterval(timer);
  };
}
