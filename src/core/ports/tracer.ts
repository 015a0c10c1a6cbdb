import type { EndedCall } from "./ended-call.js";

/** The operations on memories that spans are named by. */
export type MemoryOperation = "create_memory" | "search_memory" | "update_memory" | "delete_memory";

/** The span of a call that is traced. It holds no texts, and no ids of users and agents. */
export interface CallSpan {
  /** The header `traceparent` for calls that this call makes. */
  readonly traceparent: string;
  /**
   * Begins the span of an operation on memories.
   *
   * @returns a function that ends the span, with the number of memories that were written, found or
   *   deleted, or with the code of the error
   */
  beginOperation(operation: MemoryOperation): (outcome: number | string) => void;
  /** Ends the span. */
  end(call: EndedCall): void;
}

/** Decides which calls are traced. It must not throw, and must be fast: it runs in each call. */
export interface Tracer {
  /**
   * Begins the span of a call. Returns `undefined` if the call is not traced.
   *
   * @param traceparent the header of the call: if it is valid, the caller has decided
   */
  begin(traceparent: string | undefined): CallSpan | undefined;
}
