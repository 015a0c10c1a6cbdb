import { expect, test } from "vitest";
import { commitSeqOf, requireCommitSeq } from "../../../src/core/requests/commit-seq.js";

test("later commits of a scope have greater numbers, all positive", () => {
  const numbers = [0, 1, 2, 2 ** 32, 2 ** 41 - 1].map((seq) => commitSeqOf({ epoch: "e", seq }));
  expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
  expect(numbers.every((number) => number >= 0n && number < 2n ** 63n)).toBe(true);
});

test("an issued number is accepted at the same commit and at later ones", () => {
  const number = commitSeqOf({ epoch: "e", seq: 7 });
  expect(() => requireCommitSeq({ epoch: "e", seq: 7 }, number)).not.toThrow();
  expect(() => requireCommitSeq({ epoch: "e", seq: 9 }, number)).not.toThrow();
});

test.each([
  ["from another epoch", { epoch: "other", seq: 9 }],
  ["greater than the last commit", { epoch: "e", seq: 6 }],
])("a number %s is refused", (_name, head) => {
  const failure: unknown = expect.objectContaining({
    code: "INVALID_ARGUMENT",
    reason: "FOREIGN_COMMIT_SEQ",
  });
  expect(() => requireCommitSeq(head, commitSeqOf({ epoch: "e", seq: 7 }))).toThrow(failure);
});
