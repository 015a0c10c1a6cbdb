import type { Call } from "../call.js";
import { approveProposal } from "./approve.js";
import { expireOverdueProposals } from "./expire.js";
import { getProposal, listProposals } from "./get.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ProposalService } from "./proposal-service.js";
import { proposeEdit } from "./propose.js";
import { rejectProposal } from "./reject.js";
import { createWakeUps } from "./wake-ups.js";
import { watchProposals } from "./watch.js";

/** How long a proposal waits for a decision, unless the server is told otherwise. */
export const defaultProposalLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** The service with what goes on beside calls. */
export interface OpenProposalService extends ProposalService {
  /** Marks all users' proposals whose time is up as expired; returns how many. */
  expireOverdue(call: Call): Promise<number>;
  /** Ends all calls of `watch`, also those to come: they would hold the server's stop up. */
  stopWatches(): void;
}

/** Proposals over the given store, index, embedders and counter. */
export function createProposalService(adapters: Omit<ProposalServiceParts, "wakeUps">): OpenProposalService {
  const wakeUps = createWakeUps();
  const parts: ProposalServiceParts = { ...adapters, wakeUps };
  return {
    propose: (input) => proposeEdit(parts, input),
    list: (query, call) => listProposals(parts, query, call),
    get: (userId, id) => getProposal(parts, userId, id),
    approve: (input, call) => approveProposal(parts, input, call),
    reject: (input) => rejectProposal(parts, input),
    watch: (userId, call) => watchProposals(parts, userId, call),
    expireOverdue: (call) => expireOverdueProposals(parts, call),
    stopWatches: () => wakeUps.stop(),
  };
}
