// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.ApproveProposalRequest;
import vademecum.v1.ApproveProposalResponse;
import vademecum.v1.CountProposalsRequest;
import vademecum.v1.CountProposalsResponse;
import vademecum.v1.DeleteProposalRequest;
import vademecum.v1.DeleteProposalResponse;
import vademecum.v1.GetProposalRequest;
import vademecum.v1.GetProposalResponse;
import vademecum.v1.ListProposalsRequest;
import vademecum.v1.ListProposalsResponse;
import vademecum.v1.ProposalServiceGrpc;
import vademecum.v1.RejectProposalRequest;
import vademecum.v1.RejectProposalResponse;
import vademecum.v1.WatchProposalsRequest;
import vademecum.v1.WatchProposalsResponse;

/**
 * Lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on them. The
 * target of an edit (a block or a memory) does not change until somebody approves the edit. An
 * approval changes the target and the proposal in one atomic step. A worked example:
 * docs/guides/blocks.md.
 *
 * <p>Proposals belong to a user. A call about one proposal fails with NOT_FOUND
 * (PROPOSAL_NOT_FOUND) when the user has no proposal with the id. It also fails with this error
 * when the caller's credentials do not cover the agent of the proposal.
 *
 * <p>A proposal on which nobody decides expires after the server's --proposal-lifetime, by default
 * 30 days. Decided and expired proposals are kept, but lose their texts when their target is
 * deleted.
 *
 * <p>Mutations take an `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to
 * a user, not to a namespace.
 */
public final class Proposals {
  private final Calls calls;
  private final String userId;

  Proposals(Calls calls, String userId) {
    this.calls = calls;
    this.userId = userId;
  }

  /**
   * Lists proposals without their diffs, page by page: those of one user, or those of all users
   * whom the caller may name.
   */
  public ListProposalsResponse list(ListProposalsRequest.Builder request) {
    ListProposalsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getListProposalsMethod(), copy.build());
  }

  /**
   * Counts the pending proposals of one user, or of all users whom the caller may name. Reads each
   * of them.
   */
  public CountProposalsResponse count(CountProposalsRequest.Builder request) {
    CountProposalsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getCountProposalsMethod(), copy.build());
  }

  /**
   * Returns one proposal with its diff. If the proposal is pending, also returns what an approval
   * would do now. If the proposal is conflicted, also returns the texts in conflict. If the target
   * was deleted, returns no texts (Proposal.texts_removed).
   */
  public GetProposalResponse get(GetProposalRequest.Builder request) {
    GetProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(ProposalServiceGrpc.getGetProposalMethod(), copy.build());
  }

  /**
   * Applies an edit to the current text of its target.
   *
   * <p>If an earlier call has approved the proposal, this call changes nothing and ignores
   * edited_new_string. It returns the outcome of the first approval, with `already_decided` set.
   *
   * <p>The call fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the edit no longer
   * applies to its target. The proposal is conflicted from then on. An edit no longer applies in
   * these cases:
   *
   * <ul>
   * <li>The target was deleted, even if a new block has its label.
   * <li>The target is a memory that has expired.
   * <li>The target no longer contains old_string.
   * <li>The target contains old_string several times, and replace_all is false.
   * <li>The edit has new_body, and the text of the target has changed since the proposal.
   * <li>The edit creates a block, and the user has a block with the label by now.
   * </ul>
   *
   * <p>The call also fails with these errors:
   *
   * <ul>
   * <li>PERMISSION_DENIED (SELF_APPROVAL) when the caller is the principal that proposed the edit
   * (Proposal.proposed_by). Only `anonymous` may approve its own edits.
   * <li>FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired.
   * <li>FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
   * <li>ABORTED (VERSION_MISMATCH) when expected_version is given and is not the target's version.
   * The proposal stays pending.
   * <li>INVALID_ARGUMENT when edited_new_string equals old_string, or is empty although the edit
   * appends it.
   * <li>FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
   * would leave a memory empty or blank (only white space). The proposal stays pending.
   * <li>FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit no longer applies, but
   * ProposalConflict.proposed_text would be too large to store. The proposal stays pending.
   * </ul>
   */
  public ApproveProposalResponse approve(ApproveProposalRequest.Builder request) {
    ApproveProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getApproveProposalMethod(), copy.build());
  }

  /**
   * Rejects an edit. If an earlier call has rejected the proposal, this call changes nothing. It
   * returns the proposal with the first reason, and with `already_decided` set.
   *
   * <p>Fails with FAILED_PRECONDITION when the proposal has another outcome: it was approved
   * (PROPOSAL_APPROVED), is conflicted (PROPOSAL_CONFLICTED) or has expired (PROPOSAL_EXPIRED).
   */
  public RejectProposalResponse reject(RejectProposalRequest.Builder request) {
    RejectProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getRejectProposalMethod(), copy.build());
  }

  /**
   * Deletes a proposal that is not pending: the agent no longer learns of the decision, and the
   * same edit proposed again is not marked as a repetition. The target keeps its text, and its
   * versions keep the id of the proposal. An unknown id is not an error: `deleted` is false.
   *
   * <p>Fails with FAILED_PRECONDITION (PROPOSAL_PENDING) when nobody has decided on the proposal.
   * Reject it first, so that the agent and all watchers learn of it.
   */
  public DeleteProposalResponse delete(DeleteProposalRequest.Builder request) {
    DeleteProposalRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(ProposalServiceGrpc.getDeleteProposalMethod(), copy.build());
  }

  /**
   * Streams the pending proposals without their diffs, oldest first, then each new proposal when it
   * is made. The stream sends a proposal once more when somebody decides on it. It also sends a
   * proposal once more after it has expired, at the latest when the server next prunes. By default,
   * the server prunes once a day.
   *
   * <p>Without a client deadline, the call has no time limit. A slow client can miss proposals: if
   * somebody decides on a new proposal before the client reads it, the stream leaves this proposal
   * out.
   *
   * <p>Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
   * RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchProposals for the user are open on
   * this server.
   *
   * <p>This client always sets a deadline, by default 30 seconds after the start of the call. For a
   * longer watch, set a longer timeout, and watch again when the call ends.
   */
  public ResponseStream<WatchProposalsResponse> watch(WatchProposalsRequest.Builder request) {
    WatchProposalsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.stream(ProposalServiceGrpc.getWatchProposalsMethod(), copy.build());
  }
}
