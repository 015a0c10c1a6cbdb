// Stores a LangGraph item as a memory. All items of a store are memories of one Vademecum
// namespace.
//
// Tags identify an item: one for its namespace and key together, and one for each prefix of its
// namespace. The Python package uses the same format.
import { createHash } from "node:crypto";
import type { Item } from "@langchain/langgraph-checkpoint";
import type { Memory } from "vademecum-client/v1/memory_pb.js";

/** The kind of items that a query can find. */
export const indexedKind = "langgraph_item";

/** The kind of items that no query can find. */
export const unindexedKind = "langgraph_item_unindexed";

const tagMaxBytes = 128;
const contentMaxBytes = 65_536;
/** A memory has at most 32 tags; one of them is for the key. */
const depthMax = 31;

/** The namespace and key of an item. */
export interface ItemPath {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** Returns the tag that only the item of this path has. */
export function itemTag({ namespace, key }: ItemPath): string {
  // Labels are not empty and contain no NUL, so two NULs occur only before the key.
  return `item:${digestOf(`${namespace.join("\0")}\0\0${key}`)}`;
}

/** Returns the tag of all items whose namespace starts with this prefix. */
export function prefixTag(prefix: readonly string[]): string {
  // Labels contain no period.
  const path = prefix.join(".");
  const tag = `ns:${path}`;
  return Buffer.byteLength(tag) <= tagMaxBytes ? tag : `ns#${digestOf(path)}`;
}

/**
 * Returns all tags of an item.
 *
 * @throws RangeError if the namespace is too deep
 */
export function tagsOf(path: ItemPath): string[] {
  const { namespace } = path;
  if (namespace.length > depthMax) {
    throw new RangeError(
      `namespace: has ${namespace.length} labels; at most ${depthMax} are allowed`,
    );
  }
  return [itemTag(path), ...namespace.map((_, index) => prefixTag(namespace.slice(0, index + 1)))];
}

/**
 * Returns the content of the memory: the indexed text, cut to the size limit. Without indexed text,
 * it is the item's path, for people to read.
 */
export function contentOf({ namespace, key }: ItemPath, text: string): string {
  const bytes = Buffer.from(text === "" ? `${namespace.join("/")}/${key}` : text);
  // Streaming mode drops a character that the cut splits.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, contentMaxBytes), {
    stream: true,
  });
}

/** Returns the namespace of the item in a memory. */
export function namespaceOf({ metadata }: Memory): string[] {
  return (metadata?.["namespace"] ?? []) as string[];
}

/** Returns the item in a memory. */
export function itemOf(memory: Memory): Item {
  const { metadata = {}, createTime, updateTime } = memory;
  const putTime = metadata["put_time"];
  return {
    namespace: namespaceOf(memory),
    key: metadata["key"] as string,
    value: metadata["value"] as Item["value"],
    createdAt: dateOf(createTime),
    // The Python package changes a memory when it refreshes the item's lifetime. That is not a
    // change of the item.
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
