import { userScope } from "../model/namespace.js";
import { type Edit, hasTexts, type Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { listPage, type Page } from "../requests/list-page.js";
import { applyEdit } from "./edit.js";
import { isVisible, readProposal, viewOf } from "./records.js";
import type {
  ListProposalsQuery,
  ProposalDetails,
  ProposalServiceParts,
  ProposalView,
  VisibleProposals,
} from "./service.js";
import { textMaxBytes } from "./target.js";
import { unifiedDiff } from "./unified-diff.js";

/** Reads one proposal with its diff and, if it is conflicted, the texts in conflict. */
export async function getProposal(
  parts: ProposalServiceParts,
  visible: VisibleProposals,
  id: string,
): Promise<ProposalDetails> {
  const proposal = await readProposal(parts, visible, id);
  if (!hasTexts(proposal)) return { proposal: viewOf(proposal, parts.clock.nowMs()), diff: "" };
  const { baseText, baseVersion, status, conflictText } = proposal;
  const newText = editedText(proposal, proposal);
  const details = {
    proposal: viewOf(proposal, parts.clock.nowMs()),
    diff: unifiedDiff(baseText, newText, `version ${baseVersion}`, "proposal"),
  };
  if (status !== "CONFLICTED") return details;
  const { editedNewString: newString = proposal.newString } = proposal;
  return {
    ...details,
    conflict: {
      baseText,
      proposedText: editedText(proposal, { ...proposal, newString }),
      ...(conflictText === undefined ? {} : { currentText: conflictText }),
    },
  };
}

/**
 * Lists a page of a user's proposals, newest first. Leaves out proposals made since the first page.
 */
export function listProposals(
  { store, clock }: ProposalServiceParts,
  query: ListProposalsQuery,
  call: Call,
): Promise<Page<ProposalView>> {
  const { userId, status, limit, pageToken } = query;
  const nowMs = clock.nowMs();
  const scope = userScope(userId);
  return listPage(store, {
    scope,
    binding: ["ListProposals", userId, status ?? null],
    // Ids sort by time. Pending proposals have a table of their own, which is shorter.
    table: status === "PENDING" ? "pendingProposals" : "proposals",
    owner: scope,
    reverse: true,
    limit,
    pageToken,
    call,
    toItem: async (id, proposal, snapshot) => {
      const found = proposal ?? (await snapshot.get("proposals", scope, id));
      // A backup of damaged data may have a pending id but not its proposal.
      if (found === undefined || !isVisible(query, found)) return undefined;
      const view = viewOf(found, nowMs);
      return status === undefined || view.status === status ? view : undefined;
    },
  });
}

/**
 * Applies an edit to the text that the proposal was made for. Requires: the edit fits. ProposeEdit
 * or an approval has checked this.
 */
function editedText({ baseText, target }: Proposal, edit: Edit): string {
  const result = applyEdit(baseText, edit, textMaxBytes(target));
  return result.kind === "applied" ? result.text : baseText;
}
