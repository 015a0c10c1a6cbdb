import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { serverPath } from "../base-path.js";
import { type FeedMessage, feedStatus, heardMs, inbox, receive } from "./feed.js";
import { followInbox, pollInbox, silenceMs } from "./stream.js";

/**
 * One stream for all tabs of a browser: a browser opens at most six connections to a server, and a
 * stream for each tab would keep the seventh tab from loading. The tab that holds a lock reads the
 * stream and passes its messages on. When it closes, the browser gives the lock to another tab.
 */
const name = `vademecum.inbox ${serverPath}`;
/** Silence of the tab with the stream after which another tab takes over. */
const takeOverMs = silenceMs * 2;

type TabMessage =
  | { readonly kind: "hello" }
  | { readonly kind: "feed"; readonly message: FeedMessage }
  | { readonly kind: "snapshot"; readonly waiting: readonly Proposal[]; readonly status: string };

/** Follows the inbox until the returned function is called. */
export function shareInbox(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  // Browsers have no locks on plain HTTP, except on the person's own machine.
  if (!("locks" in navigator)) {
    void pollInbox(receive, signal);
    return () => leaving.abort();
  }
  const channel = new BroadcastChannel(name);
  let leads = false;
  const lead = (lock: Lock | null) => {
    leads = lock !== null;
    const publish = (message: FeedMessage) => {
      receive(message);
      channel.postMessage({ kind: "feed", message } satisfies TabMessage);
    };
    return followInbox(publish, signal).finally(() => {
      leads = false;
    });
  };
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === "hello") {
      if (leads) channel.postMessage(snapshot());
    } else if (!leads) hear(data);
  });
  void navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  channel.postMessage({ kind: "hello" } satisfies TabMessage);
  const timer = setInterval(() => {
    const isSilent = Date.now() - heardMs.peek() > takeOverMs;
    if (leads || !isSilent || document.visibilityState !== "visible") return;
    heardMs.value = Date.now();
    void navigator.locks.request(name, { steal: true }, lead).catch(() => undefined);
  }, silenceMs);
  return () => {
    clearInterval(timer);
    leaving.abort();
    channel.close();
  };
}

function snapshot(): TabMessage {
  return { kind: "snapshot", waiting: [...inbox.waiting.values()], status: feedStatus.peek() };
}

/** Takes in what the tab with the stream tells. */
function hear(message: Exclude<TabMessage, { readonly kind: "hello" }>): void {
  if (message.kind === "feed") {
    receive(message.message);
    return;
  }
  receive({ kind: "begin" });
  receive({ kind: "proposals", proposals: message.waiting });
  receive({ kind: "complete" });
  receive({ kind: "status", status: message.status as typeof feedStatus.value });
}
