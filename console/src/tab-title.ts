import { effect } from "@preact/signals";
import { inbox, inboxVersion } from "./inbox/feed.js";
import { place } from "./location.js";

const names: Readonly<Record<string, string>> = {
  inbox: "Inbox",
  decided: "Decided",
  users: "Users",
  u: "Users",
  server: "Server",
};

/** Keeps the number of waiting proposals in the title and in the icon of the tab. */
export function followTabTitle(): void {
  effect(() => {
    void inboxVersion.value;
    const count = inbox.waiting.size;
    const name = names[place.value.path[0] ?? "inbox"] ?? "Inbox";
    document.title = `${count > 0 ? `(${count}) ` : ""}${name} · Vademecum`;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon !== null) icon.href = iconWith(count);
  });
}

function iconWith(count: number): string {
  const text = count > 99 ? "99" : String(count);
  const badge =
    count === 0
      ? ""
      : `<circle cx="21" cy="21" r="11" fill="#c2410c"/><text x="21" y="26" font-family="sans-serif" font-size="14" font-weight="bold" text-anchor="middle" fill="#fff">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14606b"/><path d="M9 7h11a3 3 0 0 1 3 3v15l-8.5-5L6 25V10a3 3 0 0 1 3-3z" fill="#fff"/>${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
