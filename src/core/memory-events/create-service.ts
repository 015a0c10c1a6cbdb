import type { MemoryEventParts, MemoryEventService } from "./service.js";
import { watchMemories } from "./watch.js";

/** Creates the watches of memories. */
export function createMemoryEventService(parts: MemoryEventParts): MemoryEventService {
  return {
    watch: (watched, call) => watchMemories(parts, watched, call),
    stopWatches: () => parts.commits.stop(),
  };
}
