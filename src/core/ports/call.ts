/** What an operation knows of the call it serves: whether somebody still waits for it. */
export interface Call {
  /** Throws CANCELLED or DEADLINE_EXCEEDED once the call has ended: cheap enough for every step. */
  throwIfEnded(): void;
  /** Aborts when the call ends. Made on first use. */
  readonly signal: AbortSignal;
}
