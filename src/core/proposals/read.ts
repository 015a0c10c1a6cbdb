import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { type Edit, hasTexts, type Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { listPage, type Page, pageOfEntries } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import { applyEdit } from "./edit.js";
import { findProposal, isVisible, readProposal, viewOf } from "./records.js";
import type {
  ListInboxQuery,
  ListProposalsQuery,
  ProposalDetails,
  ProposalServiceParts,
  ProposalView,
  UserProposal,
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
 * Lists a page of the proposals of all visible users, newest first. Leaves out proposals made since
 * the first page.
 */
export async function listInbox(
  parts: ProposalServiceParts,
  query: ListInboxQuery,
  call: Call,
): Promise<Page<UserProposal>> {
  const { store } = parts;
  const { epoch } = await store.head({ kind: "server" });
  const { tenant, pageKey } = store;
  const binding = { pageKey, epoch, tenant, listing: ["ListProposals", query.status ?? null] };
  return pageOfEntries((after) => inboxEntries(parts, query, after, call), query, binding);
}

async function* inboxEntries(
  parts: ProposalServiceParts,
  query: ListInboxQuery,
  after: string | undefined,
  call: Call,
): AsyncGenerator<readonly [id: string, item: UserProposal]> {
  const { users, status } = query;
  const nowMs = parts.clock.nowMs();
  const table = status === "PENDING" ? "pendingProposals" : "proposals";
  const range = { reverse: true, ...(after === undefined ? {} : { after }) };
  const pause = createPause();
  for await (const [id, userId] of parts.store.acrossUsers(table, range)) {
    call.throwIfEnded();
    await pause();
    if (!allowsId(users, userId)) continue;
    const found = await findProposal(parts, userId, id);
    if (found === undefined || !isVisible(query, found)) continue;
    const proposal = viewOf(found, nowMs);
    if (status === undefined || proposal.status === status) yield [id, { userId, proposal }];
  }
}

/**
 * Applies an edit to the text that the proposal was made for. Requires: the edit fits. ProposeEdit
 * or an approval has checked this.
 */
function editedText({ baseText, target }: Proposal, edit: Edit): string {
  const result = applyEdit(baseText, edit, textMaxBytes(target));
  return result.kind === "applied" ? result.text : baseText;
}
