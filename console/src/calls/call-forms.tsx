import type { JSX } from "preact";
import { serverUrl } from "../base-path.js";
import { apiKey } from "../key.js";
import { Copy } from "../parts/copy.js";
import { Text } from "../text.js";
import { type Call, programs } from "./call-programs.js";

/** A call as programs that repeat it. The key comes from the environment. */
export function CallForms({ call }: { readonly call: Call }): JSX.Element {
  const target = { url: serverUrl, needsKey: apiKey.value !== undefined };
  return (
    <>
      {Object.entries(programs).map(([name, write]) => {
        const program = write(call, target);
        return (
          <details key={name}>
            <summary>This call in {name}</summary>
            <Copy text={program} />
            <pre class="boxed">
              <Text value={program} />
            </pre>
          </details>
        );
      })}
    </>
  );
}
