import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Modal } from "../parts/modal.js";
import { madeCalls } from "../rpc.js";
import { CallForms } from "./call-forms.js";

export const isCallsPanelOpen = signal(false);

/** The calls that the page has made, to repeat them in a shell or in a program. */
export function CallsPanel(): JSX.Element {
  return (
    <Modal
      title="Calls of this page"
      onClose={() => {
        isCallsPanelOpen.value = false;
      }}
    >
      <ul class="calls">
        {madeCalls.value.map((call, index) => (
          <li key={index}>
            <details>
              <summary>
                {call.method.replace(/^vademecum\.v1\./, "")}{" "}
                <span class="faint">
                  {call.isStream ? "stream" : `${Math.round(call.durationMs)} ms`}
                </span>
                {call.code !== undefined && <span class="warn"> {call.code}</span>}
              </summary>
              {!call.isStream && <CallForms call={call} />}
            </details>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
