import type { JSX } from "preact";
import { hasRole } from "../caller.js";
import { Empty } from "../parts/notes.js";
import { hrefOf } from "../router.js";
import { AuditTab } from "./audit-tab.js";
import { JobsTab } from "./jobs.js";
import { SlowCallsTab } from "./slow-calls.js";
import { StatusTab } from "./status-tab.js";

const tabs = [
  [undefined, "Status", StatusTab],
  ["jobs", "Jobs", JobsTab],
  ["slow", "Slow calls", SlowCallsTab],
  ["audit", "Audit", AuditTab],
] as const;

/** Whether the server is well, what it is doing, which calls are slow, and who did what. */
export function ServerPage({ tab }: { readonly tab: string | undefined }): JSX.Element {
  const [, , Tab] = tabs.find(([name]) => name === tab) ?? tabs[0];
  return (
    <section class="page" aria-label="Server">
      <h1>Server</h1>
      <nav class="tabs" aria-label="Parts">
        {tabs.map(([name, text]) => (
          <a
            key={text}
            href={hrefOf(name === undefined ? ["server"] : ["server", name])}
            aria-current={tab === name ? "page" : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      {hasRole("operator") ? (
        <Tab />
      ) : (
        <Empty title="Only operators see the server">
          <p>This page needs a key with the role operator.</p>
        </Empty>
      )}
    </section>
  );
}
