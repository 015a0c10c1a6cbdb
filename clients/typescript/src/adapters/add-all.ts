import { ConnectError } from "@connectrpc/connect";
import type { Status } from "#gen/google/rpc/status_pb.js";
import { VademecumError } from "../errors.js";
import type { Memories } from "../handles/memories.js";

/** A memory to store: the fields of `memories.add`. */
export type NewMemory = NonNullable<Parameters<Memories["addMany"]>[0]["memories"]>[number];

/** The limits of one AddMany: memories, bytes, and messages with list items and map entries. */
const maxMemories = 500;
const maxRequestBytes = 900_000;
const maxElements = 15_000;
/** What the other fields of a memory have at most. */
const otherFieldsBytes = 1000;
const otherElements = 10;

/**
 * Stores any number of memories, in as few calls of AddMany as their sizes allow, one after
 * another. Each call is one atomic step.
 *
 * @returns the ids of the memories, in their order
 * @throws VademecumError when the server refuses one of the memories. The others of its call, and
 *   the calls before, are stored
 */
export async function addAll(memories: Memories, added: readonly NewMemory[]): Promise<string[]> {
  const ids: string[] = [];
  for (const request of requestsOf(added))
    for (const { result } of (await memories.addMany({ memories: request })).results) {
      if (result.case === "error") throw errorOf(result.value);
      ids.push(result.value ?? "");
    }
  return ids;
}

function requestsOf(added: readonly NewMemory[]): NewMemory[][] {
  const requests: NewMemory[][] = [];
  let [bytes, elements] = [Number.POSITIVE_INFINITY, 0];
  for (const memory of added) {
    const { content, metadata, embedding = [], tags = [] } = memory;
    const vectorBytes = embedding.length * Float32Array.BYTES_PER_ELEMENT;
    const ownBytes =
      sizeOf(content) + sizeOf(JSON.stringify(metadata)) + vectorBytes + otherFieldsBytes;
    const ownElements = embedding.length + tags.length + elementsIn(metadata) + otherElements;
    bytes += ownBytes;
    elements += ownElements;
    const isFull = requests.at(-1)?.length === maxMemories;
    if (isFull || bytes > maxRequestBytes || elements > maxElements) {
      requests.push([]);
      [bytes, elements] = [ownBytes, ownElements];
    }
    requests.at(-1)?.push(memory);
  }
  return requests;
}

/** A value of JSON is at most three elements: a map entry, its message, and a list or a map. */
function elementsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 3;
  return Object.values(value).reduce<number>((sum, item) => sum + elementsIn(item), 3);
}

function sizeOf(text = ""): number {
  return new TextEncoder().encode(text).length;
}

function errorOf({ code, message, details }: Status): VademecumError {
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return new VademecumError(error);
}
