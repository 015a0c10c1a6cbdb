import { create } from "@bufbuild/protobuf";
import {
  GetProposalResponseSchema,
  ListProposalsResponseSchema,
  ProposalService as ProposalServiceDescriptor,
  RejectProposalResponseSchema,
  WatchProposalsResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import type { ProposalService } from "../../core/proposals/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromApprovalResult,
  fromProposal,
  toApproveInput,
  toListProposalsQuery,
  toRejectInput,
  toVisibleProposals,
  toWatchedProposals,
} from "../convert/proposal.js";

/** Creates the RPCs of `vademecum.v1.ProposalService`. */
export function createProposalsRpcs(proposals: ProposalService): Implementation {
  return implement(
    ProposalServiceDescriptor,
    {
      listProposals: async (request, call) => {
        const { items, nextPageToken } = await proposals.list(
          toListProposalsQuery(request, call),
          call,
        );
        return create(ListProposalsResponseSchema, {
          proposals: items.map((proposal) => fromProposal(proposal, request.userId)),
          nextPageToken,
        });
      },
      getProposal: async ({ userId, id }, call) => {
        const { proposal, diff, conflict } = await proposals.get(
          toVisibleProposals(userId, call),
          id,
        );
        return create(GetProposalResponseSchema, {
          proposal: fromProposal(proposal, userId, diff),
          ...(conflict && { conflict }),
        });
      },
      approveProposal: async (request, call) => {
        const approved = await proposals.approve(toApproveInput(request, call), call);
        return fromApprovalResult(approved, request.userId);
      },
      rejectProposal: async (request, call) => {
        const { proposal, alreadyDecided } = await proposals.reject(toRejectInput(request, call));
        return create(RejectProposalResponseSchema, {
          proposal: fromProposal(proposal, request.userId),
          alreadyDecided,
        });
      },
      watchProposals: async function* ({ userId }, call) {
        for await (const proposal of proposals.watch(toWatchedProposals(userId, call), call))
          yield create(WatchProposalsResponseSchema, { proposal: fromProposal(proposal, userId) });
      },
    },
    { openEnded: { watchProposals: "proposalWatches" } },
  );
}
