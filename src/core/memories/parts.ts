import type { Clock, IdSource } from "../clock.js";
import type { Embedder } from "../embedder.js";
import type { Expression } from "../filter/expression.js";
import type { SearchIndex } from "../search-index.js";
import type { Store } from "../store.js";
import type { TokenCounter } from "../token-counter.js";

/** What the use cases need of the world. */
export interface MemoryServiceParts {
  readonly store: Store;
  readonly index: SearchIndex;
  /** `undefined`: the server makes no vectors. */
  readonly embedder: Embedder | undefined;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly compileExpression: (source: string) => Expression;
  /** Whether everything may be wiped. */
  readonly allowReset: boolean;
}
