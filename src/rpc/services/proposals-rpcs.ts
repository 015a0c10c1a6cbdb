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
  fromCountedProposals,
  fromListedProposal,
  fromProposal,
  fromProposalDetails,
  fromWatchEvent,
  toApproveInput,
  toCountProposalsQuery,
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
      countProposals: async (request, call) => {
        const counted = await proposals.count(toCountProposalsQuery(request, call), call);
        const isOfAll = request.userId === undefined;
        return fromCountedProposals(
          counted,
          request.groupBy,
          isOfAll ? await backups.movedUsers() : undefined,
        );
      },
      watchProposals: async function* ({ userId, heartbeat }, call) {
        const watched = toWatchedProposals(userId, heartbeat, call);
        for await (const event of proposals.watch(watched, call))
          yield create(WatchProposalsResponseSchema, fromWatchEvent(event));
      },
      watchInbox: async function* ({ heartbeat }, call) {
        for await (const event of proposals.watch(toWatchedInbox(heartbeat, call), call))
          yield create(WatchInboxResponseSchema, fromWatchEvent(event));
      },
    },
    { openEnded: { watchProposals: "proposalWatches", watchInbox: "proposalWatches" } },
  );
}
