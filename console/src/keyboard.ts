import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { letterKeys } from "./preferences.js";

/** A command that a key runs. Each command also has a button somewhere on the page. */
export interface KeyCommand {
  /** The key as `KeyboardEvent.key` names it, with `Ctrl+` or `g ` (typed before it) in front. */
  readonly key: string;
  /** What the command does, for the list of keys. */
  readonly does: string;
  readonly run: () => void;
}

/** The commands of what is shown, of the newest part last. */
const layers = signal<readonly (readonly KeyCommand[])[]>([]);

/** Returns all commands that keys run now, those of the newest part first. */
export function keyCommands(): readonly KeyCommand[] {
  const seen = new Set<string>();
  return layers.value
    .toReversed()
    .flat()
    .filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** Lets keys run commands while a part of the page is shown. */
export function useKeys(commands: readonly KeyCommand[]): void {
  useEffect(() => {
    layers.value = [...layers.peek(), commands];
    return () => {
      layers.value = layers.peek().filter((layer) => layer !== commands);
    };
  });
}

/** Whether the last key was the first one of a pair such as `g i`. */
let prefix = "";

addEventListener("keydown", (event) => {
  const name = nameOf(event);
  const pair = prefix + name;
  prefix = "";
  if (event.defaultPrevented || event.altKey || event.metaKey) return;
  const isLetter = !event.ctrlKey && name.length === 1;
  if (isLetter && (letterKeys.peek() === "off" || isTyping(event.target))) return;
  if (name === "Enter" && isPressable(event.target)) return;
  const isModal = document.querySelector("dialog[open]") !== null;
  if (isModal) return;
  const command = keyCommands().find(({ key }) => key === pair || key === name);
  if (command !== undefined) {
    event.preventDefault();
    command.run();
  } else if (name === "g" && isLetter) prefix = "g ";
});

function nameOf({ key, ctrlKey, shiftKey }: KeyboardEvent): string {
  const held = ctrlKey ? "Ctrl+" : "";
  if (!shiftKey || key.length !== 1)
    return held + (shiftKey && key.length > 1 ? "Shift+" : "") + key;
  return held + (/^\p{L}$/u.test(key) ? `Shift+${key.toLowerCase()}` : key);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    ? !(target instanceof HTMLInputElement && target.type === "checkbox")
    : false;
}

/** Whether Enter already does something with the element that has the focus. */
function isPressable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    /^(?:A|BUTTON|INPUT|TEXTAREA|SELECT|SUMMARY)$/.test(target.tagName)
  );
}
