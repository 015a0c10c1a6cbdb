import type { Clock, IdSource } from "../clock.js";
import type { Embedders } from "../embedder.js";
import type { SearchIndex } from "../search-index.js";
import type { Store } from "../store.js";
import type { WriteGate } from "../write-gate.js";
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
