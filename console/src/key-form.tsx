import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { apiKey, useKey } from "./key.js";

/** Asks for an API key or a token. What was on the page stays in the address. */
export function KeyForm(): JSX.Element {
  const typed = useSignal("");
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        useKey(typed.value.trim());
      }}
    >
      <h1>Who are you?</h1>
      <p>
        {apiKey.value === undefined
          ? "This server asks callers for credentials."
          : "The server does not accept the key. It may have expired, or been removed."}
      </p>
      <label class="field">
        API key or token
        <input
          type="password"
          autocomplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </label>
      <p class="faint">
        The key stays in this tab and the tabs that it opens. An operator makes one with{" "}
        <code>vademecum keys</code>.
      </p>
      <button type="submit" class="press main" disabled={typed.value.trim() === ""}>
        Continue
      </button>
    </form>
  );
}
