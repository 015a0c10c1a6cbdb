// Converts LangGraph items to memories and back. All items of a store are memories of one Vademecum
// namespace.
//
// An item has one tag for its path, which is its LangGraph namespace and its key. It also has one
// tag for each prefix of its LangGraph namespace. The Python package uses the same tags.
import { createHash } from "node:crypto";
import type { Item } from "@langchain/langgraph-checkpoint";
import type { Memory } from "vademecum-client/v1/memory_pb.js";

/** The kind of items with indexed text, which a query can match. */
export const indexedKind = "langgraph_item";

/** The kind of items without indexed text. A search with a query returns them after all others. */
export const unindexedKind = "langgraph_item_unindexed";

const tagMaxBytes = 128;
const contentMaxBytes = 65_536;
/** A memory has at most 32 tags. One of them is for the path, the others are for prefixes. */
const depthMax = 31;

/** The LangGraph namespace and the key of an item. */
export interface ItemPath {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** Returns the tag for a path. Only the item at this path has it. */
export function itemTag({ namespace, key }: ItemPath): string {
  // Labels are not empty and contain no NUL, so the first two NULs in a row are before the key.
  return `item:${digestOf(`${namespace.join("\0")}\0\0${key}`)}`;
}

/** Returns the tag for a prefix. All items whose namespace starts with the prefix have it. */
export function prefixTag(prefix: readonly string[]): string {
  // Labels contain no period, so different prefixes have different texts.
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
 * Returns the content of an item's memory: the indexed text, cut to the size limit. If there is no
 * indexed text, the content is the path as text, for people who read the memory.
 */
export function contentOf({ namespace, key }: ItemPath, text: string): string {
  const bytes = Buffer.from(text === "" ? `${namespace.join("/")}/${key}` : text);
  // With `stream`, the decoder drops a character that the cut has split.
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
    // The Python package also updates a memory when it refreshes the item's lifetime. It then
    // stores the time of the item's last put as `put_time`.
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
