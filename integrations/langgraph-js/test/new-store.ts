import { connect } from "vademecum-client";
import { afterAll, beforeAll } from "vitest";
import { serveTests } from "../../contract/typescript/index.js";
import { VademecumStore, type VademecumStoreOptions } from "../src/index.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });

/** Returns the memories of a namespace that no other test uses. */
export function newMemories() {
  const { client, userId } = newScope();
  return client.memories(userId, "graph");
}

/** Returns a store in a namespace that no other test uses. */
export function newStore(options?: VademecumStoreOptions): VademecumStore {
  return new VademecumStore(newMemories(), options);
}

/** Returns the sorted keys of the items that match a query. */
export function matchingKeysOf(
  items: readonly { readonly key: string; readonly score?: number }[],
): string[] {
  return keysOf(items.filter(({ score = 0 }) => score > 0));
}

/** Returns the sorted keys of items. */
export function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key).sort();
}
