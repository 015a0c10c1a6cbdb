import { ConnectError } from "@connectrpc/connect";
import type { Status } from "#gen/google/rpc/status_pb.js";
import { VademecumError } from "../errors.js";
import type { Memories } from "../handles/memories.js";

/** A memory to store: the fields of `memories.add`. */
export type NewMemory = NonNullable<Parameters<Memories["addMany"]>[0]["memories"]>[number];

/** The limits of one AddMany: memories, and bytes with some room for the other fields. */
const maxMemories = 500;
const maxRequestBytes = 900_000;
const otherFieldsBytes = 1000;

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
  let size = Number.POSITIVE_INFINITY;
  for (const memory of added) {
    const bytes = sizeOf(memory.content) + sizeOf(JSON.stringify(memory.metadata));
    if (size + bytes > maxRequestBytes || requests.at(-1)?.length === maxMemories) {
      requests.push([]);
      size = 0;
    }
    requests.at(-1)?.push(memory);
    size += bytes + otherFieldsBytes;
  }
  return requests;
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
