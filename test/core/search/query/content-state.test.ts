import { expect, it } from "vitest";
import { contentStateOf } from "../../../../src/core/search/query/content-state.js";

it("a failover of PostgreSQL changes the content state, even if the sequence numbers are the same", () => {
  const stateOn = (timeline: string) =>
    contentStateOf({ head: { epoch: "epoch", seq: 7, timeline }, contentSeq: 5 });
  expect(stateOn("2")).not.toBe(stateOn("1"));
  expect(stateOn("2")).toBe(stateOn("2"));
});
