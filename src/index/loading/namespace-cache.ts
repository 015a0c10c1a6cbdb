import { LRUCache } from "lru-cache";

/**
 * Caches the most recently used values within a budget of bytes. A value that is larger than the
 * whole budget is oversized. The cache keeps one oversized value in addition to the other values,
 * because loading it for each use would take longer than callers wait.
 *
 * Calls `dispose` with each value that leaves the cache, and whether it makes room for others.
 */
export class NamespaceCache<T extends object> {
  readonly #maxBytes: number;
  readonly #dispose: (value: T, isEvicted: boolean) => void;
  readonly #cache: LRUCache<string, T>;
  /** The value that `set` is removing and adding again with another size. It is not disposed of. */
  #replacing: T | undefined;
  #oversized: { readonly key: string; readonly value: T; readonly bytes: number } | undefined;

  constructor(maxBytes: number, dispose: (value: T, isEvicted: boolean) => void) {
    this.#maxBytes = maxBytes;
    this.#dispose = dispose;
    const disposeUnlessReplacing = (value: T, _: string, reason: string): void => {
      if (value !== this.#replacing) dispose(value, reason === "evict");
    };
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      dispose: disposeUnlessReplacing,
    });
  }

  get(key: string): T | undefined {
    return this.#oversized?.key === key ? this.#oversized.value : this.#cache.get(key);
  }

  /** Returns a value. The call does not count as a use. */
  peek(key: string): T | undefined {
    return this.#oversized?.key === key ? this.#oversized.value : this.#cache.peek(key);
  }

  /** Adds a value of this size, or updates the size of a value. The call counts as a use. */
  set(key: string, value: T, bytes: number): void {
    if (
      this.#oversized !== undefined &&
      this.#oversized.value !== value &&
      (this.#oversized.key === key || bytes > this.#maxBytes)
    ) {
      this.#dropOversized(this.#oversized.key !== key);
    }
    // The library keeps the old size of a known value. So the value is removed before it is set
    // with another size.
    this.#replacing = value;
    this.#cache.delete(key);
    this.#replacing = undefined;
    if (bytes > this.#maxBytes) {
      this.#oversized = { key, value, bytes };
    } else {
      if (this.#oversized?.key === key) this.#oversized = undefined;
      this.#cache.set(key, value, { size: bytes });
    }
  }

  delete(key: string): void {
    if (this.#oversized?.key === key) this.#dropOversized(false);
    this.#cache.delete(key);
  }

  clear(): void {
    this.#dropOversized(false);
    this.#cache.clear();
  }

  /** Number of values. */
  get size(): number {
    return this.#cache.size + (this.#oversized === undefined ? 0 : 1);
  }

  /** Bytes of all values. */
  get bytes(): number {
    return this.#cache.calculatedSize + (this.#oversized?.bytes ?? 0);
  }

  values(): readonly T[] {
    return [
      ...(this.#oversized === undefined ? [] : [this.#oversized.value]),
      ...this.#cache.values(),
    ];
  }

  #dropOversized(isEvicted: boolean): void {
    const dropped = this.#oversized;
    this.#oversized = undefined;
    if (dropped !== undefined) this.#dispose(dropped.value, isEvicted);
  }
}
