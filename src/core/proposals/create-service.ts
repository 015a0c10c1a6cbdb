import type { Prunable } from "../pruning/prunable.js";
import { approveProposal } from "./approve.js";
import { countProposals } from "./count.js";
import { rejectProposal } from "./decide.js";
import { deleteProposal } from "./delete.js";
import { overdueProposals } from "./expire.js";
import { proposeEdit } from "./propose.js";
import { getProposal, listInbox, listProposals } from "./read.js";
import type { ProposalService, ProposalServiceParts } from "./service.js";
import { watchProposals } from "./watch.js";

/** The use cases of proposals, with the work that the server does between calls. */
export interface OpenProposalService extends ProposalService {
  /** Marks the overdue proposals of all users as expired. */
  readonly overdue: Prunable;
  /** Ends all calls of `watch`, present and future, so that none of them delays a shutdown. */
  stopWatches(): void;
}

/**
 * Creates the use cases of proposals.
 *
 * @param pruned the view of the store in which pruning looks for overdue proposals
 */
export function createProposalService(
  parts: ProposalServiceParts,
  pruned: ProposalServiceParts["store"] = parts.store,
): OpenProposalService {
  return {
    propose: (input, allowance) => proposeEdit(parts, input, allowance),
    list: (query, call) => listProposals(parts, query, call),
    listInbox: (query, call) => listInbox(parts, query, call),
    get: (visible, id) => getProposal(parts, visible, id),
    approve: (input, call) => approveProposal(parts, input, call),
    reject: (input, allowance) => rejectProposal(parts, input, allowance),
    delete: (input, allowance) => deleteProposal(parts, input, allowance),
    watch: (visible, call) => watchProposals(parts, visible, call),
    count: (query, call) => countProposals(parts, query, call),
    overdue: overdueProposals({ ...parts, store: pruned }),
    stopWatches: () => parts.wakeUps.stop(),
  };
}
