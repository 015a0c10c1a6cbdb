import { expect } from "vitest";

/** Vitest's matchers for use inside expected values, without their type `any`. */
export function containing(part: string): unknown {
  return expect.stringContaining(part);
}

export function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

export function including(items: readonly unknown[]): unknown {
  return expect.arrayContaining([...items]);
}
