import type { Clock, IdSource } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { WriteGate } from "../vectors/write-gate.js";
import type { UseTimes } from "./use-times.js";

/** What the use cases need of the world. */
export interface SkillServiceParts {
  readonly store: Store;
  /** The index of skills. */
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly gate: WriteGate;
  readonly uses: UseTimes;
}
