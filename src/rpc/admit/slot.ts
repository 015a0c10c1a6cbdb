import type { EndingCall } from "./call-end.js";
import type { CallQueue, Lane } from "./call-queue.js";

/** The bytes that the messages of one call, or one message of a stream, may take in RAM. */
export class Slot {
  readonly #queue: CallQueue;
  readonly #lane: Lane;
  readonly #isCall: boolean;
  readonly #isRead: boolean;
  #bytes = 0;
  #isReading = false;
  #hasGrown = false;
  #isReleased = false;

  /**
   * Adds a slot without bytes to a lane.
   *
   * @param isCall whether it is that of a whole call
   * @param isRead whether it is that of a call that only reads (see `CallQueue`)
   */
  constructor(queue: CallQueue, lane: Lane, isCall: boolean, isRead = false) {
    this.#isRead = isRead;
    this.#queue = queue;
    this.#lane = lane;
    this.#isCall = isCall;
    queue.count(lane, 1, isCall);
  }

  /**
   * Opens the slot. Returns a promise only if it has to wait.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  open(bytes: number, call: EndingCall): Promise<void> | undefined {
    const onReserved = (): void => {
      this.#isReading = this.#isRead;
      if (this.#isReading) this.#lane.reads += 1;
      this.#bytes += bytes;
    };
    return this.#queue.reserve(
      "open",
      this.#lane,
      { bytes, isRead: this.#isRead },
      call,
      onReserved,
    );
  }

  /**
   * Changes the slot to the bytes that the call needs from now on. Returns a promise only if it has
   * to wait. Requires: this is the only such change.
   *
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  grow(bytes: number, call: EndingCall): Promise<void> | undefined {
    const more = bytes - this.#bytes;
    if (more <= 0) {
      this.resize(bytes);
      return undefined;
    }
    return this.#queue.reserve("grow", this.#lane, { bytes: more }, call, () => {
      this.#hasGrown = true;
      this.#bytes += more;
    });
  }

  /** Changes the bytes of the slot, even if they exceed a limit. */
  resize(bytes: number): void {
    if (this.#isReleased || bytes === this.#bytes) return;
    const change = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#queue.change(this.#lane, change);
  }

  /** Removes the slot from its lane. Requires: it does not wait. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#queue.count(this.#lane, -1, this.#isCall);
    if (this.#isReading) this.#lane.reads -= 1;
    if (this.#hasGrown) this.#queue.noteGrown(this.#lane, -1);
    this.#queue.change(this.#lane, -this.#bytes);
  }
}
