import { signal } from "@preact/signals";

const tickMs = 1000;

/** The time of the person's machine, in milliseconds. Stands still while the page is hidden. */
export const nowMs = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === "visible") nowMs.value = Date.now();
}, tickMs);
