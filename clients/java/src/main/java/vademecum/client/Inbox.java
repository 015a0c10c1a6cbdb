// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.ListProposalsRequest;
import vademecum.v1.ListProposalsResponse;
import vademecum.v1.ProposalServiceGrpc;
import vademecum.v1.WatchInboxRequest;
import vademecum.v1.WatchInboxResponse;

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
public final class Inbox {
  private final Calls calls;

  Inbox(Calls calls) {
    this.calls = calls;
  }

  /**
   * Lists proposals without their diffs, page by page: those of one user, or those of all users
   * whom the caller may name.
   */
  public ListProposalsResponse list(ListProposalsRequest.Builder request) {
    ListProposalsRequest.Builder copy = request.clone();
    return calls.unary(ProposalServiceGrpc.getListProposalsMethod(), copy.build());
  }

  /**
   * Streams proposals as WatchProposals does, for all users whom the caller may name. Users who
   * have moved to other servers are left out.
   *
   * <p>Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
   * RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchInbox are open on this server; on
   * a server with tenants, 100 of the tenant.
   *
   * <p>This client always sets a deadline, by default 30 seconds after the start of the call. For a
   * longer watch, set a longer timeout, and watch again when the call ends.
   */
  public ResponseStream<WatchInboxResponse> watch(WatchInboxRequest.Builder request) {
    WatchInboxRequest.Builder copy = request.clone();
    return calls.stream(ProposalServiceGrpc.getWatchInboxMethod(), copy.build());
  }
}
