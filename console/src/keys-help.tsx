import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { keyCommands } from "./keyboard.js";
import { Modal } from "./parts/modal.js";
import { letterKeys, nextOf, zone } from "./preferences.js";

export const isKeysHelpOpen = signal(false);

/** All keys that do something now, and what else a person can choose. */
export function KeysHelp(): JSX.Element {
  return (
    <Modal
      title="Keys"
      onClose={() => {
        isKeysHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {keyCommands().map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key.replace("+", " ").replace("ArrowDown", "↓").replace("ArrowUp", "↑")}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="choice">
        <input
          type="checkbox"
          checked={letterKeys.value === "on"}
          onChange={() => {
            letterKeys.value = nextOf(["on", "off"], letterKeys.value);
          }}
        />
        Letters are keys
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={zone.value === "utc"}
          onChange={() => {
            zone.value = nextOf(["local", "utc"], zone.value);
          }}
        />
        Times in UTC
      </label>
    </Modal>
  );
}
