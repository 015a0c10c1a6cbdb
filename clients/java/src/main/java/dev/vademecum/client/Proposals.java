// Generated from the definitions by `npm run generate`. Do not edit.
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
 * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until
 * somebody approves. An approval changes the target and the proposal in one atomic step. A worked
 * example: docs/blocks.md.
 *
 * <p>Proposals belong to a user. The id of another user's proposal and an unknown id give the same
 * answer: NOT_FOUND (PROPOSAL_NOT_FOUND).
 *
 * <p>A pending proposal expires after its lifetime: 30 days, or the server's --proposal-lifetime.
 * From that instant on it is PROPOSAL_STATUS_EXPIRED. Decided and expired proposals are kept. They
 * lose their texts when their target is deleted.
 */
public final class Proposals {
  private final Calls calls;
  private final String userId;

  Proposals(Calls calls, String userId) {
    this.calls = calls;
    this.userId = userId;
  }

  /**
   * Lists a user's proposals without their diffs, newest first, page by page.
   */
  public ListProposalsResponse listProposals(ListProposalsRequest.Builder request) {
    ListProposalsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getListProposalsMethod(), copy.build());
  }

  /**
   * Returns one proposal with its diff. For a PROPOSAL_STATUS_CONFLICTED proposal, also returns the
   * conflicting texts. Returns no texts if the target was deleted (`texts_removed`).
   */
  public GetProposalResponse getProposal(GetProposalRequest.Builder request) {
    GetProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getGetProposalMethod(), copy.build());
  }

  /**
   * Applies an edit to the current text of its target. Approving an approved proposal changes
   * nothing. It returns the reply of the first approval, with `already_decided` set. An
   * edited_new_string of the later call is ignored; the reply says which text was applied.
   *
   * <p>Fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the target was deleted, no longer
   * contains old_string, or contains it several times without replace_all. The proposal is
   * PROPOSAL_STATUS_CONFLICTED from then on. A proposal never applies to a new block with the label
   * of a deleted one.
   *
   * <p>Fails with FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired. Fails with
   * FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
   *
   * <p>Fails with FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too
   * large, or would leave a memory empty or blank (only white space). The edit is applied to two
   * texts: the current one, and the one that the target had when the edit was proposed. Both
   * results must keep the size limit. The proposal stays pending.
   */
  public ApproveProposalResponse approveProposal(ApproveProposalRequest.Builder request) {
    ApproveProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getApproveProposalMethod(), copy.build());
  }

  /**
   * Rejects an edit. Rejecting again changes nothing: it returns the first reply with
   * `already_decided` set. The first reason stays.
   *
   * <p>Fails with FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_CONFLICTED or PROPOSAL_EXPIRED)
   * when the proposal has that status.
   */
  public RejectProposalResponse rejectProposal(RejectProposalRequest.Builder request) {
    RejectProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getRejectProposalMethod(), copy.build());
  }

  /**
   * Streams the pending proposals, oldest first, then each new proposal when it is made. A proposal
   * that was sent as pending is sent once more when it is decided or expires. Proposals come
   * without their diffs.
   *
   * <p>The only deadline is the client's. Fails with UNAVAILABLE (SERVER_STOPPING) when the server
   * stops, and with RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user are open. A
   * slow client can miss proposals: a proposal that is made and decided between two reads is not
   * sent.
   */
  public ResponseStream<WatchProposalsResponse> watchProposals(WatchProposalsRequest.Builder request) {
    WatchProposalsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.stream(ProposalServiceGrpc.getWatchProposalsMethod(), copy.build());
  }
}
