import { signal } from "@preact/signals";
import { serverPath } from "./base-path.js";
import { replacePlace } from "./location.js";

/**
 * The API key or token of the person. It is kept in RAM and in the storage of this tab, never in
 * an address or in storage that outlives the tab. New tabs ask the open ones for it.
 */
export const apiKey = signal<string | undefined>(undefined);

const storageName = `vademecum.key ${serverPath}`;
const channel = new BroadcastChannel(storageName);
/** How long a new tab waits for another one to answer, in milliseconds. */
const answerMs = 150;

type KeyMessage = { readonly wants: true } | { readonly key: string };

/** Uses a key from now on. An empty key forgets it. */
export function useKey(key: string): void {
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
  });
  const given = /^#key=(.+)$/s.exec(location.hash)?.[1];
  if (given !== undefined) {
    replacePlace([]);
    useKey(decodeURIComponent(given));
    return;
  }
  const kept = sessionStorage.getItem(storageName);
  const key = kept ?? (await askOtherTabs());
  if (key !== undefined) useKey(key);
}

function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const take = ({ data }: MessageEvent<KeyMessage>) => {
      if ("key" in data) finish(data.key);
    };
    const timer = setTimeout(() => finish(undefined), answerMs);
    const finish = (key: string | undefined) => {
      clearTimeout(timer);
      channel.removeEventListener("message", take);
      resolve(key);
    };
    channel.addEventListener("message", take);
    channel.postMessage({ wants: true } satisfies KeyMessage);
  });
}
