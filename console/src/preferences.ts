import { effect, signal } from "@preact/signals";

/** What a person has chosen for this browser. Nothing that anybody wrote is ever in here. */
export const theme = keptSignal<"auto" | "light" | "dark">("theme", "auto", [
  "auto",
  "light",
  "dark",
]);
/** Whether letters are keys. Off for people whose speech input types letters. */
export const letterKeys = keptSignal<"on" | "off">("keys", "on", ["on", "off"]);
export const zone = keptSignal<"local" | "utc">("zone", "local", ["local", "utc"]);
export const diffForm = keptSignal<"auto" | "split" | "unified">("diff", "auto", [
  "auto",
  "split",
  "unified",
]);
export const whiteSpace = keptSignal<"off" | "on">("white-space", "off", ["off", "on"]);

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

function keptSignal<T extends string>(name: string, initial: T, values: readonly T[]) {
  const storageName = `vademecum.${name}`;
  const kept = values.find((value) => value === localStorage.getItem(storageName));
  const kind = signal<T>(kept ?? initial);
  effect(() => {
    localStorage.setItem(storageName, kind.value);
  });
  return kind;
}

/** The next value of a preference, for a button that goes through all of them. */
export function nextOf<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length] ?? value;
}
