// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	"google.golang.org/protobuf/proto"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Proposals lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on
// them. The target of an edit (a block or a memory) does not change until somebody approves the
// edit. An approval changes the target and the proposal in one atomic step. A worked example:
// docs/guides/blocks.md.
//
// Proposals belong to a user. A call about one proposal fails with NOT_FOUND (PROPOSAL_NOT_FOUND)
// when the user has no proposal with the id. It also fails with this error when the caller's
// credentials do not cover the agent of the proposal.
//
// A proposal on which nobody decides expires after the server's --proposal-lifetime, by default 30
// days. Decided and expired proposals are kept, but lose their texts when their target is deleted.
//
// Mutations take an `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a
// user, not to a namespace.
type Proposals struct {
	calls  *calls
	stub   vademecumv1.ProposalServiceClient
	userID string
}

// Proposals returns a handle for the calls of ProposalService about one user. The id has 1 to 256
// bytes.
func (client *Client) Proposals(userID string) *Proposals {
	return &Proposals{client.calls, vademecumv1.NewProposalServiceClient(client.connection), userID}
}

// List lists proposals without their diffs, page by page: those of one user, or those of all users
// whom the caller may name.
func (p *Proposals) List(ctx context.Context, request *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
	request = copyOf(request)
	request.UserId = proto.String(p.userID)
	return unary(ctx, p.calls, "ProposalService.ListProposals", p.stub.ListProposals, request)
}

// Count counts the pending proposals of one user, or of all users whom the caller may name. Reads
// each of them.
func (p *Proposals) Count(ctx context.Context, request *vademecumv1.CountProposalsRequest) (*vademecumv1.CountProposalsResponse, error) {
	request = copyOf(request)
	request.UserId = proto.String(p.userID)
	return unary(ctx, p.calls, "ProposalService.CountProposals", p.stub.CountProposals, request)
}

// Get returns one proposal with its diff. If the proposal is pending, also returns what an approval
// would do now. If the proposal is conflicted, also returns the texts in conflict. If the target
// was deleted, returns no texts (Proposal.texts_removed).
func (p *Proposals) Get(ctx context.Context, request *vademecumv1.GetProposalRequest) (*vademecumv1.GetProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	return unary(ctx, p.calls, "ProposalService.GetProposal", p.stub.GetProposal, request)
}

// Approve applies an edit to the current text of its target.
//
// If an earlier call has approved the proposal, this call changes nothing and ignores
// edited_new_string. It returns the outcome of the first approval, with `already_decided` set.
//
// The call fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the edit no longer applies to
// its target. The proposal is conflicted from then on. An edit no longer applies in these cases:
//
//   - The target was deleted, even if a new block has its label.
//   - The target is a memory that has expired.
//   - The target no longer contains old_string.
//   - The target contains old_string several times, and replace_all is false.
//   - The edit has new_body, and the text of the target has changed since the proposal.
//   - The edit creates a block, and the user has a block with the label by now.
//
// The call also fails with these errors:
//
//   - PERMISSION_DENIED (SELF_APPROVAL) when the caller is the principal that proposed the edit
//     (Proposal.proposed_by). Only `anonymous` may approve its own edits.
//   - FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired.
//   - FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
//   - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the target's version.
//     The proposal stays pending.
//   - INVALID_ARGUMENT when edited_new_string equals old_string, or is empty although the edit
//     appends it.
//   - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
//     would leave a memory empty or blank (only white space). The proposal stays pending.
//   - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit no longer applies, but
//     ProposalConflict.proposed_text would be too large to store. The proposal stays pending.
func (p *Proposals) Approve(ctx context.Context, request *vademecumv1.ApproveProposalRequest) (*vademecumv1.ApproveProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, p.calls, "ProposalService.ApproveProposal", p.stub.ApproveProposal, request)
}

// Reject rejects an edit. If an earlier call has rejected the proposal, this call changes nothing.
// It returns the proposal with the first reason, and with `already_decided` set.
//
// Fails with FAILED_PRECONDITION when the proposal has another outcome: it was approved
// (PROPOSAL_APPROVED), is conflicted (PROPOSAL_CONFLICTED) or has expired (PROPOSAL_EXPIRED).
func (p *Proposals) Reject(ctx context.Context, request *vademecumv1.RejectProposalRequest) (*vademecumv1.RejectProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, p.calls, "ProposalService.RejectProposal", p.stub.RejectProposal, request)
}

// Delete deletes a proposal that is not pending: the agent no longer learns of the decision, and
// the same edit proposed again is not marked as a repetition. The target keeps its text, and its
// versions keep the id of the proposal. An unknown id is not an error: `deleted` is false.
//
// Fails with FAILED_PRECONDITION (PROPOSAL_PENDING) when nobody has decided on the proposal. Reject
// it first, so that the agent and all watchers learn of it.
func (p *Proposals) Delete(ctx context.Context, request *vademecumv1.DeleteProposalRequest) (*vademecumv1.DeleteProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, p.calls, "ProposalService.DeleteProposal", p.stub.DeleteProposal, request)
}

// Watch streams the pending proposals without their diffs, oldest first, then each new proposal
// when it is made. The stream sends a proposal once more when somebody decides on it. It also sends
// a proposal once more after it has expired, at the latest when the server next prunes. By default,
// the server prunes once a day.
//
// Without a client deadline, the call has no time limit. A slow client can miss proposals: if
// somebody decides on a new proposal before the client reads it, the stream leaves this proposal
// out.
//
// Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with RESOURCE_EXHAUSTED
// (TOO_MANY_WATCHES) when 100 calls of WatchProposals for the user are open on this server.
//
// This client always sets a deadline, by default 30 seconds after the start of the call. For a
// longer watch, set a longer timeout, and watch again when the call ends.
func (p *Proposals) Watch(ctx context.Context, request *vademecumv1.WatchProposalsRequest) *ResponseStream[vademecumv1.WatchProposalsResponse] {
	request = copyOf(request)
	request.UserId = p.userID
	return stream(ctx, p.calls, "ProposalService.WatchProposals", p.stub.WatchProposals, request)
}
