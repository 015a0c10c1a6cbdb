import type { ComponentChildren, JSX } from "preact";

interface PressProps {
  readonly children: ComponentChildren;
  readonly onPress: () => void;
  /** The key that does the same. */
  readonly keyName?: string;
  readonly kind?: "main" | "danger" | "plain" | "link";
  readonly isOff?: boolean;
  readonly title?: string;
  readonly isPressed?: boolean;
  readonly label?: string;
}

/** A button, with the key that does the same. */
export function Press(props: PressProps): JSX.Element {
  const {
    children,
    onPress,
    keyName,
    kind = "plain",
    isOff = false,
    title,
    isPressed,
    label,
  } = props;
  return (
    <button
      type="button"
      class={`press ${kind}`}
      disabled={isOff}
      title={title}
      aria-pressed={isPressed}
      aria-label={label}
      aria-keyshortcuts={keyName?.replace("Ctrl+", "Control+")}
      onClick={onPress}
    >
      {children}
      {keyName !== undefined && (
        <span class="kbd" aria-hidden="true">
          {keyName.replace("Shift+", "⇧").replace("Ctrl+", "Ctrl ").replace("Enter", "⏎")}
        </span>
      )}
    </button>
  );
}
