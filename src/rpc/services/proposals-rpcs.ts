import { create } from "@bufbuild/protobuf";
import {
  DeleteProposalResponseSchema,
  ListProposalsResponseSchema,
  ProposalService as ProposalServiceDescriptor,
  RejectProposalResponseSchema,
  WatchInboxResponseSchema,
  WatchProposalsResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { fromMovedUsers } from "../convert/admin.js";
import {
  fromApprovalResult,
  fromListedProposal,
  fromProposal,
  fromProposalDetails,
  toApproveInput,
  toDeleteProposalInput,
  toListInboxQuery,
  toListProposalsQuery,
  toRejectInput,
  toVisibleProposals,
  toWatchedInbox,
  toWatchedProposals,
} from "../convert/proposal.js";
import type { ProposalsRpcsParts } from "./parts.js";

/** Creates the RPCs of `vademecum.v1.ProposalService`. */
export function createProposalsRpcs({ proposals, backups }: ProposalsRpcsParts): Implementation {
  return implement(
    ProposalServiceDescriptor,
    {
      listProposals: async (request, call) => {
        const { userId, pageToken, view } = request;
        if (userId === undefined) {
          const { items, nextPageToken } = await proposals.listInbox(
            toListInboxQuery(request, call),
            call,
          );
          return create(ListProposalsResponseSchema, {
            proposals: items.map((item) => fromListedProposal(item.proposal, item.userId, view)),
            nextPageToken,
            ...(pageToken === "" && fromMovedUsers(await backups.movedUsers())),
          });
        }
        const query = toListProposalsQuery(userId, request, call);
        const { items, nextPageToken } = await proposals.list(query, call);
        return create(ListProposalsResponseSchema, {
          proposals: items.map((proposal) => fromListedProposal(proposal, userId, view)),
          nextPageToken,
        });
      },
      getProposal: async ({ userId, id, view }, call) => {
        const details = await proposals.get(toVisibleProposals(userId, call), id);
        return fromProposalDetails(details, userId, view);
      },
      approveProposal: async (request, call) => {
        const approved = await proposals.approve(toApproveInput(request, call), call);
        return fromApprovalResult(approved, request.userId);
      },
      rejectProposal: async (request, call) => {
        const { proposal, alreadyDecided } = await proposals.reject(
          toRejectInput(request, call),
          call.allowance,
        );
        return create(RejectProposalResponseSchema, {
          proposal: fromProposal(proposal, request.userId),
          alreadyDecided,
        });
      },
      deleteProposal: async (request, call) =>
        create(
          DeleteProposalResponseSchema,
          await proposals.delete(toDeleteProposalInput(request, call), call.allowance),
        ),
      watchProposals: async function* ({ userId }, call) {
        for await (const { proposal } of proposals.watch(toWatchedProposals(userId, call), call))
          yield create(WatchProposalsResponseSchema, { proposal: fromProposal(proposal, userId) });
      },
      watchInbox: async function* (_request, call) {
        for await (const { proposal, userId } of proposals.watch(toWatchedInbox(call), call))
          yield create(WatchInboxResponseSchema, { proposal: fromProposal(proposal, userId) });
      },
    },
    { openEnded: { watchProposals: "proposalWatches", watchInbox: "proposalWatches" } },
  );
}
