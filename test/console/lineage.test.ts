import { expect, it } from "vitest";
import { wasUndone } from "../../console/src/inbox/lineage.js";

/** Returns versions, newest first; a number is the earlier version that a version restored. */
function versions(...restored: readonly (number | undefined)[]) {
  return restored
    .map((from, index) => ({
      version: BigInt(index + 1),
      ...(from !== undefined && { restoredFrom: BigInt(from) }),
    }))
    .toReversed();
}

it("an edit is undone when a later version restored the text from before it", () => {
  expect(wasUndone(versions(undefined, undefined, 1), 2n)).toBe(true);
  expect(wasUndone(versions(undefined, undefined, 1, undefined), 2n)).toBe(true);
});

it("an edit that was brought back is not undone", () => {
  expect(wasUndone(versions(undefined, undefined, 1, 2), 2n)).toBe(false);
  expect(wasUndone(versions(undefined, undefined, undefined, 2), 2n)).toBe(false);
});

it("later edits and unknown versions undo nothing", () => {
  expect(wasUndone(versions(undefined, undefined, undefined), 2n)).toBe(false);
  expect(wasUndone(versions(undefined, undefined, 1, undefined).slice(0, 1), 2n)).toBe(false);
  expect(wasUndone([], 2n)).toBe(false);
});
