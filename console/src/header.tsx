import type { JSX } from "preact";
import { caller } from "./caller.js";
import { isCallsPanelOpen } from "./calls/calls-panel.js";
import { feedStatus, heardMs, inbox, inboxVersion } from "./inbox/feed.js";
import { useKey } from "./key.js";
import { isKeysHelpOpen } from "./keys-help.js";
import { place } from "./location.js";
import { nowMs } from "./now.js";
import { isPaletteOpen } from "./palette.js";
import { Press } from "./parts/press.js";
import { nextOf, theme } from "./preferences.js";
import { hrefOf } from "./router.js";
import { Text } from "./text.js";
import { relativeOf, spanOf } from "./times.js";

const themeSigns = { auto: "◐", light: "☀", dark: "☾" } as const;

const pages = [
  ["inbox", "Inbox"],
  ["decided", "Decided"],
  ["users", "Users"],
  ["tools", "Tools"],
  ["runs", "Runs"],
  ["server", "Server"],
] as const;

/** The line above every page: where one can go, what waits, and how fresh it is. */
export function Header(): JSX.Element {
  const [first = "inbox"] = place.value.path;
  const current = first === "u" ? "users" : first;
  return (
    <header class="top">
      <a class="brand" href={hrefOf(["inbox"])}>
        Vademecum
      </a>
      <nav aria-label="Pages">
        {pages.map(([name, text]) => (
          <a key={name} href={hrefOf([name])} aria-current={name === current ? "page" : undefined}>
            {text} {name === "inbox" && <InboxCount />}
          </a>
        ))}
      </nav>
      <span class="spacer" />
      <span class="wide-only">
        <Press keyName="Ctrl+k" onPress={() => open(isPaletteOpen)}>
          Go to…
        </Press>
      </span>
      <Freshness />
      <Person />
      <span class="wide-only">
        <Press keyName="c" title="The calls of this page" onPress={() => open(isCallsPanelOpen)}>
          Calls
        </Press>
      </span>
      <Press title="All keys" label="All keys" onPress={() => open(isKeysHelpOpen)}>
        ?
      </Press>
      <Press
        title={`Colours: ${theme.value}`}
        label={`Colours: ${theme.value}`}
        onPress={() => {
          theme.value = nextOf(["auto", "light", "dark"], theme.value);
        }}
      >
        {themeSigns[theme.value]}
      </Press>
    </header>
  );
}

function open(panel: { value: boolean }): void {
  panel.value = true;
}

/** How many proposals wait, and for how long the oldest does. */
function InboxCount(): JSX.Element | null {
  void inboxVersion.value;
  const { size } = inbox.waiting;
  const [oldest] = inbox.waiting.values();
  if (size === 0) return <span class="count">0</span>;
  return (
    <>
      <span class="count some" data-testid="inbox-count">
        {size}
      </span>
      {oldest?.createTime !== undefined && (
        <span class="faint">
          {" "}
          oldest {relativeOf(oldest.createTime, nowMs.value).replace(/ ago$/, "")}
        </span>
      )}
    </>
  );
}

/** Whether the page shows what the server has now. */
function Freshness(): JSX.Element {
  const status = feedStatus.value;
  const age = spanOf(nowMs.value - heardMs.value);
  const texts = {
    connecting: "connecting",
    live: "live",
    polling: "polling",
    lost: `not connected, as of ${age} ago`,
    closed: "no access to proposals",
  } as const;
  return (
    <span class={`freshness ${status}`} role="status" data-testid="freshness">
      <span aria-hidden="true">{status === "live" ? "●" : "○"} </span>
      {texts[status]}
    </span>
  );
}

function Person(): JSX.Element | null {
  const who = caller.value;
  if (who === undefined) return null;
  return (
    <span class="person">
      <Text value={who.principal} />
      {who.credentialsInUse && (
        <button type="button" class="press link" onClick={() => useKey("")}>
          Change key
        </button>
      )}
    </span>
  );
}
