import { type Scope, scopeMapKey } from "../../core/model/namespace.js";

/** The scopes that calls may read although they are being handed over to another server. */
export class ReadableScopes {
  /** How many permissions each scope has. */
  readonly #permissions = new Map<string, number>();

  /** Allows reads of a scope. Returns a function that ends this permission; call it once. */
  allow(scope: Scope): () => void {
    const key = scopeMapKey(scope);
    this.#permissions.set(key, (this.#permissions.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#permissions.get(key) ?? 0) - 1;
      if (left > 0) this.#permissions.set(key, left);
      else this.#permissions.delete(key);
    };
  }

  has(scope: Scope): boolean {
    return this.#permissions.size > 0 && this.#permissions.has(scopeMapKey(scope));
  }
}
