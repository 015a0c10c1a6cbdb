import type { Call } from "../ports/call.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import type { CountQuery, MemoryCount, MemoryServiceParts } from "./service.js";
import { visitMemories } from "./visit.js";

/** Counts the memories that pass the filter, in one state of the namespace. */
export async function countMemories(
  parts: MemoryServiceParts,
  query: CountQuery,
  call: Call,
): Promise<MemoryCount> {
  let count = 0;
  const add = () => {
    count += 1;
  };
  const begin = () => {
    count = 0;
  };
  const visited = { ...query, includeSuperseded: false };
  const head = await visitMemories(parts, visited, { begin, row: add, memory: add }, call);
  return { count, commitSeq: commitSeqOf(head, query.namespace.userId) };
}
