import { compareInstants, type Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/** How sure the agent is of its proposal. */
export const confidences = ["LOW", "MEDIUM", "HIGH"] as const;
export type Confidence = (typeof confidences)[number];

/** States of a proposal. */
export const proposalStatuses = [
  "PENDING",
  "APPROVED",
  "REJECTED",
  "CONFLICTED",
  "EXPIRED",
] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** The text that a proposal edits. */
export type ProposalTarget =
  | { readonly kind: "block"; readonly label: string }
  | { readonly kind: "memory"; readonly id: string };

/** How an edit changes its target, unless it replaces `oldString` with `newString`. */
export const wholeEdits = ["BODY", "APPEND"] as const;
export type WholeEdit = (typeof wholeEdits)[number];

/** An edit by literal replacement, of the whole text, or at its end. */
export interface Edit {
  /**
   * BODY: `newString` is the whole new text. APPEND: `newString` is added at the end of the text.
   * `oldString` is empty, and `replaceAll` is false. Absent: `newString` replaces `oldString`.
   */
  readonly whole?: WholeEdit;
  readonly oldString: string;
  readonly newString: string;
  /** Whether to replace every occurrence. If not, there must be exactly one. */
  readonly replaceAll: boolean;
}

/**
 * An edit that an agent proposes and a person decides on. It belongs to a user. Immutable: a change
 * makes a new object.
 */
export interface Proposal extends Edit {
  /** UUIDv7. */
  readonly id: string;
  /** The agent that proposes. A memory to edit lies in this agent's namespace. */
  readonly agentId: string;
  readonly target: ProposalTarget;
  readonly reasoning: string;
  readonly confidence: Confidence;
  readonly status: ProposalStatus;
  /** Version of the target when the edit was proposed. 0: the edit creates the block. */
  readonly baseVersion: number;
  readonly baseText: string;
  readonly createTime: Instant;
  /** From this instant on the proposal can no longer be decided. */
  readonly expireTime: Instant;
  /** The principal that proposed. Absent: the caller gave no name. */
  readonly proposedBy?: string;
  readonly decidedBy?: string;
  /** The person for whom the principal decided, as the principal says. */
  readonly decidedFor?: string;
  readonly decideTime?: Instant;
  readonly decisionReason?: string;
  /** The approver's text in place of `newString`. */
  readonly editedNewString?: string;
  /** The version of the target that the approved edit made. */
  readonly resultVersion?: number;
  /** The text of the target when the edit could not be applied. Absent if the target was gone. */
  readonly conflictText?: string;
  /** The memory after the approved edit. Stored here because a memory keeps no earlier versions. */
  readonly approvedMemory?: Memory;
  /** Id of the last rejected proposal of exactly the same edit. */
  readonly repeatOf?: string;
}

/** Whether a proposal is pending but has expired, so that it can no longer be decided. */
export function isOverdue({ status, expireTime }: Proposal, now: Instant): boolean {
  return status === "PENDING" && compareInstants(expireTime, now) <= 0;
}

/**
 * Whether a proposal still has its texts. Deleting the target removes them. No proposal is without
 * reasoning, so an empty `reasoning` means that the texts were removed.
 */
export function hasTexts({ reasoning }: Pick<Proposal, "reasoning">): boolean {
  return reasoning !== "";
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
