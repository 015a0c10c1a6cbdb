// How an item of LangGraph is kept as a memory of Vademecum: all items of a store are memories of one namespace of Vademecum.
// An item is found by its tags: one for its namespace and key together, and one for each prefix of its namespace.
// The Python package keeps items in the same way.
import { createHash } from "node:crypto";
import type { Item } from "@langchain/langgraph-checkpoint";
import type { Memory } from "vademecum-client/v1/memory_pb.js";

/** Kind of items that a search by words can find. */
export const indexedKind = "langgraph_item";

/** Kind of items that it cannot. */
export const unindexedKind = "langgraph_item_unindexed";

const tagMaxBytes = 128;
const contentMaxBytes = 65_536;
/** A memory has at most 32 tags, and one of them is for the key. */
const depthMax = 31;

/** Where an item is. */
export interface ItemPath {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** The tag that only the item of this path has. */
export function itemTag({ namespace, key }: ItemPath): string {
  // Labels have no NUL and are not empty, so that two NULs stand nowhere before the key.
  return `item:${digestOf(`${namespace.join("\0")}\0\0${key}`)}`;
}

/** The tag of all items whose namespace begins so. */
export function prefixTag(prefix: readonly string[]): string {
  // Labels have no period.
  const path = prefix.join(".");
  const tag = `ns:${path}`;
  return Buffer.byteLength(tag) <= tagMaxBytes ? tag : `ns#${digestOf(path)}`;
}

/**
 * All tags of an item.
 * @throws RangeError if the namespace is too deep
 */
export function tagsOf(path: ItemPath): string[] {
  const { namespace } = path;
  if (namespace.length > depthMax) {
    throw new RangeError(
      `namespace: has ${namespace.length} labels, and at most ${depthMax} are allowed`,
    );
  }
  return [itemTag(path), ...namespace.map((_, index) => prefixTag(namespace.slice(0, index + 1)))];
}

/** The content of the memory: the indexed text, cut where it is too long; without one, the item's path, for people. */
export function contentOf({ namespace, key }: ItemPath, text: string): string {
  const bytes = Buffer.from(text === "" ? `${namespace.join("/")}/${key}` : text);
  // As a stream, so that a character that the cut goes through is left out.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, contentMaxBytes), {
    stream: true,
  });
}

/** The namespace of the item that a memory keeps. */
export function namespaceOf({ metadata }: Memory): string[] {
  return (metadata?.["namespace"] ?? []) as string[];
}

/** The item that a memory keeps. */
export function itemOf(memory: Memory): Item {
  const { metadata = {}, createTime, updateTime } = memory;
  const putTime = metadata["put_time"];
  return {
    namespace: namespaceOf(memory),
    key: metadata["key"] as string,
    value: metadata["value"] as Item["value"],
    createdAt: dateOf(createTime),
    // A refreshed expiry, as the Python package does it, changes the memory, and is no change of the item.
    updatedAt: typeof putTime === "string" ? new Date(putTime) : dateOf(updateTime),
  };
}

function dateOf(timestamp: Memory["createTime"]): Date {
  return new Date(
    Number(timestamp?.seconds ?? 0n) * 1000 + Math.floor((timestamp?.nanos ?? 0) / 1e6),
  );
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
