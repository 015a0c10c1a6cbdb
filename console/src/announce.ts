import { signal } from "@preact/signals";

/** What a screen reader says next. */
export const announcement = signal("");

/** The least time between two announcements, in milliseconds. */
const gapMs = 5_000;

let lastMs = -gapMs;
let timer: ReturnType<typeof setTimeout> | undefined;
let next = "";

/**
 * Says a text to people who use a screen reader, at most one in five seconds. Of several texts
 * within this time, the last one is said.
 */
export function announce(text: string): void {
  next = text;
  if (timer !== undefined) return;
  timer = setTimeout(
    () => {
      timer = undefined;
      lastMs = performance.now();
      announcement.value = next;
    },
    Math.max(0, lastMs + gapMs - performance.now()),
  );
}
