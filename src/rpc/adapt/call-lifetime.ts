import { VademecumError } from "../../core/model/errors.js";
import type { Call } from "../../core/ports/call.js";
import { answered, type Outcome } from "../../core/ports/ended-call.js";
import { callEnded } from "../admit/call-end.js";

/**
 * The lifetime of a call. A call ends once: with its answer (`finish`), when the client cancels it
 * (`cancel`), at its deadline, or with an error of the server (`end`).
 *
 * The signal and the error of the deadline are created on first use. Creating them for every call
 * would make a small call an eighth more expensive.
 */
export class CallLifetime implements Omit<Call, "principal" | "allowance"> {
  readonly #onCancel: (error: VademecumError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #endListeners: Set<(reason: Error) => void> | undefined;
  #ended = false;
  #cancelError: VademecumError | undefined;

  /**
   * @param timeoutMs time until the deadline; `Infinity` for none
   * @param onCancel called once when the call ends before its answer
   */
  constructor(timeoutMs: number, onCancel: (error: VademecumError) => void) {
    this.#onCancel = onCancel;
    this.#timer =
      timeoutMs === Infinity
        ? undefined
        : setTimeout(() => this.#endWithoutAnswer(deadlineExceeded()), timeoutMs);
  }

  /** Whether the call is answered or cancelled. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Why the call ended without an answer; `undefined` if it is open or answered. */
  get cancelError(): VademecumError | undefined {
    return this.#cancelError;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended) this.#controller.abort(this.#endError());
    }
    return this.#controller.signal;
  }

  /**
   * Calls `listener` with the reason when the call ends. If the call has already ended, calls
   * `listener` in the next microtask. Costs less than the signal.
   *
   * @returns a function that removes the listener
   */
  onEnd(listener: (reason: Error) => void): () => void {
    this.#endListeners ??= new Set();
    const listeners = this.#endListeners.add(listener);
    if (this.#ended) queueMicrotask(() => listeners.delete(listener) && listener(this.#endError()));
    return () => listeners.delete(listener);
  }

  throwIfEnded(): void {
    if (this.#ended) throw this.#endError();
  }

  /**
   * Ends the call with its answer, or with the error of its handler. Returns false if the call has
   * already ended; then the answer must not be sent.
   */
  finish(outcome: Outcome = answered): boolean {
    if (this.#ended) return false;
    this.#end(outcome);
    return true;
  }

  /**
   * Ends the call without an answer. `deadlinePassed`: the deadline ended the call, not the client.
   */
  cancel(deadlinePassed: boolean): void {
    if (!this.#ended) this.#endWithoutAnswer(deadlinePassed ? deadlineExceeded() : callEnded);
  }

  /** Ends the call with an error, whatever its handler does. */
  end(error: VademecumError): void {
    if (!this.#ended) this.#endWithoutAnswer(error);
  }

  #endWithoutAnswer(error: VademecumError): void {
    this.#cancelError = error;
    this.#end(error);
    this.#onCancel(error);
  }

  /** Called once, when the call ends. */
  protected noteEnd(_outcome: Outcome): void {}

  #end(outcome: Outcome): void {
    this.#ended = true;
    this.noteEnd(outcome);
    clearTimeout(this.#timer);
    this.#controller?.abort(this.#endError());
    for (const listener of this.#endListeners ?? []) listener(this.#endError());
  }

  #endError(): VademecumError {
    return this.#cancelError ?? callEnded;
  }
}

/** Returns the error of a call whose deadline has passed. */
export function deadlineExceeded(): VademecumError {
  return new VademecumError(
    "DEADLINE_EXCEEDED",
    "DEADLINE_EXCEEDED",
    "the call did not finish before its deadline, and a change may or may not be stored; " +
      "retry with the same idempotency_key, or set a later deadline",
  );
}
