import { compareInstants, type Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/** How sure the proposer is. */
export const confidences = ["LOW", "MEDIUM", "HIGH"] as const;
export type Confidence = (typeof confidences)[number];

/** What has become of a proposal. */
export const proposalStatuses = [
  "PENDING",
  "APPROVED",
  "REJECTED",
  "CONFLICTED",
  "EXPIRED",
] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** What a proposal edits. */
export type ProposalTarget =
  | { readonly kind: "block"; readonly label: string }
  | { readonly kind: "memory"; readonly id: string };

/** An edit by literal replacement. */
export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  /** Whether every occurrence is replaced; else there must be exactly one. */
  readonly replaceAll: boolean;
}

/** An edit that an agent asks for and a person decides on. It belongs to a user. Never changed in place: a change makes a new object. */
export interface Proposal extends Edit {
  /** UUIDv7. */
  readonly id: string;
  /** Who proposes; a memory that is edited lies in this agent's namespace. */
  readonly agentId: string;
  readonly target: ProposalTarget;
  readonly reasoning: string;
  readonly confidence: Confidence;
  readonly status: ProposalStatus;
  /** The target when the edit was proposed. */
  readonly baseVersion: number;
  readonly baseText: string;
  readonly createTime: Instant;
  /** From this instant on nobody can decide any more. */
  readonly expireTime: Instant;
  readonly decidedBy?: string;
  readonly decideTime?: Instant;
  readonly decisionReason?: string;
  /** What the approver put in place of `newString`. */
  readonly editedNewString?: string;
  /** The target's version that the approved edit made. */
  readonly resultVersion?: number;
  /** The target's text when the edit could not be applied; absent if the target was gone. */
  readonly conflictText?: string;
  /** The memory as the approved edit left it: memories have no versions to read it from. */
  readonly approvedMemory?: Memory;
  /** The last rejected proposal that asked for the same in the same words. */
  readonly repeatOf?: string;
}

/** Whether a proposal is pending but has expired, so that it can no longer be decided. */
export function isOverdue({ status, expireTime }: Proposal, now: Instant): boolean {
  return status === "PENDING" && compareInstants(expireTime, now) <= 0;
}

/**
 * Whether a proposal still has its texts. They are removed with its target. No edit has an empty
 * `oldString`, so an empty one says that they are gone.
 */
export function hasTexts({ oldString }: Pick<Proposal, "oldString">): boolean {
  return oldString !== "";
}

/** Returns a proposal without any text that quotes its target or explains the edit. */
export function withoutTexts({
  conflictText: _conflict,
  approvedMemory: _memory,
  editedNewString: _edited,
  decisionReason: _reason,
  ...proposal
}: Proposal): Proposal {
  return { ...proposal, oldString: "", newString: "", reasoning: "", baseText: "" };
}
