import type { Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import type { MemoryStatus, MemoryType } from "../model/memory.js";

/**
 * Selects the memories of an operation. A memory passes if it meets every condition. Every memory
 * meets an absent or empty condition. `filter.proto` documents the conditions.
 */
export interface Filter {
  readonly metadata?: JsonObject;
  readonly tagsAny?: readonly string[];
  readonly tagsAll?: readonly string[];
  readonly memoryTypes?: readonly MemoryType[];
  readonly kinds?: readonly string[];
  /** Includes `start` and excludes `end`. */
  readonly timeRange?: { readonly start?: Instant; readonly end?: Instant };
  readonly importanceMin?: number;
  readonly source?: string;
  readonly status?: MemoryStatus;
  readonly author?: string;
  readonly threadId?: string;
  /** A CEL expression. */
  readonly expression?: string;
}
