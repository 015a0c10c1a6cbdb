/** In each turn of the event loop, calls may begin for this number of milliseconds. */
const turnMs = 5;

/**
 * Decides when calls begin. Node reads a chunk from a socket, and hands over all requests in the
 * chunk at once. One client can put hundreds of requests into one chunk. If it resets each request
 * at once, even the limit on open streams does not stop it. Beginning all of these calls would hold
 * up every other caller. So calls begin only during the first milliseconds of each turn of the
 * event loop. The rest wait for a later turn. Then one call of each waiting connection begins, then
 * the next one of each.
 */
export class CallTurns<Connection> {
  readonly #waiting = new Map<Connection, (() => void)[]>();
  readonly #nowMs: () => number;
  #endMs: number | undefined;

  /** @param nowMs milliseconds of a clock that never jumps */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Calls `begin` now if no call waits and this turn has time left, and in a later turn otherwise.
   */
  add(connection: Connection, begin: () => void): void {
    this.#endMs ??= this.#startTurn();
    if (this.#waiting.size === 0 && this.#nowMs() < this.#endMs) {
      begin();
      return;
    }
    const queue = this.#waiting.get(connection);
    if (queue === undefined) this.#waiting.set(connection, [begin]);
    else queue.push(begin);
  }

  /** Drops the waiting calls of a connection. */
  drop(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  #startTurn(): number {
    setImmediate(() => this.#takeTurn());
    return this.#nowMs() + turnMs;
  }

  #takeTurn(): void {
    this.#endMs = undefined;
    if (this.#waiting.size === 0) return;
    this.#endMs = this.#startTurn();
    // `set` puts a connection at the end of the map, so the loop reaches it again.
    for (const [connection, queue] of this.#waiting) {
      if (this.#nowMs() >= this.#endMs) return;
      const begin = queue.shift();
      this.#waiting.delete(connection);
      if (queue.length > 0) this.#waiting.set(connection, queue);
      begin?.();
    }
  }
}
