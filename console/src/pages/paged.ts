import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isCancelled } from "../failure.js";

/** A page of a list, as the server returns it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}

/** A list that grows page by page. */
export interface PagedList<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
  readonly isLoading: boolean;
  readonly error?: unknown;
  /** Loads the next page, unless one is being loaded. */
  readonly more: () => void;
}

/** Loads the first page whenever `inputs` change, and further pages on demand. */
export function usePaged<T>(
  call: (pageToken: string, signal: AbortSignal) => Promise<Page<T>>,
  inputs: readonly unknown[],
): PagedList<T> {
  const state = useSignal<Omit<PagedList<T>, "more">>({
    items: [],
    isComplete: false,
    isLoading: true,
  });
  const next = useRef("");
  const leaving = useRef(new AbortController());
  const load = async (signal: AbortSignal) => {
    const { items } = state.peek();
    state.value = { items, isComplete: false, isLoading: true };
    try {
      const page = await call(next.current, signal);
      if (signal.aborted) return;
      next.current = page.nextPageToken;
      state.value = {
        items: [...items, ...page.items],
        isComplete: page.nextPageToken === "",
        isLoading: false,
      };
    } catch (error) {
      if (!signal.aborted && !isCancelled(error))
        state.value = { items, isComplete: false, isLoading: false, error };
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    next.current = "";
    state.value = { items: [], isComplete: false, isLoading: true };
    void load(controller.signal);
    return () => controller.abort();
  }, inputs);
  return {
    ...state.value,
    more: () => {
      const { isLoading, isComplete } = state.peek();
      if (!isLoading && !isComplete) void load(leaving.current.signal);
    },
  };
}
