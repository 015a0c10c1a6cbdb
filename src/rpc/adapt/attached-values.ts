/** Values that belong to objects, at most one to each object. */
export interface AttachedValues<Owner extends object, Value> {
  attach(owner: Owner, value: Value): void;
  /** Returns the value of an object; `undefined` if it has none. */
  of(owner: Owner): Value | undefined;
}

/**
 * Attaches values to objects of libraries that live as long as a call. Each value is a property of
 * its object, with a key that no other code has.
 *
 * A `WeakMap` would do the same, but keeps its entries until V8 collects old objects. Until then,
 * all objects of an ended call would stay in memory, and each collection of young objects would
 * copy them.
 */
export function createAttachedValues<Owner extends object, Value>(
  name: string,
): AttachedValues<Owner, Value> {
  const key = Symbol(name);
  return {
    attach: (owner, value) => void Reflect.set(owner, key, value),
    of: (owner) => Reflect.get(owner, key) as Value | undefined,
  };
}
