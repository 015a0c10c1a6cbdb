import { type Client, connect } from "vademecum-client";
import { afterAll, beforeAll } from "vitest";
import { TestServer } from "../../contract/typescript/index.js";
import { VademecumStore, type VademecumStoreOptions } from "../src/index.js";

let client: Client | undefined;
let users = 0;

/** Runs a server for the tests of a file. */
export function useServer(): void {
  const server = new TestServer();
  beforeAll(async () => {
    await server.start();
    client = connect(server.address);
  });
  afterAll(async () => {
    client?.close();
    await server.remove();
  });
}

/** Returns the memories of a namespace that no other test uses. */
export function newMemories() {
  if (client === undefined) throw new Error("call useServer first");
  return client.memories(`user-${++users}`, "graph");
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
