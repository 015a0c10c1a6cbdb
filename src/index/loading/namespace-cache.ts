import { LRUCache } from "lru-cache";

/** Most entries kept, however small they are. Each WebAssembly memory reserves 10 GiB of addresses, and a process has 128 TiB of them. */
const entriesMax = 8_192;

/**
 * Keeps what was used last within a budget. Of what is larger than the budget by itself the one used last is kept too, beside all others: to load it for each use would take longer than its users wait.
 * `dispose` is called with what is dropped.
 */
export class NamespaceCache<T extends object> {
  readonly #maxBytes: number;
  readonly #dispose: (value: T) => void;
  readonly #fitting: LRUCache<string, T>;
  /** What is being put in anew. */
  #staying: T | undefined;
  #oversized: { readonly key: string; readonly value: T } | undefined;

  constructor(maxBytes: number, dispose: (value: T) => void) {
    this.#maxBytes = maxBytes;
    this.#dispose = dispose;
    const disposeUnlessStaying = (value: T): void => {
      if (value !== this.#staying) dispose(value);
    };
    this.#fitting = new LRUCache({
      max: entriesMax,
      maxSize: maxBytes,
      dispose: disposeUnlessStaying,
    });
  }

  get(key: string): T | undefined {
    return this.#oversized?.key === key ? this.#oversized.value : this.#fitting.get(key);
  }

  /** The same without counting as use. */
  peek(key: string): T | undefined {
    return this.#oversized?.key === key ? this.#oversized.value : this.#fitting.peek(key);
  }

  /** Keeps a value, new or known, that was used and takes so much now. */
  set(key: string, value: T, bytes: number): void {
    if (
      this.#oversized !== undefined &&
      this.#oversized.value !== value &&
      (this.#oversized.key === key || bytes > this.#maxBytes)
    ) {
      this.#dropOversized();
    }
    // The library does not look at the size of a value that it has: what has grown must be put in anew.
    this.#staying = value;
    this.#fitting.delete(key);
    this.#staying = undefined;
    if (bytes > this.#maxBytes) {
      this.#oversized = { key, value };
    } else {
      if (this.#oversized?.key === key) this.#oversized = undefined;
      this.#fitting.set(key, value, { size: bytes });
    }
  }

  delete(key: string): void {
    if (this.#oversized?.key === key) this.#dropOversized();
    this.#fitting.delete(key);
  }

  clear(): void {
    this.#dropOversized();
    this.#fitting.clear();
  }

  values(): readonly T[] {
    return [
      ...(this.#oversized === undefined ? [] : [this.#oversized.value]),
      ...this.#fitting.values(),
    ];
  }

  #dropOversized(): void {
    const dropped = this.#oversized;
    this.#oversized = undefined;
    if (dropped !== undefined) this.#dispose(dropped.value);
  }
}
