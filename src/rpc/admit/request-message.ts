import { VademecumError } from "../../core/model/errors.js";
import type { EndingCall } from "./call-end.js";
import type { RequestBuffer, RequestRoom } from "./request-buffer.js";

/**
 * The error of a message whose stream closes while the message waits for its bytes to be reserved.
 */
const streamClosed = new VademecumError("CANCELLED", "CALL_ENDED", "the call was cancelled");

/** The bytes of one message of a request, from its first byte until nothing needs the message. */
export class RequestMessage implements EndingCall {
  readonly #buffer: RequestBuffer;
  readonly #room: RequestRoom;
  readonly #isFirst: boolean;
  readonly #onRelease: () => void;
  #arrivedBytes = 0;
  #smallBytes = 0;
  #largeBytes = 0;
  #wait: Promise<void> | undefined;
  #endWait: ((reason: Error) => void) | undefined;
  #isComplete = false;
  #checkedBytes = 0;
  #checkedAtMs: number | undefined;
  #isHeld = false;
  #isClosed = false;
  #isReleased = false;

  /**
   * @param isFirst whether this is the first message of its request. Further messages of a stream
   *   are never refused; they wait instead
   */
  constructor(
    buffer: RequestBuffer,
    room: RequestRoom,
    isFirst: boolean,
    onRelease: () => void = () => undefined,
  ) {
    this.#buffer = buffer;
    this.#room = room;
    this.#isFirst = isFirst;
    this.#onRelease = onRelease;
  }

  /**
   * Counts bytes that have arrived. Returns a promise if the rest of the message may not be read
   * before its bytes are reserved.
   *
   * @param size bytes that the message can have at most, after decompression
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when a first message may not wait, or has waited too
   *   long; also as a rejection
   * @throws CANCELLED (CALL_ENDED), as a rejection, when the stream closes
   */
  receive(bytes: number, size: number): Promise<void> | undefined {
    this.#arrivedBytes += bytes;
    if (this.#isReleased) return undefined;
    if (this.#wait !== undefined) return this.#wait;
    if (this.#largeBytes > 0) {
      if (this.#arrivedBytes > this.#largeBytes) this.#keepLarge(this.#arrivedBytes);
      return undefined;
    }
    const { smallRequestBytes, tinyRequestBytes } = this.#buffer.limits;
    const isTiny = this.#arrivedBytes <= tinyRequestBytes;
    const isSmall = this.#arrivedBytes <= smallRequestBytes;
    if (isTiny || (isSmall && this.#buffer.fitsSmall(this.#room, bytes))) {
      this.#keepSmall(this.#smallBytes + bytes);
      return undefined;
    }
    return this.#reserve(Math.max(size, this.#arrivedBytes), this.#isFirst);
  }

  /**
   * Reserves bytes for a message that has arrived and is to be decompressed. Returns a promise only
   * if the message has to wait, or waits already.
   *
   * @param size bytes after decompression, at most
   * @throws as `receive` does, but only as a rejection
   */
  require(size: number): Promise<void> | undefined {
    return this.#reserve(size, false);
  }

  /** @param mayRefuse whether the message is refused immediately if too many messages wait */
  #reserve(size: number, mayRefuse: boolean): Promise<void> | undefined {
    if (this.#wait !== undefined) return this.#wait;
    const more = size - this.#smallBytes;
    if (this.#isReleased || this.#largeBytes > 0 || more <= 0) return undefined;
    if (size <= this.#buffer.limits.smallRequestBytes && this.#buffer.fitsSmall(this.#room, more)) {
      this.#keepSmall(size);
      return undefined;
    }
    const { large } = this.#buffer;
    const room = this.#room.large;
    const wait = mayRefuse ? large.admit(room, size, this) : large.reserve(room, size, this);
    if (wait === undefined) {
      this.#becomeLarge(size);
      return undefined;
    }
    this.#wait = wait.then(() => this.#becomeLarge(size));
    // Prevents an unhandled rejection: the call may end before any code awaits the message.
    this.#wait.catch(() => undefined);
    return this.#wait;
  }

  /**
   * Returns for how many milliseconds the client has sent nothing of the message (`forMs`), and the
   * bytes that are reserved for the message. Both are 0 for a complete message, a small message,
   * and a message that waits. Must be called regularly, because it measures the time since an
   * earlier call.
   */
  stall(nowMs: number): { readonly forMs: number; readonly bytes: number } {
    const bytes = this.#isComplete ? 0 : this.#largeBytes;
    if (bytes === 0 || this.#arrivedBytes !== this.#checkedBytes) {
      this.#checkedBytes = this.#arrivedBytes;
      this.#checkedAtMs = nowMs;
    }
    return { forMs: nowMs - (this.#checkedAtMs ?? nowMs), bytes };
  }

  /** Notes the size of the complete message. */
  resize(bytes: number): void {
    this.#isComplete = true;
    if (this.#isReleased) return;
    if (this.#largeBytes > 0) this.#keepLarge(Math.max(bytes, 1));
    else this.#keepSmall(bytes);
  }

  /** Keeps the bytes counted even after the stream closes, because a handler uses the message. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Notes that no handler uses the message. Its bytes are released when the stream is closed. */
  letGo(): void {
    this.#isHeld = false;
    if (this.#isClosed) this.release();
  }

  /** Notes that the stream is closed. */
  close(): void {
    this.#isClosed = true;
    this.#endWait?.(streamClosed);
    if (!this.#isHeld) this.release();
  }

  /** Gives the bytes of the message back. */
  release(): void {
    if (this.#isReleased) return;
    this.#keepSmall(0);
    this.#keepLarge(0);
    this.#isReleased = true;
    this.#onRelease();
  }

  /**
   * Calls `listener` when the message stops waiting without its bytes: after `requestWaitMs`, or
   * when the stream closes.
   */
  onEnd(listener: (reason: Error) => void): () => void {
    const { limits, refusals } = this.#buffer;
    const noRoom = () => refusals.refusalOf("the server has no room for the request");
    const timer = this.#isFirst
      ? setTimeout(() => this.#endWait?.(noRoom()), limits.requestWaitMs)
      : undefined;
    const stop = () => {
      clearTimeout(timer);
      this.#endWait = undefined;
    };
    const end = (reason: Error) => {
      stop();
      listener(reason);
    };
    this.#endWait = end;
    return stop;
  }

  #becomeLarge(size: number): void {
    this.#wait = undefined;
    if (this.#isReleased) {
      this.#buffer.large.change(this.#room.large, -size);
    } else {
      this.#largeBytes = size;
      this.#keepSmall(0);
    }
  }

  #keepSmall(bytes: number): void {
    this.#buffer.changeSmall(this.#room, bytes - this.#smallBytes);
    this.#smallBytes = bytes;
  }

  #keepLarge(bytes: number): void {
    const change = bytes - this.#largeBytes;
    this.#largeBytes = bytes;
    if (change !== 0) this.#buffer.large.change(this.#room.large, change);
  }
}
