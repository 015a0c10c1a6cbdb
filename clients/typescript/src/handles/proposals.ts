// Made from the definitions by `npm run generate`: do not edit.
import { ApproveProposalRequestSchema, type ApproveProposalResponse, GetProposalRequestSchema, type GetProposalResponse, ListProposalsRequestSchema, type ListProposalsResponse, ProposalService, RejectProposalRequestSchema, type RejectProposalResponse, WatchProposalsRequestSchema, type WatchProposalsResponse } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
 *
 * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND). A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
 */
export class Proposals {
  readonly #calls: Calls;
  readonly #userId: string;

  constructor(calls: Calls, userId: string) {
    this.#calls = calls;
    this.#userId = userId;
  }

  /** Lists a user's proposals, newest first, page by page. Without their diffs. */
  listProposals(fields: Fields<typeof ListProposalsRequestSchema, "userId"> = {}, options?: CallOptions): Promise<ListProposalsResponse> {
    return this.#calls.unary(ProposalService.method.listProposals, { ...fields, userId: this.#userId }, options);
  }

  /** Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED. */
  getProposal(fields: Fields<typeof GetProposalRequestSchema, "userId">, options?: CallOptions): Promise<GetProposalResponse> {
    return this.#calls.unary(ProposalService.method.getProposal, { ...fields, userId: this.#userId }, options);
  }

  /**
   * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
   *
   * FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
   */
  approveProposal(fields: Fields<typeof ApproveProposalRequestSchema, "userId">, options?: CallOptions): Promise<ApproveProposalResponse> {
    return this.#calls.unary(ProposalService.method.approveProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
   *
   * FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
   */
  rejectProposal(fields: Fields<typeof RejectProposalRequestSchema, "userId">, options?: CallOptions): Promise<RejectProposalResponse> {
    return this.#calls.unary(ProposalService.method.rejectProposal, { ...fields, userId: this.#userId, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
   *
   * Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
   */
  watchProposals(fields: Fields<typeof WatchProposalsRequestSchema, "userId"> = {}, options?: CallOptions): ResponseStream<WatchProposalsResponse> {
    return this.#calls.stream(ProposalService.method.watchProposals, { ...fields, userId: this.#userId }, options);
  }
}
