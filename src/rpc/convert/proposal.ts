import { create } from "@bufbuild/protobuf";
import type { ProposeEditRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  type Proposal as ProposalMessage,
  ProposalSchema,
  Confidence as ProtoConfidence,
  ProposalStatus as ProtoProposalStatus,
} from "#gen/vademecum/v1/proposal_pb.js";
import {
  type ApproveProposalRequest,
  type ApproveProposalResponse,
  ApproveProposalResponseSchema,
  type ListProposalsRequest,
  type RejectProposalRequest,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import {
  confidences,
  hasTexts,
  type ProposalStatus,
  type ProposalTarget,
  proposalStatuses,
} from "../../core/model/proposal.js";
import type {
  ApprovalResult,
  ApproveInput,
  ListInboxQuery,
  ListProposalsQuery,
  ProposalView,
  ProposeEditInput,
  RejectInput,
  VisibleProposals,
  WatchedProposals,
} from "../../core/proposals/service.js";
import type { PageQuery } from "../../core/requests/list-page.js";
import { defaultProposalPageSize } from "../defaults.js";
import { actorOf, type Caller } from "./author.js";
import { fromBlock } from "./block.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromInstant, fromOptionalInstant } from "./instant.js";
import { fromMemory, toNamespace } from "./memory.js";
import { requireSet } from "./require-set.js";

/** Converts a request to propose an edit into the input of the core. */
export function toProposeEditInput(request: ProposeEditRequest, caller: Caller): ProposeEditInput {
  return dropUndefined<ProposeEditInput>({
    namespace: toNamespace(request.namespace),
    target: toTarget(request.target),
    oldString: request.oldString,
    newString: request.newString,
    replaceAll: request.replaceAll,
    reasoning: request.reasoning,
    confidence: confidences.find((name) => ProtoConfidence[name] === request.confidence),
    proposedBy: caller.principal.name,
    idempotencyKey: request.idempotencyKey,
  });
}

/** Returns which proposals of a user the caller can see: those of the agents in its rights. */
export function toVisibleProposals(userId: string, caller: Caller): VisibleProposals {
  return { userId, agents: caller.principal.agents };
}

/** A caller whose rights may change during its call. */
interface WatchingCaller extends Caller {
  onNewRights(listener: () => void): void;
}

/** Returns which proposals of a user the caller of a watch can see at each moment of the watch. */
export function toWatchedProposals(userId: string, caller: WatchingCaller): WatchedProposals {
  return {
    userId,
    // A getter, because the rights of the caller may change during a watch.
    get agents() {
      return caller.principal.agents;
    },
    onChange: (listener) => caller.onNewRights(listener),
  };
}

/** Returns the proposals that the caller of a watch over all users can see at each moment. */
export function toWatchedInbox(caller: WatchingCaller): WatchedProposals {
  return {
    get users() {
      return caller.principal.users;
    },
    get agents() {
      return caller.principal.agents;
    },
    onChange: (listener) => caller.onNewRights(listener),
  };
}

/** Converts a request to list the proposals of one user. */
export function toListProposalsQuery(
  userId: string,
  request: ListProposalsRequest,
  caller: Caller,
): ListProposalsQuery {
  return { ...toVisibleProposals(userId, caller), ...toPage(request) };
}

/** Converts a request to list the proposals of all users whom the caller may name. */
export function toListInboxQuery(request: ListProposalsRequest, caller: Caller): ListInboxQuery {
  const { users, agents } = caller.principal;
  return { users, agents, ...toPage(request) };
}

function toPage({
  status,
  limit = defaultProposalPageSize,
  pageToken,
}: ListProposalsRequest): PageQuery & Pick<ListProposalsQuery, "status"> {
  return dropUndefined<PageQuery & Pick<ListProposalsQuery, "status">>({
    status: toProposalStatus(status),
    limit,
    pageToken,
  });
}

/** Converts a request to approve a proposal. */
export function toApproveInput(request: ApproveProposalRequest, caller: Caller): ApproveInput {
  const { userId, id, editedNewString, idempotencyKey } = request;
  return dropUndefined<ApproveInput>({
    ...toVisibleProposals(userId, caller),
    id,
    editedNewString,
    decidedBy: caller.principal.name,
    decidedFor: actorOf(caller),
    idempotencyKey,
  });
}

/** Converts a request to reject a proposal. */
export function toRejectInput(request: RejectProposalRequest, caller: Caller): RejectInput {
  const { userId, id, reason, idempotencyKey } = request;
  return dropUndefined<RejectInput>({
    ...toVisibleProposals(userId, caller),
    id,
    reason,
    decidedBy: caller.principal.name,
    decidedFor: actorOf(caller),
    idempotencyKey,
  });
}

/**
 * Converts a status. Returns `undefined` for PROPOSAL_STATUS_UNSPECIFIED, which means any status.
 */
function toProposalStatus(status: ProtoProposalStatus): ProposalStatus | undefined {
  return proposalStatuses.find((name) => ProtoProposalStatus[name] === status);
}

/** Converts a proposal of a user to its message. */
export function fromProposal(proposal: ProposalView, userId: string, diff = ""): ProposalMessage {
  return create(ProposalSchema, {
    id: proposal.id,
    namespace: { userId, agentId: proposal.agentId },
    target: fromTarget(proposal.target),
    oldString: proposal.oldString,
    newString: proposal.newString,
    replaceAll: proposal.replaceAll,
    reasoning: proposal.reasoning,
    confidence: ProtoConfidence[proposal.confidence],
    status: ProtoProposalStatus[proposal.status],
    baseVersion: BigInt(proposal.baseVersion),
    diff,
    createTime: fromInstant(proposal.createTime),
    expireTime: fromInstant(proposal.expireTime),
    proposedBy: proposal.proposedBy,
    decidedBy: proposal.decidedBy,
    decidedFor: proposal.decidedFor,
    decideTime: fromOptionalInstant(proposal.decideTime),
    decisionReason: proposal.decisionReason,
    repeatOf: proposal.repeatOf,
    editedNewString: proposal.editedNewString,
    resultVersion:
      proposal.resultVersion === undefined ? undefined : BigInt(proposal.resultVersion),
    textsRemoved: !hasTexts(proposal),
  });
}

/** Converts an approved proposal to its message, with its target after the edit. */
export function fromApprovalResult(
  { proposal, alreadyDecided, block, memory }: ApprovalResult,
  userId: string,
): ApproveProposalResponse {
  const response = create(ApproveProposalResponseSchema, {
    proposal: fromProposal(proposal, userId),
    alreadyDecided,
  });
  if (block !== undefined) response.target = { case: "block", value: fromBlock(block, userId) };
  if (memory !== undefined) {
    const namespace = { userId, agentId: proposal.agentId };
    response.target = { case: "memory", value: fromMemory(memory, namespace) };
  }
  return response;
}

function toTarget(target: ProposeEditRequest["target"]): ProposalTarget {
  return target.case === "blockLabel"
    ? { kind: "block", label: target.value }
    : { kind: "memory", id: requireSet(target.value, "target") };
}

function fromTarget(target: ProposalTarget): ProposalMessage["target"] {
  return target.kind === "block"
    ? { case: "blockLabel", value: target.label }
    : { case: "memoryId", value: target.id };
}
