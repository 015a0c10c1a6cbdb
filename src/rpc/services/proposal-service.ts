import { create } from "@bufbuild/protobuf";
import {
  type ApproveProposalResponse,
  ApproveProposalResponseSchema,
  GetProposalResponseSchema,
  ListProposalsResponseSchema,
  ProposalService as ProposalServiceDescriptor,
  RejectProposalResponseSchema,
  WatchProposalsResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import type {
  Approved,
  ApproveInput,
  ListProposalsQuery,
  ProposalService,
  RejectInput,
} from "../../core/proposals/proposal-service.js";
import { anonymousCaller } from "../../core/requests/caller.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { fromBlock } from "../convert/block.js";
import { fromMemory } from "../convert/memory.js";
import { present } from "../convert/present.js";
import { fromProposal, toProposalStatus } from "../convert/proposal.js";

/** Proposals a page of ListProposals has when the request does not say. */
const defaultPageSize = 10;

/** The RPCs of `vademecum.v1.ProposalService` over the domain. */
export function createProposalRpcs(proposals: ProposalService): Implementation {
  return implement(
    ProposalServiceDescriptor,
    {
      listProposals: async ({ userId, status, limit = defaultPageSize, pageToken }, call) => {
        const query = present<ListProposalsQuery>({
          userId,
          status: toProposalStatus(status),
          limit,
          pageToken,
        });
        const { items, nextPageToken } = await proposals.list(query, call);
        return create(ListProposalsResponseSchema, {
          proposals: items.map((proposal) => fromProposal(proposal, userId)),
          nextPageToken,
        });
      },
      getProposal: async ({ userId, id }) => {
        const { proposal, diff, conflict } = await proposals.get(userId, id);
        return create(GetProposalResponseSchema, {
          proposal: fromProposal(proposal, userId, diff),
          ...(conflict && { conflict }),
        });
      },
      approveProposal: async ({ userId, id, editedNewString, idempotencyKey }, call) => {
        const input = present<ApproveInput>({
          userId,
          id,
          editedNewString,
          decidedBy: anonymousCaller,
          idempotencyKey,
        });
        return fromApproved(await proposals.approve(input, call), userId);
      },
      rejectProposal: async ({ userId, id, reason, idempotencyKey }) => {
        const input = present<RejectInput>({
          userId,
          id,
          reason,
          decidedBy: anonymousCaller,
          idempotencyKey,
        });
        return create(RejectProposalResponseSchema, {
          proposal: fromProposal(await proposals.reject(input), userId),
        });
      },
      watchProposals: async function* ({ userId }, call) {
        for await (const proposal of proposals.watch(userId, call)) {
          yield create(WatchProposalsResponseSchema, { proposal: fromProposal(proposal, userId) });
        }
      },
    },
    { openEnded: ["watchProposals"] },
  );
}

function fromApproved(
  { proposal, block, memory }: Approved,
  userId: string,
): ApproveProposalResponse {
  const response = create(ApproveProposalResponseSchema, {
    proposal: fromProposal(proposal, userId),
  });
  if (block !== undefined) response.target = { case: "block", value: fromBlock(block, userId) };
  if (memory !== undefined)
    response.target = {
      case: "memory",
      value: fromMemory(memory, { userId, agentId: proposal.agentId }),
    };
  return response;
}
