/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

export function createDeferred<T = void>(): Deferred<T> {
  let settle: ((value: T) => void) | undefined;
  let fail: ((reason: Error) => void) | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  return { promise, resolve: (value) => settle?.(value), reject: (reason) => fail?.(reason) };
}
