import { create } from "@bufbuild/protobuf";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import type { ProposeEditRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  type Proposal as ProposalMessage,
  ProposalSchema,
  Confidence as ProtoConfidence,
  ProposalStatus as ProtoProposalStatus,
} from "#gen/vademecum/v1/proposal_pb.js";
import {
  Applicability,
  type ApproveProposalRequest,
  type ApproveProposalResponse,
  ApproveProposalResponseSchema,
  type CountProposalsRequest,
  type CountProposalsResponse,
  CountProposalsResponseSchema,
  type DeleteProposalRequest,
  type GetProposalResponse,
  GetProposalResponseSchema,
  type ListProposalsRequest,
  type ProposalGroup,
  ProposalGroupSchema,
  ProposalOrder,
  ProposalGrouping as ProtoProposalGrouping,
  ProposalView as ProtoProposalView,
  type RejectProposalRequest,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import type { MovedUsers } from "../../core/backup/service.js";
import {
  confidences,
  type Edit,
  hasTexts,
  type ProposalStatus,
  type ProposalTarget,
  proposalStatuses,
  type WholeEdit,
} from "../../core/model/proposal.js";
import type {
  ApprovalResult,
  ApproveInput,
  CountedGroup,
  CountedProposals,
  CountProposalsQuery,
  DeleteProposalInput,
  ListInboxQuery,
  ListProposalsQuery,
  ProposalDetails,
  ProposalSelection,
  ProposalView,
  ProposeEditInput,
  RejectInput,
  VisibleProposals,
  WatchEvent,
  WatchedProposals,
} from "../../core/proposals/service.js";
import type { PageQuery } from "../../core/requests/list-page.js";
import { defaultProposalPageSize } from "../defaults.js";
import { fromMovedUsers } from "./admin.js";
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
    ...toEdit(request),
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
export function toWatchedProposals(
  userId: string,
  heartbeat: Duration | undefined,
  caller: WatchingCaller,
): WatchedProposals {
  return {
    userId,
    ...toHeartbeat(heartbeat),
    // A getter, because the rights of the caller may change during a watch.
    get agents() {
      return caller.principal.agents;
    },
    onChange: (listener) => caller.onNewRights(listener),
  };
}

/** Returns the proposals that the caller of a watch over all users can see at each moment. */
export function toWatchedInbox(
  heartbeat: Duration | undefined,
  caller: WatchingCaller,
): WatchedProposals {
  return {
    ...toHeartbeat(heartbeat),
    get users() {
      return caller.principal.users;
    },
    get agents() {
      return caller.principal.agents;
    },
    onChange: (listener) => caller.onNewRights(listener),
  };
}

function toHeartbeat(heartbeat: Duration | undefined): Pick<WatchedProposals, "heartbeatMs"> {
  return heartbeat === undefined ? {} : { heartbeatMs: durationMs(heartbeat) };
}

/** Converts an event of a watch to the fields of its message. */
export function fromWatchEvent(event: WatchEvent) {
  if (event === "heartbeat") return {};
  if (event === "waiting sent") return { waitingSent: true };
  return { proposal: fromProposal(event.proposal, event.userId) };
}

/** Converts a request to count pending proposals. */
export function toCountProposalsQuery(
  { userId, groupBy }: CountProposalsRequest,
  { principal: { users, agents } }: Caller,
): CountProposalsQuery {
  const grouping = proposalGroupings.find((name) => ProtoProposalGrouping[name] === groupBy);
  return dropUndefined<CountProposalsQuery>({ userId, users, agents, grouping });
}

const proposalGroupings = ["USER", "AGENT", "TARGET", "CONFIDENCE"] as const;

/**
 * Converts counts of pending proposals to the reply.
 *
 * @param moved the users that are left out. Absent: the count is of one user
 */
export function fromCountedProposals(
  { total, oldestTime, groups, omittedGroups }: CountedProposals,
  groupBy: ProtoProposalGrouping,
  moved: MovedUsers | undefined,
): CountProposalsResponse {
  return create(CountProposalsResponseSchema, {
    total: BigInt(total),
    oldestTime: fromOptionalInstant(oldestTime),
    groups: groups.map((group) => fromGroup(group, groupBy)),
    omittedGroups,
    ...(moved && fromMovedUsers(moved)),
  });
}

function fromGroup(
  { count, oldestTime, example: { userId, proposal } }: CountedGroup,
  groupBy: ProtoProposalGrouping,
): ProposalGroup {
  const { agentId, target, confidence } = proposal;
  const isOfTarget = groupBy === ProtoProposalGrouping.TARGET;
  const hasAgent =
    groupBy === ProtoProposalGrouping.AGENT || (isOfTarget && target.kind === "memory");
  return create(ProposalGroupSchema, {
    count: BigInt(count),
    oldestTime: fromInstant(oldestTime),
    ...(groupBy === ProtoProposalGrouping.CONFIDENCE
      ? { confidence: ProtoConfidence[confidence] }
      : { userId }),
    ...(hasAgent && { agentId }),
    ...(isOfTarget && { target: fromTarget(target) }),
  });
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
  agentId,
  target,
  order,
  limit = defaultProposalPageSize,
  pageToken,
}: ListProposalsRequest): PageQuery & ProposalSelection {
  return dropUndefined<PageQuery & ProposalSelection>({
    status: toProposalStatus(status),
    agentId,
    target: target.case === undefined ? undefined : toTarget(target),
    oldestFirst: order === ProposalOrder.OLDEST_FIRST,
    limit,
    pageToken,
  });
}

/** Converts a request to approve a proposal. */
export function toApproveInput(request: ApproveProposalRequest, caller: Caller): ApproveInput {
  const { userId, id, editedNewString, expectedVersion, note, idempotencyKey } = request;
  return dropUndefined<ApproveInput>({
    ...toVisibleProposals(userId, caller),
    id,
    editedNewString,
    expectedVersion: expectedVersion === undefined ? undefined : Number(expectedVersion),
    note: note === "" ? undefined : note,
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

/** Converts a request to delete a proposal. */
export function toDeleteProposalInput(
  { userId, id, idempotencyKey }: DeleteProposalRequest,
  caller: Caller,
): DeleteProposalInput {
  const visible = toVisibleProposals(userId, caller);
  return dropUndefined<DeleteProposalInput>({ ...visible, id, idempotencyKey });
}

/**
 * Converts a status. Returns `undefined` for PROPOSAL_STATUS_UNSPECIFIED, which means any status.
 */
function toProposalStatus(status: ProtoProposalStatus): ProposalStatus | undefined {
  return proposalStatuses.find((name) => ProtoProposalStatus[name] === status);
}

/** Converts a proposal with its diff and its texts to the reply of GetProposal. */
export function fromProposalDetails(
  { proposal, diff, diffTruncated, preview, conflict }: ProposalDetails,
  userId: string,
  view: ProtoProposalView,
): GetProposalResponse {
  const { resultText } = preview ?? {};
  return create(GetProposalResponseSchema, {
    proposal: fromProposal(proposal, userId, diff),
    diffTruncated,
    ...(conflict && { conflict }),
    ...(preview && {
      preview: {
        applicability: Applicability[preview.applicability],
        targetVersion: BigInt(preview.targetVersion),
        currentText: preview.currentText,
        resultText: view === ProtoProposalView.FULL ? resultText : undefined,
        diff: preview.diff,
        truncated: preview.truncated,
      },
    }),
  });
}

/** Characters of each text that a summary of a proposal has. */
const summaryCharacters = 200;

/** Converts a listed proposal to its message. A summary has the beginnings of the texts. */
export function fromListedProposal(
  proposal: ProposalView,
  userId: string,
  view: ProtoProposalView,
): ProposalMessage {
  if (view !== ProtoProposalView.SUMMARY) return fromProposal(proposal, userId);
  const { oldString, newString, reasoning, decisionReason, editedNewString } = proposal;
  const cut = dropUndefined<Partial<ProposalView>>({
    oldString: beginningOf(oldString),
    newString: beginningOf(newString),
    reasoning: beginningOf(reasoning),
    decisionReason: decisionReason && beginningOf(decisionReason),
    editedNewString: editedNewString && beginningOf(editedNewString),
  });
  return fromProposal({ ...proposal, ...cut }, userId);
}

function beginningOf(text: string): string {
  // No character has more than two UTF-16 units.
  const characters = Array.from(text.slice(0, 2 * summaryCharacters + 2));
  if (characters.length <= summaryCharacters) return text;
  return `${characters.slice(0, summaryCharacters).join("")}…`;
}

/** Converts a proposal of a user to its message. */
export function fromProposal(proposal: ProposalView, userId: string, diff = ""): ProposalMessage {
  const { whole, newString } = proposal;
  return create(ProposalSchema, {
    id: proposal.id,
    namespace: { userId, agentId: proposal.agentId },
    target: fromTarget(proposal.target),
    oldString: proposal.oldString,
    newString: whole === undefined ? newString : "",
    ...(whole !== undefined && hasTexts(proposal) && { change: fromWhole(whole, newString) }),
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

function toEdit({ oldString, newString, replaceAll, change }: ProposeEditRequest): Edit {
  if (change.case === undefined) return { oldString, newString, replaceAll };
  const whole = change.case === "newBody" ? "BODY" : "APPEND";
  return { whole, oldString, newString: change.value, replaceAll };
}

function fromWhole(whole: WholeEdit, value: string): ProposalMessage["change"] {
  return whole === "BODY" ? { case: "newBody", value } : { case: "append", value };
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
