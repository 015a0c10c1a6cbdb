import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { announce } from "../announce.js";

/** How long the button says that it has copied, in milliseconds. */
const shownMs = 2_000;

/** A button that copies a text exactly as it is, with characters that nobody can see. */
export function Copy({ text }: { readonly text: string }): JSX.Element {
  const label = useSignal("copy");
  return (
    <button
      type="button"
      class="press link"
      onClick={({ currentTarget }) => {
        void copy(text, currentTarget).then((isCopied) => {
          label.value = isCopied ? "copied" : "not copied";
          announce(label.value);
          setTimeout(() => {
            label.value = "copy";
          }, shownMs);
        });
      }}
    >
      {label.value}
    </button>
  );
}

/** Returns whether the text is in the clipboard. */
async function copy(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // On plain HTTP, pages of other machines have no `navigator.clipboard`.
    return copySelected(text, near);
  }
}

/** Copies by a selection. The field is beside the button, because a dialog has the focus. */
function copySelected(text: string, near: HTMLElement): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "spoken";
  near.after(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  near.focus();
  return isCopied;
}
