import { signal } from "@preact/signals";

const wide = matchMedia("(min-width: 1100px)");

/** Whether list and detail fit side by side. */
export const isWide = signal(wide.matches);

wide.addEventListener("change", ({ matches }) => {
  isWide.value = matches;
});
