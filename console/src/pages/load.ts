import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isCancelled } from "../failure.js";

/** What a part of the page shows of a call. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error?: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Makes a call whenever `inputs` change, and cancels it if they change before it answers. The last
 * value stays until the next one arrives.
 */
export function useLoaded<T>(
  call: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const state = useSignal<Omit<Loaded<T>, "reload">>({ isLoading: true });
  const round = useSignal(0);
  useEffect(() => {
    const leaving = new AbortController();
    state.value = { ...state.peek(), isLoading: true };
    call(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) state.value = { value, isLoading: false };
      },
      (error: unknown) => {
        if (!leaving.signal.aborted && !isCancelled(error))
          state.value = { error, isLoading: false };
      },
    );
    return () => leaving.abort();
  }, [...inputs, round.value]);
  return {
    ...state.value,
    reload: () => {
      round.value += 1;
    },
  };
}
