import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { type Proposal, ProposalSchema, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { InboxState } from "../../console/src/inbox/inbox-state.js";

function proposal(id: string, status = ProposalStatus.PENDING): Proposal {
  return create(ProposalSchema, { id, namespace: { userId: "ada", agentId: "tutor" }, status });
}

const idsOf = (inbox: InboxState) => [...inbox.waiting.values()].map(({ id }) => id);

it("what waits appears while the first stream begins, and is complete at its mark", () => {
  const inbox = new InboxState();
  inbox.begin();
  inbox.take(proposal("1"));
  expect(idsOf(inbox)).toEqual(["1"]);
  inbox.take(proposal("2"));
  inbox.complete();
  expect(idsOf(inbox)).toEqual(["1", "2"]);
});

it("after a lost connection the list stays until the new stream has told everything", () => {
  const inbox = new InboxState();
  inbox.begin();
  for (const id of ["1", "2"]) inbox.take(proposal(id));
  inbox.complete();
  inbox.begin();
  inbox.take(proposal("2"));
  inbox.take(proposal("3"));
  expect(idsOf(inbox)).toEqual(["1", "2"]);
  inbox.complete();
  expect(idsOf(inbox)).toEqual(["2", "3"]);
});

it("a decided proposal leaves the list, and its outcome is known", () => {
  const inbox = new InboxState();
  inbox.begin();
  inbox.take(proposal("1"));
  inbox.complete();
  inbox.take(proposal("1", ProposalStatus.APPROVED));
  expect(idsOf(inbox)).toEqual([]);
  expect(inbox.outcomes.get("ada\u00001")?.status).toBe(ProposalStatus.APPROVED);
});

it("a proposal that this page has decided does not come back with an older report", () => {
  const inbox = new InboxState();
  inbox.take(proposal("1", ProposalStatus.REJECTED));
  inbox.begin();
  inbox.take(proposal("1"));
  inbox.complete();
  expect(idsOf(inbox)).toEqual([]);
});
