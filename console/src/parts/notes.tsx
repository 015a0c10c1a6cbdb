import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { failureOf } from "../failure.js";
import { reachableAgain } from "../rpc.js";
import { Text } from "../text.js";
import { Press } from "./press.js";

/** Says why a call failed, and offers to try it again. Does so itself once the server is back. */
export function FailureNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): JSX.Element {
  const { codeName, reason, message, isNetwork } = failureOf(error);
  const seen = useRef(reachableAgain.value);
  useEffect(() => {
    if (isNetwork && reachableAgain.value !== seen.current) onRetry?.();
  }, [reachableAgain.value]);
  return (
    <div class="note failure" role="alert">
      <p>
        <Text value={message} /> {!isNetwork && <span class="faint">{reason ?? codeName}</span>}
      </p>
      {onRetry !== undefined && <Press onPress={onRetry}>Try again</Press>}
    </div>
  );
}

/** Says what would be in a place that is empty, and how it comes there. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty-state">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A command to copy. */
export function Sample({ text }: { readonly text: string }): JSX.Element {
  return <pre class="sample">{text}</pre>;
}

/** Says that a call has not answered yet. */
export function Loading({ what }: { readonly what: string }): JSX.Element {
  return <p class="loading">Loading {what}…</p>;
}
