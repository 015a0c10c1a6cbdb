import { appendTurns, replaceThread } from "./append.js";
import { forkThread } from "./fork.js";
import { getTurns, listThreads } from "./read.js";
import { clearThread, popTurn } from "./remove.js";
import type { ThreadService, ThreadServiceParts } from "./service.js";

/** Creates the use cases of threads. */
export function createThreadService(parts: ThreadServiceParts): ThreadService {
  return {
    append: (input, call) => appendTurns(parts, input, call),
    getTurns: (query, call) => getTurns(parts, query, call),
    pop: (input, call) => popTurn(parts, input, call),
    replace: (input, call) => replaceThread(parts, input, call),
    clear: (input, call) => clearThread(parts, input, call),
    fork: (input, call) => forkThread(parts, input, call),
    list: (query, call) => listThreads(parts, query, call),
  };
}
