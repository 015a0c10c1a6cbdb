import { expect, test } from "vitest";
import { commitSeqOf, requireCommitSeq } from "../../../src/core/requests/commit-seq.js";

test("each commit of a scope has a positive commit_seq, greater than that of the commit before", () => {
  const numbers = [0, 1, 2, 2 ** 32, 2 ** 41 - 1].map((seq) =>
    commitSeqOf({ epoch: "e", seq }, "ann"),
  );
  for (const [at, number] of numbers.entries()) {
    expect(number).toBeGreaterThan(numbers[at - 1] ?? 0n);
    expect(number).toBeLessThan(2n ** 63n);
  }
});

test("a scope accepts the commit_seq of its last commit and of earlier commits", () => {
  const number = commitSeqOf({ epoch: "e", seq: 7 }, "ann");
  expect(() => requireCommitSeq({ epoch: "e", seq: 7 }, "ann", number)).not.toThrow();
  expect(() => requireCommitSeq({ epoch: "e", seq: 9 }, "ann", number)).not.toThrow();
});

test.each([
  ["from another epoch", { epoch: "other", seq: 9 }, "ann"],
  ["from another user", { epoch: "e", seq: 9 }, "bob"],
  ["greater than the last commit", { epoch: "e", seq: 6 }, "ann"],
])("a commit_seq %s is refused", (_name, head, userId) => {
  const failure: unknown = expect.objectContaining({
    code: "INVALID_ARGUMENT",
    reason: "FOREIGN_COMMIT_SEQ",
  });
  expect(() => requireCommitSeq(head, userId, commitSeqOf({ epoch: "e", seq: 7 }, "ann"))).toThrow(
    failure,
  );
});
