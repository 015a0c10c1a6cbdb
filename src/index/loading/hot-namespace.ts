import type { Namespace } from "../../core/model/namespace.js";
import type { Head } from "../../core/ports/store.js";
import type { NamespaceGraph } from "../graph/namespace-graph.js";
import type { ImageOwner } from "../image/image-format.js";
import type { HotNamespaceIndex } from "../namespace-index.js";

/** The index of a namespace in RAM. */
export interface HotNamespace {
  readonly namespace: Namespace;
  readonly owner: ImageOwner;
  readonly index: HotNamespaceIndex;
  graph: NamespaceGraph | undefined;
  /**
   * Whether the index is in the state of its head. False while it catches up, and for good after
   * it has failed to.
   */
  isWhole: boolean;
  /** The state of the index that its image has. Absent: none of this index. */
  saved?: SavedState | undefined;
  /**
   * The head of the index when the cache was last given its size. Absent: the cache has no size
   * yet.
   */
  sizedAt?: Head;
}

/** The state of an index in an image. */
export interface SavedState {
  readonly seq: number;
  /** `IndexRows.changes`. */
  readonly changes: number;
}
