import { Code } from "@connectrpc/connect";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { failureOf } from "../failure.js";

const firstRetryMs = 500;
const lastRetryMs = 5_000;

interface Stream<T> {
  /** Opens the stream. */
  readonly open: (signal: AbortSignal) => AsyncIterable<T>;
  /** Takes a message. `isFirst`: it begins a stream, so what came before is out of date. */
  readonly take: (message: T, isFirst: boolean) => void;
  /** Silence after which the stream counts as lost, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * Follows a stream while the page is visible, so that hidden tabs hold no connection. Opens it
 * again when it was lost. Returns why nothing arrives; `undefined` while messages arrive.
 */
export function useStream<T>(stream: Stream<T>): unknown {
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    let leaving: AbortController | undefined;
    const follow = () => {
      leaving?.abort();
      if (document.visibilityState !== "visible") return;
      leaving = new AbortController();
      const { signal } = leaving;
      void keepReading(stream, signal, (error) => {
        failure.value = error;
      });
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      leaving?.abort();
    };
  }, []);
  return failure.value;
}

async function keepReading<T>(
  stream: Stream<T>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    const error = await readOnce(stream, signal, () => {
      retryMs = firstRetryMs;
      onFailure(undefined);
    });
    if (signal.aborted) return;
    onFailure(error);
    const { code } = failureOf(error);
    if (code === Code.PermissionDenied || code === Code.Unauthenticated) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    retryMs = Math.min(lastRetryMs, retryMs * 2);
  }
}

/** Reads a stream to its end, and returns why it has ended. */
async function readOnce<T>(
  { open, take, silenceMs }: Stream<T>,
  signal: AbortSignal,
  onMessage: () => void,
): Promise<unknown> {
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), silenceMs);
  let isFirst = true;
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), silenceMs);
      take(message, isFirst);
      isFirst = false;
      onMessage();
    }
    return new Error("the server has ended the stream");
  } catch (error) {
    return silence.signal.aborted
      ? new Error(`the server has sent nothing for ${silenceMs / 1000} s`)
      : error;
  } finally {
    clearTimeout(watchdog);
  }
}
