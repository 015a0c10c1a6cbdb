import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Closes the dialog. Esc does the same. */
  readonly onClose: () => void;
  /** Does what the dialog is for. Ctrl+Enter does the same. */
  readonly onConfirm?: () => void;
}

/** A dialog above the page. When it closes, the focus returns to where it was. */
export function Modal({ title, children, onClose, onConfirm }: ModalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, so that no key typed meanwhile reaches the page below.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="modal-title"
      onClose={onClose}
      onKeyDown={(event) => {
        // A key that closes the dialog must not reach the page below it.
        event.stopPropagation();
        if (event.key === "Enter" && event.ctrlKey) onConfirm?.();
      }}
    >
      <header>
        <h2 id="modal-title">{title}</h2>
        <button type="button" class="press plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
