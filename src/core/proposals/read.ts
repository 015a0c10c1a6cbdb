import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { type Edit, hasTexts, type Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { listPage, type Page, pageOfEntries } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import { applyEdit } from "./edit.js";
import { previewOf } from "./preview.js";
import { findProposal, isVisible, requireProposal, viewOf } from "./records.js";
import type {
  ListInboxQuery,
  ListProposalsQuery,
  ProposalDetails,
  ProposalSelection,
  ProposalServiceParts,
  ProposalView,
  UserProposal,
  VisibleProposals,
} from "./service.js";
import { targetName, textMaxBytes } from "./target.js";
import { shownDiff, unifiedDiff } from "./unified-diff.js";

/** Reads one proposal with its diff and, if it is conflicted, the texts in conflict. */
export async function getProposal(
  parts: ProposalServiceParts,
  visible: VisibleProposals,
  id: string,
): Promise<ProposalDetails> {
  await using snapshot = await parts.store.snapshot(userScope(visible.userId));
  const proposal = await requireProposal(snapshot, visible, id);
  const nowMs = parts.clock.nowMs();
  const view = viewOf(proposal, nowMs);
  if (!hasTexts(proposal)) return { proposal: view, diff: "", diffTruncated: false };
  const { baseText, baseVersion, status, conflictText } = proposal;
  const newText = editedText(proposal, proposal);
  const cut = shownDiff(unifiedDiff(baseText, newText, `version ${baseVersion}`, "proposal"));
  const preview = await previewOf(snapshot, visible.userId, proposal, instantOfMillis(nowMs));
  const details = {
    proposal: view,
    diff: cut.diff,
    diffTruncated: cut.truncated,
    ...(preview && { preview }),
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
 * Lists a page of a user's proposals. Newest first, it leaves out those made since the first page.
 */
export function listProposals(
  { store, clock }: ProposalServiceParts,
  query: ListProposalsQuery,
  call: Call,
): Promise<Page<ProposalView>> {
  const { userId, status, limit, pageToken, oldestFirst = false } = query;
  const nowMs = clock.nowMs();
  const scope = userScope(userId);
  return listPage(store, {
    scope,
    binding: ["ListProposals", userId, ...selectionOf(query)],
    // Ids sort by time. Pending proposals have a table of their own, which is shorter.
    table: status === "PENDING" ? "pendingProposals" : "proposals",
    owner: scope,
    reverse: !oldestFirst,
    limit,
    pageToken,
    call,
    toItem: async (id, proposal, snapshot) => {
      const found = proposal ?? (await snapshot.get("proposals", scope, id));
      // A backup of damaged data may have a pending id but not its proposal.
      if (found === undefined || !isVisible(query, found)) return undefined;
      return selected(viewOf(found, nowMs), query);
    },
  });
}

/** Returns the view if the list is to have it. */
function selected(view: ProposalView, selection: ProposalSelection): ProposalView | undefined {
  const { status = view.status, agentId = view.agentId, target = view.target } = selection;
  const isSelected =
    view.status === status &&
    view.agentId === agentId &&
    targetName(view.target) === targetName(target);
  return isSelected ? view : undefined;
}

/** Returns what a page token belongs to. */
function selectionOf(selection: ProposalSelection): readonly unknown[] {
  const { status = null, agentId = null, target = null, oldestFirst = false } = selection;
  return [status, agentId, target, oldestFirst];
}

/** Lists a page of the proposals of all visible users, as `listProposals` does. */
export async function listInbox(
  parts: ProposalServiceParts,
  query: ListInboxQuery,
  call: Call,
): Promise<Page<UserProposal>> {
  const { store } = parts;
  const { epoch } = await store.head({ kind: "server" });
  const { tenant, pageKey } = store;
  const listing = ["ListProposals", ...selectionOf(query)];
  const binding = { pageKey, epoch, tenant, listing };
  return pageOfEntries((after) => inboxEntries(parts, query, after, call), query, binding);
}

async function* inboxEntries(
  parts: ProposalServiceParts,
  query: ListInboxQuery,
  after: string | undefined,
  call: Call,
): AsyncGenerator<readonly [id: string, item: UserProposal]> {
  const { users, status, oldestFirst = false } = query;
  const nowMs = parts.clock.nowMs();
  const table = status === "PENDING" ? "pendingProposals" : "proposals";
  const range = { reverse: !oldestFirst, ...(after === undefined ? {} : { after }) };
  const pause = createPause();
  for await (const [id, userId] of parts.store.acrossUsers(table, range)) {
    call.throwIfEnded();
    await pause();
    if (!allowsId(users, userId)) continue;
    const found = await findProposal(parts, userId, id);
    if (found === undefined || !isVisible(query, found)) continue;
    const proposal = selected(viewOf(found, nowMs), query);
    if (proposal !== undefined) yield [id, { userId, proposal }];
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
