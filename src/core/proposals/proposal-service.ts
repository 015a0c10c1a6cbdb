import type { PageQuery } from "../blocks/block-service.js";
import type { Block } from "../model/block.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type {
  Confidence,
  Edit,
  Proposal,
  ProposalStatus,
  ProposalTarget,
} from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page } from "../requests/page.js";

/** A proposal as it is shown: its status is that of the moment, and the texts of its target, which may be large, are left out. */
export type ProposalView = Omit<Proposal, "baseText" | "conflictText" | "approvedMemory">;

/** An edit to propose. */
export interface ProposeEditInput extends Edit, Idempotent {
  /** Who proposes, and where a memory lies. */
  readonly namespace: Namespace;
  readonly target: ProposalTarget;
  readonly reasoning: string;
  /** Default MEDIUM. */
  readonly confidence?: Confidence;
}

/** A recorded proposal, and what to tell the agent. */
export interface Proposed {
  readonly proposal: ProposalView;
  readonly message: string;
}

export interface ListProposalsQuery extends PageQuery {
  readonly userId: string;
  /** Absent: any. */
  readonly status?: ProposalStatus;
}

/** A proposal with what it comes to. */
export interface ProposalDetails {
  readonly proposal: ProposalView;
  /** Unified diff of the edit as it was proposed, against the target as it was then. */
  readonly diff: string;
  /** What stood against each other; only of a conflicted one. `currentText` is absent if the target was gone. */
  readonly conflict?: {
    readonly baseText: string;
    readonly currentText?: string;
    readonly proposedText: string;
  };
}

export interface ApproveInput extends Idempotent {
  readonly userId: string;
  readonly id: string;
  /** In place of the proposal's `newString`. */
  readonly editedNewString?: string;
  readonly decidedBy: string;
}

/** What an approval has made. */
export interface Approved {
  readonly proposal: ProposalView;
  /** The target as the edit has left it. At most one of the two; none if the block is deleted since. */
  readonly block?: Block;
  readonly memory?: Memory;
}

export interface RejectInput extends Idempotent {
  readonly userId: string;
  readonly id: string;
  /** May be empty. */
  readonly reason: string;
  readonly decidedBy: string;
}

/**
 * The use cases of proposals. Inputs are within the limits of the proto rules; what rules cannot say is checked here.
 * Ids that do not exist and ids of other users' proposals are the same to all of them: NOT_FOUND (PROPOSAL_NOT_FOUND).
 */
export interface ProposalService {
  /** @throws INVALID_ARGUMENT, NOT_FOUND or FAILED_PRECONDITION, in the words that the agent is told */
  propose(input: ProposeEditInput): Promise<Proposed>;
  /** A user's proposals, newest first. */
  list(query: ListProposalsQuery, call: Call): Promise<Page<ProposalView>>;
  get(userId: string, id: string): Promise<ProposalDetails>;
  /** Applies an edit once, however often it is called. @throws FAILED_PRECONDITION if the proposal cannot be, or was not, approved */
  approve(input: ApproveInput, call: Call): Promise<Approved>;
  /** Rejects once. @throws FAILED_PRECONDITION if the proposal was decided otherwise */
  reject(input: RejectInput): Promise<ProposalView>;
  /** The proposals that wait, then what becomes of them and what comes. Ends when the call does, or with UNAVAILABLE (SERVER_STOPPING). */
  watch(userId: string, call: Call): AsyncIterable<ProposalView>;
}
