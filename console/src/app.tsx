import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { announcement } from "./announce.js";
import { caller, identify, isOpen } from "./caller.js";
import { CallsPanel, isCallsPanelOpen } from "./calls/calls-panel.js";
import { Header } from "./header.js";
import { shareInbox } from "./inbox/share-stream.js";
import { apiKey } from "./key.js";
import { KeyForm } from "./key-form.js";
import { useKeys } from "./keyboard.js";
import { isKeysHelpOpen, KeysHelp } from "./keys-help.js";
import { go } from "./location.js";
import { isPaletteOpen, Palette } from "./palette.js";
import { CurrentPage } from "./routes.js";
import { needsKey } from "./rpc.js";

/** The whole page. */
export function App(): JSX.Element {
  const isWarned = useSignal(true);
  useSignalEffect(() => {
    void apiKey.value;
    void identify();
    return shareInbox();
  });
  useKeys([
    { key: "g i", does: "go to the inbox", run: () => go(["inbox"]) },
    { key: "g d", does: "go to decided proposals", run: () => go(["decided"]) },
    { key: "g u", does: "go to the users", run: () => go(["users"]) },
    { key: "g s", does: "go to the server", run: () => go(["server"]) },
    { key: "?", does: "show all keys", run: () => toggle(isKeysHelpOpen) },
    { key: "c", does: "show the calls that the page made", run: () => toggle(isCallsPanelOpen) },
    { key: "Ctrl+k", does: "go to a user, agent, block or page", run: () => toggle(isPaletteOpen) },
    { key: "/", does: "filter", run: focusFilter },
  ]);
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <Header />
      {isOpen.value && isWarned.value && (
        <p class="banner" role="note">
          <span>
            Callers are not checked, so agents can approve, too. To give each caller a key:{" "}
            <code>vademecum keys --help</code>
          </span>
          <button
            type="button"
            class="press plain"
            aria-label="Hide this warning"
            onClick={() => {
              isWarned.value = false;
            }}
          >
            ✕
          </button>
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {needsKey.value ? <KeyForm /> : caller.value === undefined ? <Waiting /> : <CurrentPage />}
      </main>
      <div class="spoken" aria-live="polite">
        {announcement.value}
      </div>
      {isKeysHelpOpen.value && <KeysHelp />}
      {isPaletteOpen.value && <Palette />}
      {isCallsPanelOpen.value && <CallsPanel />}
    </>
  );
}

function Waiting(): JSX.Element {
  return (
    <div class="empty-state">
      <p>Waiting for the server.</p>
      <button type="button" class="press plain" onClick={() => void identify()}>
        Try again
      </button>
    </div>
  );
}

function toggle(isShown: { value: boolean }): void {
  isShown.value = !isShown.value;
}

function focusFilter(): void {
  document.querySelector<HTMLElement>(".filter-bar select, .filter-bar input")?.focus();
}

/** A link would not do: the fragment of the address names a place, not an element. */
function skipToMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus();
}
