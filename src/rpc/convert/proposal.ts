import { create } from "@bufbuild/protobuf";
import type { ProposeEditRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  type Proposal as ProposalMessage,
  ProposalSchema,
  Confidence as ProtoConfidence,
  ProposalStatus as ProtoProposalStatus,
} from "#gen/vademecum/v1/proposal_pb.js";
import {
  confidences,
  type ProposalStatus,
  type ProposalTarget,
  proposalStatuses,
} from "../../core/model/proposal.js";
import type { ProposalView, ProposeEditInput } from "../../core/proposals/proposal-service.js";
import { fromInstant, fromOptionalInstant } from "./instant.js";
import { toNamespace } from "./memory.js";
import { present } from "./present.js";
import { required } from "./required.js";

export function toProposeEditInput(request: ProposeEditRequest): ProposeEditInput {
  return present<ProposeEditInput>({
    namespace: toNamespace(request.namespace),
    target: toTarget(request.target),
    oldString: request.oldString,
    newString: request.newString,
    replaceAll: request.replaceAll,
    reasoning: request.reasoning,
    confidence: confidences.find((name) => ProtoConfidence[name] === request.confidence),
    idempotencyKey: request.idempotencyKey,
  });
}

/** `undefined` for PROPOSAL_STATUS_UNSPECIFIED, which means any. */
export function toProposalStatus(status: ProtoProposalStatus): ProposalStatus | undefined {
  return proposalStatuses.find((name) => ProtoProposalStatus[name] === status);
}

/** A user's proposal as the API returns it. */
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
    decidedBy: proposal.decidedBy,
    decideTime: fromOptionalInstant(proposal.decideTime),
    decisionReason: proposal.decisionReason,
    repeatOf: proposal.repeatOf,
    editedNewString: proposal.editedNewString,
    resultVersion:
      proposal.resultVersion === undefined ? undefined : BigInt(proposal.resultVersion),
  });
}

function toTarget(target: ProposeEditRequest["target"]): ProposalTarget {
  return target.case === "blockLabel"
    ? { kind: "block", label: target.value }
    : { kind: "memory", id: required(target.value, "target") };
}

function fromTarget(target: ProposalTarget): ProposalMessage["target"] {
  return target.kind === "block"
    ? { case: "blockLabel", value: target.label }
    : { case: "memoryId", value: target.id };
}
