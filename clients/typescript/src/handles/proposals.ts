// Generated from the definitions by `npm run generate`. Do not edit.
import { ApproveProposalRequestSchema, type ApproveProposalResponse, CountProposalsRequestSchema, type CountProposalsResponse, DeleteProposalRequestSchema, type DeleteProposalResponse, GetProposalRequestSchema, type GetProposalResponse, ListProposalsRequestSchema, type ListProposalsResponse, ProposalService, RejectProposalRequestSchema, type RejectProposalResponse, WatchProposalsRequestSchema, type WatchProposalsResponse } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on them. The
 * target of an edit (a block or a memory) does not change until somebody approves the edit. An
 * approval changes the target and the proposal in one atomic step. A worked example:
 * docs/guides/blocks.md.
 *
 * Proposals belong to a user. A call about one proposal fails with NOT_FOUND (PROPOSAL_NOT_FOUND)
 * when the user has no proposal with the id. It also fails with this error when the caller's
 * credentials do not cover the agent of the proposal.
 *
 * A proposal on which nobody decides expires after the server's --proposal-lifetime, by default 30
 * days. Decided and expired proposals are kept, but lose their texts when their target is deleted.
 *
 * Mutations take an `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a
 * user, not to a namespace.
 */
export class Proposals {
  readonly #calls: Calls;
  readonly #userId: string;

  constructor(calls: Calls, userId: string) {
    this.#calls = calls;
    this.#userId = userId;
  }

  /**
   * Lists proposals without their diffs, page by page: those of one user, or those of all users
   * whom the caller may name.
   */
  list(fields: Fields<typeof ListProposalsRequestSchema, "userId"> = {}, options?: CallOptions): Promise<ListProposalsResponse> {
    return this.#calls.unary(ProposalService.method.listProposals, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Counts the pending proposals of one user, or of all users whom the caller may name. Reads each
   * of them.
   */
  count(fields: Fields<typeof CountProposalsRequestSchema, "userId"> = {}, options?: CallOptions): Promise<CountProposalsResponse> {
    return this.#calls.unary(ProposalService.method.countProposals, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Returns one proposal with its diff. If the proposal is pending, also returns what an approval
   * would do now. If the proposal is conflicted, also returns the texts in conflict. If the target
   * was deleted, returns no texts (Proposal.texts_removed).
   */
  get(fields: Fields<typeof GetProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<GetProposalResponse> {
    return this.#calls.unary(ProposalService.method.getProposal, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Applies an edit to the current text of its target.
   *
   * If an earlier call has approved the proposal, this call changes nothing and ignores
   * edited_new_string. It returns the outcome of the first approval, with `already_decided` set.
   *
   * The call fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the edit no longer applies
   * to its target. The proposal is conflicted from then on. An edit no longer applies in these
   * cases:
   *
   * - The target was deleted, even if a new block has its label.
   * - The target is a memory that has expired.
   * - The target no longer contains old_string.
   * - The target contains old_string several times, and replace_all is false.
   * - The edit has new_body, and the text of the target has changed since the proposal.
   * - The edit creates a block, and the user has a block with the label by now.
   *
   * The call also fails with these errors:
   *
   * - PERMISSION_DENIED (SELF_APPROVAL) when the caller is the principal that proposed the edit
   *   (Proposal.proposed_by). Only `anonymous` may approve its own edits.
   * - FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired.
   * - FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
   * - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the target's version.
   *   The proposal stays pending.
   * - INVALID_ARGUMENT when edited_new_string equals old_string, or is empty although the edit
   *   appends it.
   * - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
   *   would leave a memory empty or blank (only white space). The proposal stays pending.
   * - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit no longer applies, but
   *   ProposalConflict.proposed_text would be too large to store. The proposal stays pending.
   */
  approve(fields: Fields<typeof ApproveProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<ApproveProposalResponse> {
    return this.#calls.unary(ProposalService.method.approveProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Rejects an edit. If an earlier call has rejected the proposal, this call changes nothing. It
   * returns the proposal with the first reason, and with `already_decided` set.
   *
   * Fails with FAILED_PRECONDITION when the proposal has another outcome: it was approved
   * (PROPOSAL_APPROVED), is conflicted (PROPOSAL_CONFLICTED) or has expired (PROPOSAL_EXPIRED).
   */
  reject(fields: Fields<typeof RejectProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<RejectProposalResponse> {
    return this.#calls.unary(ProposalService.method.rejectProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Deletes a proposal that is not pending: the agent no longer learns of the decision, and the
   * same edit proposed again is not marked as a repetition. The target keeps its text, and its
   * versions keep the id of the proposal. An unknown id is not an error: `deleted` is false.
   *
   * Fails with FAILED_PRECONDITION (PROPOSAL_PENDING) when nobody has decided on the proposal.
   * Reject it first, so that the agent and all watchers learn of it.
   */
  delete(fields: Fields<typeof DeleteProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<DeleteProposalResponse> {
    return this.#calls.unary(ProposalService.method.deleteProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Streams the pending proposals without their diffs, oldest first, then each new proposal when it
   * is made. The stream sends a proposal once more when somebody decides on it. It also sends a
   * proposal once more after it has expired, at the latest when the server next prunes. By default,
   * the server prunes once a day.
   *
   * Without a client deadline, the call has no time limit. A slow client can miss proposals: if
   * somebody decides on a new proposal before the client reads it, the stream leaves this proposal
   * out.
   *
   * Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with RESOURCE_EXHAUSTED
   * (TOO_MANY_WATCHES) when 100 calls of WatchProposals for the user are open on this server.
   *
   * This client always sets a deadline, by default 30 seconds after the start of the call. For a
   * longer watch, set a longer timeout, and watch again when the call ends.
   */
  watch(fields: Fields<typeof WatchProposalsRequestSchema, "userId"> = {}, options?: CallOptions): ResponseStream<WatchProposalsResponse> {
    return this.#calls.stream(ProposalService.method.watchProposals, { ...fields, userId: this.#userId }, options);
  }
}
