import { signal } from "@preact/signals";
import { hrefOf, type Place, parsePlace } from "./router.js";

/** The place that the page shows. */
export const place = signal<Place>(parsePlace(location.hash));

addEventListener("hashchange", () => {
  place.value = parsePlace(location.hash);
});

/** Goes to a place, as a click on a link does. */
export function go(path: readonly string[], query?: Readonly<Record<string, string>>): void {
  location.hash = hrefOf(path, query);
}

/** Changes the address without a new entry in the history, such as while a list is walked. */
export function replacePlace(
  path: readonly string[],
  query?: Readonly<Record<string, string | undefined>>,
): void {
  const href = hrefOf(path, query);
  if (href === location.hash) return;
  history.replaceState(null, "", href);
  place.value = parsePlace(href);
}

/** Changes values of the query, and keeps the others. Empty values are left out. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = place.value;
  replacePlace(path, { ...query, ...changes });
}
