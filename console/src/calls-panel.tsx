import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { serverUrl } from "./base-path.js";
import { apiKey } from "./key.js";
import { Modal } from "./parts/modal.js";
import { type MadeCall, madeCalls } from "./rpc.js";

export const isCallsPanelOpen = signal(false);

/** Returns a call as a command for a shell. The key comes from the environment. */
function curlOf({ method, request }: MadeCall): string {
  const key =
    apiKey.value === undefined ? "" : ` \\\n  -H "authorization: Bearer $VADEMECUM_API_KEY"`;
  return `curl ${serverUrl}${method} \\\n  -H 'content-type: application/json'${key} \\\n  -d '${request.replaceAll("'", `'\\''`)}'`;
}

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
              {!call.isStream && <pre>{curlOf(call)}</pre>}
            </details>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
