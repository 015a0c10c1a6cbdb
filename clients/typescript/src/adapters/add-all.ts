import { ConnectError } from "@connectrpc/connect";
import type { Status } from "#gen/google/rpc/status_pb.js";
import { VademecumError } from "../errors.js";
import type { Memories } from "../handles/memories.js";
import { requestsOf } from "./requests-of.js";

/** A memory to store: the fields of `memories.add`. */
export type NewMemory = NonNullable<Parameters<Memories["addMany"]>[0]["memories"]>[number];

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

function errorOf({ code, message, details }: Status): VademecumError {
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return new VademecumError(error);
}
