import type { Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import type { MemoryStatus, MemoryType } from "../model/memory.js";

/** Which memories an operation is about; absent or empty conditions let everything pass, all given ones must hold. Meanings: `filter.proto`. */
export interface Filter {
  readonly metadata?: JsonObject;
  readonly tagsAny?: readonly string[];
  readonly tagsAll?: readonly string[];
  readonly memoryTypes?: readonly MemoryType[];
  readonly kinds?: readonly string[];
  /** Half-open: `start` is inside, `end` is not. */
  readonly timeRange?: { readonly start?: Instant; readonly end?: Instant };
  readonly importanceMin?: number;
  readonly source?: string;
  readonly status?: MemoryStatus;
  readonly author?: string;
  readonly threadId?: string;
  /** A CEL expression. */
  readonly expression?: string;
}
