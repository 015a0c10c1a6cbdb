import { ConnectionLost } from "../errors.js";
import type { Connection } from "./connection.js";

/** Options of a pool. */
export interface PoolOptions {
  /** Maximum number of open connections. */
  readonly size: number;
  /** Longest wait for a free connection, in milliseconds. */
  readonly waitMs: number;
  readonly open: () => Promise<Connection>;
}

/** Number of connections for transactions. A second pool of the same size serves snapshots. */
export const poolSize = 8;

interface Waiter {
  take(connection: Promise<Connection>): void;
}

/**
 * A pool of connections. The driver's own pool hands out connections whose pipeline has broken.
 * This pool drops such connections.
 */
export class Pool {
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #waiters: Waiter[] = [];
  /** Connections that are open or being opened. */
  #count = 0;
  #isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /**
   * Runs `use` with a connection that no other caller has meanwhile.
   *
   * @throws ConnectionLost when no connection is free in time. Also throws the errors of opening a
   * connection
   */
  async use<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await use(connection);
    } finally {
      this.release(connection);
    }
  }

  /** Returns a connection; the caller must release it. Throws the errors of `use`. */
  async acquire(): Promise<Connection> {
    if (this.#isClosed) throw new ConnectionLost("the pool is closed");
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (found.isUsable) return found;
      this.#drop(found);
    }
    if (this.#count < this.options.size) return this.#openOne();
    return this.#wait();
  }

  /** Takes a connection back, and drops it if it is not usable any more. */
  release(connection: Connection): void {
    const waiter = this.#waiters.shift();
    if (connection.isUsable && !this.#isClosed) {
      if (waiter === undefined) this.#idle.push(connection);
      else waiter.take(Promise.resolve(connection));
      return;
    }
    this.#drop(connection);
    waiter?.take(this.#openOne());
  }

  /**
   * Closes all connections, also those in use: after a network failure, they would never answer.
   */
  abandonAll(): void {
    for (const connection of this.#open) connection.abandon();
    for (const connection of this.#idle.splice(0)) this.#drop(connection);
  }

  /** Ends all connections. Those in use end when they are released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle.splice(0);
    await Promise.all(idle.map((connection) => connection.end()));
  }

  async #openOne(): Promise<Connection> {
    this.#count++;
    try {
      const connection = await this.options.open();
      this.#open.add(connection);
      return connection;
    } catch (error) {
      this.#count--;
      // No release will follow for this connection, so a waiting caller opens its own.
      this.#waiters.shift()?.take(this.#openOne());
      throw error;
    }
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        take(connection) {
          clearTimeout(timer);
          resolve(connection);
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        resolve(Promise.reject(new ConnectionLost("no connection to PostgreSQL was free in time")));
      }, this.options.waitMs);
      this.#waiters.push(waiter);
    });
  }

  #drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#count--;
    void connection.end();
  }
}
