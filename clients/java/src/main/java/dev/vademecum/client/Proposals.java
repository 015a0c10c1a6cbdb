// Made from the definitions by `npm run generate`: do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.ApproveProposalRequest;
import dev.vademecum.v1.ApproveProposalResponse;
import dev.vademecum.v1.GetProposalRequest;
import dev.vademecum.v1.GetProposalResponse;
import dev.vademecum.v1.ListProposalsRequest;
import dev.vademecum.v1.ListProposalsResponse;
import dev.vademecum.v1.ProposalServiceGrpc;
import dev.vademecum.v1.RejectProposalRequest;
import dev.vademecum.v1.RejectProposalResponse;
import dev.vademecum.v1.WatchProposalsRequest;
import dev.vademecum.v1.WatchProposalsResponse;

/**
 * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
 *
 * <p>Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND). A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
 */
public final class Proposals {
  private final Calls calls;
  private final String userId;

  Proposals(Calls calls, String userId) {
    this.calls = calls;
    this.userId = userId;
  }

  /**
   * Lists a user's proposals, newest first, page by page. Without their diffs.
   */
  public ListProposalsResponse listProposals(ListProposalsRequest.Builder request) {
    ListProposalsRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getListProposalsMethod(), filled.build());
  }

  /**
   * Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
   */
  public GetProposalResponse getProposal(GetProposalRequest.Builder request) {
    GetProposalRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getGetProposalMethod(), filled.build());
  }

  /**
   * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
   *
   * <p>FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
   */
  public ApproveProposalResponse approveProposal(ApproveProposalRequest.Builder request) {
    ApproveProposalRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getApproveProposalMethod(), filled.build());
  }

  /**
   * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
   *
   * <p>FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
   */
  public RejectProposalResponse rejectProposal(RejectProposalRequest.Builder request) {
    RejectProposalRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getRejectProposalMethod(), filled.build());
  }

  /**
   * Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
   *
   * <p>Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
   */
  public ResponseStream<WatchProposalsResponse> watchProposals(WatchProposalsRequest.Builder request) {
    WatchProposalsRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.stream(ProposalServiceGrpc.getWatchProposalsMethod(), filled.build());
  }
}
