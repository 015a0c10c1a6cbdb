import { type Namespace, namespaceMapKey } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { type Item, storeGroup } from "./batch-group.js";
import type { AddInput, AddParts, MemoryBatch } from "./service.js";

/** Maximum number of memories in one transaction. */
const groupSizeMax = 256;

/**
 * Approximate maximum size of a group, in bytes. A group beyond this size takes no further memory.
 * There is a limit because a store may encode and send all records of a transaction in one step.
 */
const groupBytes = 1024 * 1024;

/**
 * The index of a namespace with at most this many memories is loaded if necessary. The load takes
 * less than a tenth of a second. A larger index would displace others that searches use.
 */
const loadedSizeMax = 4096;

/**
 * Creates a batch, which stores the memories of a namespace in groups. A group is one transaction.
 * The memories that arrive while a group is being stored become the next group.
 */
export function openBatch(parts: AddParts, call: Call): MemoryBatch {
  /** The waiting memories of each namespace. An entry exists while a group is being stored. */
  const waiting = new Map<string, Item[]>();
  const storeAll = async (namespace: Namespace, mapKey: string, items: Item[]): Promise<void> => {
    while (items.length > 0) {
      const size = await storeGroup(parts, items.splice(0, groupLength(items)), call);
      bringIndexUp(parts, namespace, size, call);
    }
    waiting.delete(mapKey);
  };
  return {
    add: (input) =>
      new Promise((resolve, reject) => {
        const item = { input, resolve, reject };
        const { namespace } = input;
        const mapKey = namespaceMapKey(namespace);
        const items = waiting.get(mapKey);
        if (items !== undefined) {
          items.push(item);
          return;
        }
        const begun = [item];
        waiting.set(mapKey, begun);
        void storeAll(namespace, mapKey, begun);
      }),
  };
}

/** Returns how many of the waiting memories become the next group, at least one. */
function groupLength(items: readonly Item[]): number {
  let bytes = 0;
  for (const [at, { input }] of items.entries()) {
    if (at === groupSizeMax || bytes > groupBytes) return at;
    bytes += approximateBytes(input);
  }
  return items.length;
}

/** Approximate bytes of a memory besides its content, metadata, tags and vector. */
const otherBytes = 512;

/**
 * Estimates the bytes of a memory in the store: two for each letter, and the caller's vector.
 * Vectors that the server makes do not count, because smaller groups would need more requests to
 * the model.
 */
function approximateBytes({ content, metadata, tags = [], embedding }: AddInput): number {
  let length = content.length;
  if (metadata !== undefined) length += JSON.stringify(metadata).length;
  for (const tag of tags) length += tag.length;
  return otherBytes + 2 * length + (embedding?.byteLength ?? 0);
}

/**
 * Brings the index up to the last commit in the background, so that the next search does not have
 * to. If this fails, the next search reports why.
 *
 * @param size an upper bound of the number of memories of the namespace
 */
export function bringIndexUp(
  { index }: AddParts,
  namespace: Namespace,
  size: number,
  { signal }: Call,
): void {
  const read = () => undefined;
  const isUp =
    size <= loadedSizeMax
      ? index.read(namespace, signal, read)
      : index.readLoaded(namespace, signal, read);
  isUp.catch(() => undefined);
}
