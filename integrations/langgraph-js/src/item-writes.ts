import type { PutOperation } from "@langchain/langgraph-checkpoint";
import { Code, VademecumError } from "vademecum-client";
import { type Memory, MemoryType } from "vademecum-client/v1/memory_pb.js";
import { indexedText } from "./indexed-text.js";
import {
  contentOf,
  type ItemPath,
  indexedKind,
  itemTag,
  tagsOf,
  unindexedKind,
} from "./item-memory.js";
import type { ItemReads, Memories } from "./item-reads.js";
import { checkedObject, type JsonObject } from "./json-values.js";

const writtenFields = ["content", "kind", "tags", "metadata", "expire_time"];

/** A checked put: what to send to the server. A draft without fields deletes the item. */
export interface Draft extends ItemPath {
  readonly fields?: {
    readonly content: string;
    readonly kind: string;
    readonly tags: string[];
    readonly metadata: JsonObject;
  };
}

/** Stores and deletes items. */
export class ItemWrites {
  readonly #memories: Memories;
  readonly #reads: ItemReads;
  readonly #defaultPaths: readonly string[];

  constructor(memories: Memories, reads: ItemReads, defaultPaths: readonly string[]) {
    this.#memories = memories;
    this.#reads = reads;
    this.#defaultPaths = defaultPaths;
  }

  /**
   * Returns the draft of a put.
   *
   * @throws RangeError if the item cannot be stored
   */
  draft({ namespace, key, value, index }: PutOperation): Draft {
    const path = { namespace, key };
    if (value === null) return path;
    const checked = checkedObject(value, "value");
    const text = index === false ? "" : indexedText(checked, index ?? this.#defaultPaths);
    const fields = {
      content: contentOf(path, text),
      kind: text === "" ? unindexedKind : indexedKind,
      tags: tagsOf(path),
      metadata: { namespace: [...namespace], key, value: checked },
    };
    return { ...path, fields };
  }

  /**
   * Writes a draft to the server. `known` are the memories of the item, newest first.
   *
   * Two concurrent puts of a new item both add a memory. The later put then finds both memories and
   * deletes the older one. Meanwhile, all readers take the newest memory as the item.
   */
  async write(draft: Draft, known: readonly Memory[]): Promise<void> {
    const { fields } = draft;
    if (fields === undefined) return this.#delete(known);
    const tag = itemTag(draft);
    let memories = known;
    while (memories[0] !== undefined) {
      if (await this.#update(memories[0].id, fields)) return this.#delete(memories.slice(1));
      memories = await this.#readMemories(draft, tag);
    }
    await this.#memories.add({ ...fields, memoryType: MemoryType.SEMANTIC });
    await this.#delete((await this.#readMemories(draft, tag)).slice(1));
  }

  /** Updates a memory. Resolves with false if the memory no longer exists. */
  async #update(id: string, changes: NonNullable<Draft["fields"]>): Promise<boolean> {
    try {
      await this.#memories.update({ id, changes, updateMask: { paths: writtenFields } });
      return true;
    } catch (error) {
      if (error instanceof VademecumError && error.code === Code.NotFound) return false;
      throw error;
    }
  }

  async #readMemories(path: ItemPath, tag: string): Promise<readonly Memory[]> {
    return (await this.#reads.find([path])).get(tag) ?? [];
  }

  async #delete(memories: readonly Memory[]): Promise<void> {
    for (const { id } of memories) await this.#memories.delete({ id });
  }
}
