import { VademecumError } from "./errors.js";
import type { Namespace } from "./namespace.js";

/** The limits on the number of memories of one namespace. */
export interface NamespaceSizes {
  /** Maximum number of memories that the server handles well. Above it, the log warns. */
  readonly supported: number;
  /** Maximum number of memories. A call that would add more is refused. */
  readonly max: number;
}

export const namespaceSizes: NamespaceSizes = { supported: 1_000_000, max: 5_000_000 };

/** Called when a namespace holds more memories than are supported. */
export type LargeNamespaceWarning = (namespace: Namespace, memories: number) => void;

/** Returns the error of a namespace that would hold too many memories. */
export function namespaceTooLarge(memories: number, { max }: NamespaceSizes): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "NAMESPACE_TOO_LARGE",
    `the namespace would hold ${memories} memories; the limit is ${max}. Split it by agent, ` +
      "project or year; Search several namespaces and merge the hits by relevance, which is " +
      "comparable",
    { metadata: { limit: String(max) } },
  );
}
