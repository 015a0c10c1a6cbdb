import type { Prunable } from "../pruning/prunable.js";
import { approveProposal } from "./approve.js";
import { overdueProposals } from "./expire.js";
import { getProposal, listProposals } from "./get.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ProposalService } from "./proposal-service.js";
import { proposeEdit } from "./propose.js";
import { rejectProposal } from "./reject.js";
import { createWakeUps } from "./wake-ups.js";
import { watchProposals } from "./watch.js";

/** The service with what goes on beside calls. */
export interface OpenProposalService extends ProposalService {
  /** All users' proposals whose time is up. */
  readonly overdue: Prunable;
  /** Ends all calls of `watch`, also those to come: they would hold the server's stop up. */
  stopWatches(): void;
}

/** Proposals over the given store, index, embedders and counter. */
export function createProposalService(
  adapters: Omit<ProposalServiceParts, "wakeUps">,
): OpenProposalService {
  const wakeUps = createWakeUps();
  const parts: ProposalServiceParts = { ...adapters, wakeUps };
  return {
    propose: (input) => proposeEdit(parts, input),
    list: (query, call) => listProposals(parts, query, call),
    get: (userId, id) => getProposal(parts, userId, id),
    approve: (input, call) => approveProposal(parts, input, call),
    reject: (input) => rejectProposal(parts, input),
    watch: (userId, call) => watchProposals(parts, userId, call),
    overdue: overdueProposals(parts),
    stopWatches: () => wakeUps.stop(),
  };
}
