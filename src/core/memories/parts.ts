import type { Expression } from "../filter/expression.js";
import type { Clock, IdSource } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { WriteGate } from "../vectors/write-gate.js";

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
