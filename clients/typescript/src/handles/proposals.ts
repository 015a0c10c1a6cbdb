// Generated from the definitions by `npm run generate`. Do not edit.
import { ApproveProposalRequestSchema, type ApproveProposalResponse, GetProposalRequestSchema, type GetProposalResponse, ListProposalsRequestSchema, type ListProposalsResponse, ProposalService, RejectProposalRequestSchema, type RejectProposalResponse, WatchProposalsRequestSchema, type WatchProposalsResponse } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until
 * somebody approves. An approval changes the target and the proposal in one atomic step. A worked
 * example: docs/blocks.md.
 *
 * Proposals belong to a user. The id of another user's proposal and an unknown id give the same
 * answer: NOT_FOUND (PROPOSAL_NOT_FOUND).
 *
 * A pending proposal expires after its lifetime: 30 days, or the server's --proposal-lifetime. From
 * that instant on it is PROPOSAL_STATUS_EXPIRED. Decided and expired proposals are kept. They lose
 * their texts when their target is deleted.
 */
export class Proposals {
  readonly #calls: Calls;
  readonly #userId: string;

  constructor(calls: Calls, userId: string) {
    this.#calls = calls;
    this.#userId = userId;
  }

  /** Lists a user's proposals without their diffs, newest first, page by page. */
  listProposals(fields: Fields<typeof ListProposalsRequestSchema, "userId"> = {}, options?: CallOptions): Promise<ListProposalsResponse> {
    return this.#calls.unary(ProposalService.method.listProposals, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Returns one proposal with its diff. For a PROPOSAL_STATUS_CONFLICTED proposal, also returns the
   * conflicting texts. Returns no texts if the target was deleted (`texts_removed`).
   */
  getProposal(fields: Fields<typeof GetProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<GetProposalResponse> {
    return this.#calls.unary(ProposalService.method.getProposal, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Applies an edit to the current text of its target. Approving an approved proposal changes
   * nothing. It returns the reply of the first approval, with `already_decided` set. An
   * edited_new_string of the later call is ignored; the reply says which text was applied.
   *
   * Fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the target was deleted, no longer
   * contains old_string, or contains it several times without replace_all. The proposal is
   * PROPOSAL_STATUS_CONFLICTED from then on. A proposal never applies to a new block with the label
   * of a deleted one.
   *
   * Fails with FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired. Fails with
   * FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
   *
   * Fails with FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too
   * large, or would leave a memory empty or blank (only white space). The edit is applied to two
   * texts: the current one, and the one that the target had when the edit was proposed. Both
   * results must keep the size limit. The proposal stays pending.
   */
  approveProposal(fields: Fields<typeof ApproveProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<ApproveProposalResponse> {
    return this.#calls.unary(ProposalService.method.approveProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Rejects an edit. Rejecting again changes nothing: it returns the first reply with
   * `already_decided` set. The first reason stays.
   *
   * Fails with FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_CONFLICTED or PROPOSAL_EXPIRED)
   * when the proposal has that status.
   */
  rejectProposal(fields: Fields<typeof RejectProposalRequestSchema, "userId", "id">, options?: CallOptions): Promise<RejectProposalResponse> {
    return this.#calls.unary(ProposalService.method.rejectProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Streams the pending proposals, oldest first, then each new proposal when it is made. A proposal
   * that was sent as pending is sent once more when it is decided or expires. Proposals come
   * without their diffs.
   *
   * The only deadline is the client's. Fails with UNAVAILABLE (SERVER_STOPPING) when the server
   * stops, and with RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user are open. A
   * slow client can miss proposals: a proposal that is made and decided between two reads is not
   * sent.
   */
  watchProposals(fields: Fields<typeof WatchProposalsRequestSchema, "userId"> = {}, options?: CallOptions): ResponseStream<WatchProposalsResponse> {
    return this.#calls.stream(ProposalService.method.watchProposals, { ...fields, userId: this.#userId }, options);
  }
}
