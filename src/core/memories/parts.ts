import type { Clock, IdSource } from "../clock.js";
import type { Embedders } from "../embedder.js";
import type { Expression } from "../filter/expression.js";
import type { SearchIndex } from "../search-index.js";
import type { Store } from "../store.js";
import type { TokenCounter } from "../token-counter.js";
import type { WriteGate } from "../write-gate.js";

/** What the use cases need of the world. */
export interface MemoryServiceParts {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly gate: WriteGate;
  readonly compileExpression: (source: string) => Expression;
  /** Whether everything may be wiped. */
  readonly allowReset: boolean;
}
