// Converts LangGraph items to memories and back. All items of a store are memories of one Vademecum
// namespace.
//
// The external id of an item's memory stands for its path, which is its LangGraph namespace and its
// key. An item has one tag for each prefix of its namespace. The Python package uses the same
// external ids and tags.
import type { Item, PutOperation } from "@langchain/langgraph-checkpoint";
import { hashOf, type NewMemory, splitText } from "vademecum-client/adapters";
import { type Memory, MemoryType } from "vademecum-client/v1/memory_pb.js";
import { OnConflict } from "vademecum-client/v1/memory_provider_pb.js";
import { indexedText } from "./indexed-text.js";
import { checkedObject } from "./json-values.js";

/** The kind of items with indexed text, which a query can match. */
export const indexedKind = "langgraph_item";

/** The kind of items without indexed text. A search with a query returns them after all others. */
export const unindexedKind = "langgraph_item_unindexed";

const tagMaxBytes = 128;
const contentMaxBytes = 65_536;
/** A memory has at most 32 tags. */
const depthMax = 32;

/** The LangGraph namespace and the key of an item. */
export interface ItemPath {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** Returns the external id of an item's memory. */
export function externalIdOf({ namespace, key }: ItemPath): string {
  // Labels are not empty and contain no NUL, so the first two NULs in a row are before the key.
  return `langgraph/${hashOf(`${namespace.join("\0")}\0\0${key}`)}`;
}

/** Returns the tag for a prefix. All items whose namespace starts with the prefix have it. */
export function prefixTag(prefix: readonly string[]): string {
  // Labels contain no period, so different prefixes have different texts.
  const path = prefix.join(".");
  const tag = `ns:${path}`;
  return Buffer.byteLength(tag) <= tagMaxBytes ? tag : `ns#${hashOf(path)}`;
}

/**
 * Returns the memory of a put. It replaces an earlier memory of the item.
 *
 * @param defaultPaths the paths of the indexed texts, unless the put names others
 * @throws RangeError if the item cannot be stored
 */
export function memoryOf(
  { namespace, key, value, index }: PutOperation,
  defaultPaths: readonly string[],
): NewMemory {
  const path = { namespace, key };
  const checked = checkedObject(value ?? {}, "value");
  const text = index === false ? "" : indexedText(checked, index ?? defaultPaths);
  return {
    content: contentOf(path, text),
    memoryType: MemoryType.SEMANTIC,
    kind: text === "" ? unindexedKind : indexedKind,
    tags: tagsOf(namespace),
    metadata: { namespace: [...namespace], key, value: checked },
    externalId: externalIdOf(path),
    onConflict: OnConflict.REPLACE,
  };
}

/**
 * Returns the tags of an item: one for each prefix of its namespace.
 *
 * @throws RangeError if the namespace is too deep
 */
export function tagsOf(namespace: readonly string[]): string[] {
  if (namespace.length > depthMax) {
    throw new RangeError(
      `namespace: has ${namespace.length} labels; at most ${depthMax} are allowed`,
    );
  }
  return namespace.map((_, index) => prefixTag(namespace.slice(0, index + 1)));
}

/**
 * Returns the content of an item's memory: the indexed text, cut to the size limit. If there is no
 * indexed text, the content is the path as text, for people who read the memory.
 */
export function contentOf({ namespace, key }: ItemPath, text: string): string {
  return splitText(text === "" ? `${namespace.join("/")}/${key}` : text, contentMaxBytes)[0] ?? "";
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
