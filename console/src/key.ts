import { signal } from "@preact/signals";
import { serverPath } from "./base-path.js";
import { replacePlace } from "./location.js";
import { decode } from "./router.js";

/**
 * The API key or token of the person. It is kept in RAM and in the storage of this tab, never in
 * an address or in storage that outlives the tab. New tabs ask the open ones for it.
 */
export const apiKey = signal<string | undefined>(undefined);

const storageName = `vademecum.key ${serverPath}`;
const channel = new BroadcastChannel(storageName);
/** How long a new tab waits for another one to answer before it calls the server. */
const answerMs = 150;
/** Whether this tab has asked the others for their key, and has none yet. */
let wantsKey = false;

type KeyMessage = { readonly wants: true } | { readonly key: string };

/** Uses a key from now on. An empty key forgets it. */
export function useKey(key: string): void {
  wantsKey = false;
  apiKey.value = key === "" ? undefined : key;
  if (key === "") sessionStorage.removeItem(storageName);
  else sessionStorage.setItem(storageName, key);
}

/**
 * Looks for a key: in the address (`#key=…`, which it removes), in the storage of the tab, in
 * other tabs.
 */
export async function findKey(): Promise<void> {
  channel.addEventListener("message", ({ data }: MessageEvent<KeyMessage>) => {
    if ("wants" in data && apiKey.value !== undefined)
      channel.postMessage({ key: apiKey.value } satisfies KeyMessage);
    // A tab that was busy may answer late.
    if ("key" in data && wantsKey) useKey(data.key);
  });
  const given = /^#key=(.+)$/s.exec(location.hash)?.[1];
  if (given !== undefined) {
    replacePlace([]);
    useKey(decode(given));
    return;
  }
  const kept = sessionStorage.getItem(storageName);
  if (kept === null) await askOtherTabs();
  else useKey(kept);
}

/** Asks the other tabs for their key. Ends with the first answer, or after `answerMs`. */
function askOtherTabs(): Promise<void> {
  wantsKey = true;
  return new Promise((resolve) => {
    setTimeout(resolve, answerMs);
    channel.addEventListener("message", ({ data }: MessageEvent<KeyMessage>) => {
      if ("key" in data) resolve();
    });
    channel.postMessage({ wants: true } satisfies KeyMessage);
  });
}
