import { VademecumError } from "../../core/model/errors.js";
import type { Call } from "../../core/ports/call.js";

/** One for all calls: an error with its stack costs some 40 us, and every answered call whose signal was taken ends with this one. */
const callEnded = new VademecumError(
  "CANCELLED",
  "CALL_ENDED",
  "the call has ended: nobody waits for its answer any more",
);

/**
 * Whether somebody still waits for a call. A call ends once: by its answer (`finish`), because the caller left (`cancel`), or at its deadline.
 * The signal and the errors are made only when they are needed: made for each call they cost an eighth of a small one.
 */
export class CallLifetime implements Call {
  readonly #onCut: (error: VademecumError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #ended = false;
  #cutBy: VademecumError | undefined;

  /**
   * @param timeoutMs when the call is cut; `Infinity` for never
   * @param onCut called once if the call is cut before its answer
   */
  constructor(timeoutMs: number, onCut: (error: VademecumError) => void) {
    this.#onCut = onCut;
    this.#timer =
      timeoutMs === Infinity
        ? undefined
        : setTimeout(() => this.#cut(deadlineExceeded()), timeoutMs);
  }

  /** Whether the call has been answered or cut. */
  get ended(): boolean {
    return this.#ended;
  }

  /** What cut the call before its answer, if anything did. */
  get cutBy(): VademecumError | undefined {
    return this.#cutBy;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended) this.#controller.abort(this.#endedBy());
    }
    return this.#controller.signal;
  }

  throwIfEnded(): void {
    if (this.#ended) throw this.#endedBy();
  }

  /** Says that the call is being answered. False if it was answered or cut before: then nobody listens any more. */
  finish(): boolean {
    if (this.#ended) return false;
    this.#end();
    return true;
  }

  /** Says that the caller has left; `deadlinePassed` if it is its deadline that did so. */
  cancel(deadlinePassed: boolean): void {
    if (!this.#ended) this.#cut(deadlinePassed ? deadlineExceeded() : callEnded);
  }

  #cut(error: VademecumError): void {
    this.#cutBy = error;
    this.#end();
    this.#onCut(error);
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#controller?.abort(this.#endedBy());
  }

  #endedBy(): VademecumError {
    return this.#cutBy ?? callEnded;
  }
}

function deadlineExceeded(): VademecumError {
  return new VademecumError(
    "DEADLINE_EXCEEDED",
    "DEADLINE_EXCEEDED",
    "the call did not end before its deadline; a change may or may not have been made: repeat it with the same idempotency_key, or with a later deadline",
  );
}
