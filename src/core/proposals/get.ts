import { userScope } from "../model/namespace.js";
import type { Edit, Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import { type Page, readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import { applyEdit } from "./edit.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ListProposalsQuery, ProposalDetails, ProposalView } from "./proposal-service.js";
import { readProposal, requireProposal, viewOf } from "./records.js";
import { textMaxBytes } from "./target.js";
import { unifiedDiff } from "./unified-diff.js";

/** Reads one proposal with what it comes to. */
export async function getProposal(
  parts: ProposalServiceParts,
  userId: string,
  id: string,
): Promise<ProposalDetails> {
  const proposal = await readProposal(parts, userId, id);
  const {
    baseText,
    baseVersion,
    status,
    conflictText,
    editedNewString: newString = proposal.newString,
  } = proposal;
  const details = {
    proposal: viewOf(proposal, parts.clock.nowMs()),
    diff: unifiedDiff(
      baseText,
      editedText(proposal, proposal),
      `version ${baseVersion}`,
      "proposal",
    ),
  };
  if (status !== "CONFLICTED") return details;
  const proposedText = editedText(proposal, { ...proposal, newString });
  return {
    ...details,
    conflict: {
      baseText,
      proposedText,
      ...(conflictText === undefined ? {} : { currentText: conflictText }),
    },
  };
}

/** Lists a page of a user's proposals, newest first. What is proposed meanwhile comes before the first page, so pages neither skip nor repeat. */
export async function listProposals(
  parts: ProposalServiceParts,
  query: ListProposalsQuery,
  call: Call,
): Promise<Page<ProposalView>> {
  const { userId, status, limit, pageToken } = query;
  const nowMs = parts.clock.nowMs();
  await using snapshot = await parts.store.snapshot(userScope(userId));
  const binding: PageBinding = {
    epoch: snapshot.head.epoch,
    listing: ["ListProposals", userId, status ?? null],
  };
  const after = pageToken === "" ? undefined : readPageToken(binding, pageToken);
  const entries = async function* (): AsyncGenerator<readonly [string, ProposalView]> {
    for await (const proposal of newestFirst(snapshot, query, after)) {
      call.throwIfEnded();
      const view = viewOf(proposal, nowMs);
      if (status === undefined || view.status === status) yield [view.id, view];
    }
  };
  return await readPage(entries(), limit, binding);
}

/** Proposals by id, which is by time: those that wait from their own, shorter table. */
async function* newestFirst(
  snapshot: Snapshot,
  { userId, status }: ListProposalsQuery,
  after: string | undefined,
): AsyncGenerator<Proposal> {
  const scope = userScope(userId);
  const range = { reverse: true, ...(after === undefined ? {} : { after }) };
  if (status === "PENDING") {
    for await (const [id] of snapshot.scan("pendingProposals", scope, range))
      yield await requireProposal(snapshot, userId, id);
  } else {
    for await (const [, proposal] of snapshot.scan("proposals", scope, range)) yield proposal;
  }
}

/** The text for which the edit was proposed with an edit applied. REQUIRES: the proposal's own, or one that an approval has found to fit. */
function editedText({ baseText, target }: Proposal, edit: Edit): string {
  const result = applyEdit(baseText, edit, textMaxBytes(target));
  return result.kind === "applied" ? result.text : baseText;
}
