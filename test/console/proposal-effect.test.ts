import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { Confidence, ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";
import { applyEdit, doubts } from "../../console/src/inbox/effect.js";
import { groupOf } from "../../console/src/inbox/groups.js";

const replacement = create(ProposalSchema, { oldString: "math", newString: "music" });

it("the preview of an edited proposal is the text that the server will make", () => {
  expect(applyEdit(replacement, "math and math", "art")).toBe("art and math");
  const everywhere = create(ProposalSchema, { oldString: "math", replaceAll: true });
  expect(applyEdit(everywhere, "math and math", "$&")).toBe("$& and $&");
  const whole = create(ProposalSchema, { change: { case: "newBody", value: "x" } });
  expect(applyEdit(whole, "math", "art")).toBe("art");
  const added = create(ProposalSchema, { change: { case: "append", value: "x" } });
  expect(["", "a", "a\n"].map((text) => applyEdit(added, text, "b"))).toEqual([
    "b",
    "a\nb",
    "a\nb",
  ]);
});

it("an approval needs a second key if it is uncertain, wide or hides something", () => {
  const ask = (proposal: typeof replacement, before: string, after: string) =>
    doubts(proposal, Applicability.APPLIES, before, after).length;
  expect(ask(replacement, "likes math", "likes music")).toBe(0);
  expect(ask({ ...replacement, confidence: Confidence.LOW }, "math", "music")).toBe(1);
  expect(ask(replacement, "a long text about math", "music")).toBe(1);
  expect(ask(replacement, "math", "mu\u200bsic")).toBe(1);
  expect(ask({ ...replacement, replaceAll: true }, "math ".repeat(6), "music ".repeat(6))).toBe(1);
  expect(doubts(replacement, Applicability.APPLIES_TO_CHANGED_TEXT, "math", "music")).toHaveLength(
    1,
  );
});

it("the group of a proposal says what an approver has to do", () => {
  expect(groupOf(replacement, undefined)).toBe("ready");
  expect(groupOf(replacement, Applicability.APPLIES)).toBe("ready");
  expect(groupOf(replacement, Applicability.APPLIES_TO_CHANGED_TEXT)).toBe("changed");
  expect(groupOf(replacement, Applicability.OLD_STRING_GONE)).toBe("stale");
  const repeat = create(ProposalSchema, { ...replacement, repeatOf: "1" });
  expect(groupOf(repeat, Applicability.APPLIES)).toBe("repeats");
  expect(groupOf(repeat, Applicability.TARGET_GONE)).toBe("stale");
});
