import type { MemoryServiceParts } from "../memories/service.js";
import type { Allowance } from "../model/allowance.js";
import type { Block } from "../model/block.js";
import type { Instant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { IdPatterns } from "../model/principal.js";
import type {
  Confidence,
  Edit,
  Proposal,
  ProposalStatus,
  ProposalTarget,
} from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { Page, PageQuery } from "../requests/list-page.js";
import type { WakeUps } from "../requests/wake-ups.js";

/** The dependencies of the use cases of proposals. */
export interface ProposalServiceParts
  extends Pick<
    MemoryServiceParts,
    "store" | "index" | "embedders" | "tokens" | "clock" | "ids" | "gate" | "versionsMax" | "timer"
  > {
  /** How long a proposal waits for a decision, in milliseconds. */
  readonly lifetimeMs: number;
  readonly wakeUps: WakeUps;
}

/**
 * A proposal as readers see it: with its present status, and without the texts of its target, which
 * may be large.
 */
export type ProposalView = Omit<Proposal, "baseText" | "conflictText" | "approvedMemory">;

/** The proposals that a caller can see. The server hides all other proposals from the caller. */
export interface VisibleProposals {
  readonly userId: string;
  /** The agents whose proposals are visible. Absent: all agents. */
  readonly agents?: IdPatterns;
}

/** The users and agents whose proposals a caller can see. */
export interface VisibleUsers {
  readonly users: IdPatterns;
  readonly agents: IdPatterns;
}

/** The proposals that a watcher can see. They may change during the watch. */
export interface WatchedProposals {
  /** The user. Absent: all users that `users` allows. */
  readonly userId?: string;
  /** The users whose proposals are visible. Absent: all users. */
  readonly users?: IdPatterns;
  /** The agents whose proposals are visible. Absent: all agents. */
  readonly agents?: IdPatterns;
  /**
   * Calls `listener` whenever `users` or `agents` may have changed. Absent: they never change.
   */
  onChange?(listener: () => void): void;
  /** Milliseconds between heartbeats while nothing changes. Absent: no heartbeats. */
  readonly heartbeatMs?: number;
}

/**
 * What a watch yields: a proposal; with heartbeats, also `waiting sent` after all proposals that
 * waited at the start, and `heartbeat` each time when nothing has changed for a while.
 */
export type WatchEvent = UserProposal | "waiting sent" | "heartbeat";

/** What counts of pending proposals are grouped by. */
export type ProposalGrouping = "USER" | "AGENT" | "TARGET" | "CONFIDENCE";

export interface CountProposalsQuery {
  /** The user. Absent: all users that `users` allows. */
  readonly userId?: string;
  readonly users: IdPatterns;
  readonly agents: IdPatterns;
  /** Absent: no groups. */
  readonly grouping?: ProposalGrouping;
}

/** Pending proposals that have what they are grouped by in common. */
export interface CountedGroup {
  readonly count: number;
  readonly oldestTime: Instant;
  /** One of the proposals. It has what all of them have in common. */
  readonly example: UserProposal;
}

export interface CountedProposals {
  readonly total: number;
  /** Absent: nothing is pending. */
  readonly oldestTime?: Instant;
  /** The largest groups, at most 1,000. */
  readonly groups: readonly CountedGroup[];
  readonly omittedGroups: number;
}

/** A proposal with its user. */
export interface UserProposal {
  readonly userId: string;
  readonly proposal: ProposalView;
}

/** An edit to propose. */
export interface ProposeEditInput extends Edit, Idempotent {
  /**
   * The agent that proposes the edit, and its user. If the target is a memory, the memory lies in
   * this namespace.
   */
  readonly namespace: Namespace;
  readonly target: ProposalTarget;
  readonly reasoning: string;
  /** Default MEDIUM. */
  readonly confidence?: Confidence;
  /** `Principal.name` of the caller. */
  readonly proposedBy?: string;
}

/** A recorded proposal, and a message for the agent. */
export interface ProposeEditResult {
  readonly proposal: ProposalView;
  readonly message: string;
  /** Id of an earlier proposal of the same edit that waited when this one was made. */
  readonly waitingId?: string;
}

/** Which proposals to list, and in which order. */
export interface ProposalSelection {
  /** Lists only proposals with this status. Absent: proposals of every status. */
  readonly status?: ProposalStatus;
  /** Lists only the proposals of this agent. Absent: of all agents. */
  readonly agentId?: string;
  /** Lists only proposals about this target. Absent: about any target. */
  readonly target?: ProposalTarget;
  /** Whether to list the oldest proposal first. Default false. */
  readonly oldestFirst?: boolean;
}

export interface ListProposalsQuery extends VisibleProposals, PageQuery, ProposalSelection {}

export interface ListInboxQuery extends VisibleUsers, PageQuery, ProposalSelection {}

/** A proposal with its diff and, if it is conflicted, the texts in conflict. */
export interface ProposalDetails {
  readonly proposal: ProposalView;
  /**
   * Unified diff of the proposed edit, against the target at the time of the proposal. Empty if the
   * texts were removed.
   */
  readonly diff: string;
  /** Whether the diff was cut at 1 MiB. */
  readonly diffTruncated: boolean;
  /** Present only for a pending proposal. */
  readonly preview?: ProposalPreview;
  /**
   * Present only for a conflicted proposal that still has its texts. `currentText` is absent if the
   * target was gone.
   */
  readonly conflict?: {
    readonly baseText: string;
    readonly currentText?: string;
    readonly proposedText: string;
  };
}

/** Whether an edit applies to its target as it is now. */
export type Applicability =
  | "APPLIES"
  | "APPLIES_TO_CHANGED_TEXT"
  | "OLD_STRING_GONE"
  | "OLD_STRING_AMBIGUOUS"
  | "TARGET_GONE"
  | "RESULT_REFUSED"
  | "TEXT_CHANGED";

/** What the approval of a pending proposal would do now. */
export interface ProposalPreview {
  readonly applicability: Applicability;
  /** Version of the target now. 0: there is none. */
  readonly targetVersion: number;
  /** Absent: there is no target. */
  readonly currentText?: string;
  /** Absent: the edit does not apply. */
  readonly resultText?: string;
  /** Unified diff from the current text to the result. Empty: the edit does not apply. */
  readonly diff: string;
  /** Whether the diff was cut at 1 MiB. */
  readonly truncated: boolean;
}

/** The proposal to delete. */
export interface DeleteProposalInput extends VisibleProposals, Idempotent {
  readonly id: string;
}

/** The proposal to decide on, and the caller who decides. */
interface DecisionInput extends VisibleProposals, Idempotent {
  readonly id: string;
  /** `Principal.name` of the caller. */
  readonly decidedBy: string;
  /** The person for whom the caller decides, as the caller says. */
  readonly decidedFor?: string;
}

export interface ApproveInput extends DecisionInput {
  /** Replaces the proposal's `newString`. */
  readonly editedNewString?: string;
  /** The version that the target must have; 0: there must be none. Absent: any version. */
  readonly expectedVersion?: number;
  /** A note for the agent. Default: none. */
  readonly note?: string;
}

/** A proposal after a decision. */
export interface Decision {
  readonly proposal: ProposalView;
  /** Whether an earlier call decided, so that this call changed nothing. */
  readonly alreadyDecided: boolean;
}

/** The result of an approval. */
export interface ApprovalResult extends Decision {
  /** The edited target: a block or a memory. Both are absent if the target was deleted since. */
  readonly block?: Block;
  readonly memory?: Memory;
}

export interface RejectInput extends DecisionInput {
  /** The reason for the rejection. May be empty. */
  readonly reason: string;
}

/**
 * The use cases of proposals. Requires: inputs obey the rules of the proto files.
 *
 * An id gives NOT_FOUND (PROPOSAL_NOT_FOUND) in three cases: no proposal has the id, the proposal
 * belongs to another user, or the caller cannot see the proposal.
 */
export interface ProposalService {
  /**
   * Records an edit for a person to decide on. Messages of errors are written for the agent.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when the edit is invalid for every target: the two
   *   strings are equal, `oldString` is empty, or there is no reasoning.
   * @throws NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, and the
   *   edit does not create it.
   * @throws FAILED_PRECONDITION (OLD_STRING_NOT_FOUND, OLD_STRING_AMBIGUOUS, TEXT_UNCHANGED,
   *   EDIT_RESULT_REFUSED) when the edit does not apply to the target.
   */
  propose(input: ProposeEditInput, allowance?: Allowance): Promise<ProposeEditResult>;
  /** Lists a user's proposals in the order of their ids, newest first by default. */
  list(query: ListProposalsQuery, call: Call): Promise<Page<ProposalView>>;
  /**
   * Lists the proposals of all visible users as `list` does. Each proposal is read at its own
   * moment.
   */
  listInbox(query: ListInboxQuery, call: Call): Promise<Page<UserProposal>>;
  get(visible: VisibleProposals, id: string): Promise<ProposalDetails>;
  /**
   * Applies an edit once, even if `approve` is called several times.
   *
   * @throws PERMISSION_DENIED (SELF_APPROVAL) when the caller proposed the edit itself. Anonymous
   *   callers may approve their own edits.
   * @throws ABORTED (VERSION_MISMATCH) when the target is not at `expectedVersion`.
   * @throws FAILED_PRECONDITION when the proposal is not approved after the call: an earlier call
   *   rejected it, it has expired, or its edit no longer fits the target.
   */
  approve(input: ApproveInput, call: Call): Promise<ApprovalResult>;
  /**
   * Rejects a proposal once.
   *
   * @throws FAILED_PRECONDITION when the proposal has another outcome.
   */
  reject(input: RejectInput, allowance?: Allowance): Promise<Decision>;
  /**
   * Deletes a proposal that is not pending. `deleted` tells whether the proposal existed.
   *
   * @throws FAILED_PRECONDITION (PROPOSAL_PENDING) when the proposal is pending.
   */
  delete(input: DeleteProposalInput, allowance?: Allowance): Promise<{ readonly deleted: boolean }>;
  /**
   * Yields the pending proposals, then each new proposal, unless it is decided at once. Yields each
   * of these proposals once more when it is decided or expires. Also yields pending proposals that
   * become visible during the watch. Ends when the call ends.
   *
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server stops.
   * @throws RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user, or of all users,
   *   are open already.
   */
  watch(visible: WatchedProposals, call: Call): AsyncIterable<WatchEvent>;
  /** Counts the pending proposals that a caller can see, of one user or of all. */
  count(query: CountProposalsQuery, call: Call): Promise<CountedProposals>;
}
