// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Proposals: Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
//
// Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND). A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
type Proposals struct {
	calls  *calls
	stub   vademecumv1.ProposalServiceClient
	userID string
}

// Proposals gives the calls of ProposalService: userID is the user, 1 to 256 bytes.
func (client *Client) Proposals(userID string) *Proposals {
	return &Proposals{client.calls, vademecumv1.NewProposalServiceClient(client.connection), userID}
}

// ListProposals: Lists a user's proposals, newest first, page by page. Without their diffs.
func (it *Proposals) ListProposals(ctx context.Context, request *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	return unary(ctx, it.calls, it.stub.ListProposals, request)
}

// GetProposal: Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
func (it *Proposals) GetProposal(ctx context.Context, request *vademecumv1.GetProposalRequest) (*vademecumv1.GetProposalResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	return unary(ctx, it.calls, it.stub.GetProposal, request)
}

// ApproveProposal: Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
//
// FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
func (it *Proposals) ApproveProposal(ctx context.Context, request *vademecumv1.ApproveProposalRequest) (*vademecumv1.ApproveProposalResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.ApproveProposal, request)
}

// RejectProposal: Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
//
// FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
func (it *Proposals) RejectProposal(ctx context.Context, request *vademecumv1.RejectProposalRequest) (*vademecumv1.RejectProposalResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.RejectProposal, request)
}

// WatchProposals: Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
//
// Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
func (it *Proposals) WatchProposals(ctx context.Context, request *vademecumv1.WatchProposalsRequest) *ResponseStream[vademecumv1.WatchProposalsResponse] {
	request = copyOf(request)
	request.UserId = it.userID
	return stream(ctx, it.calls, it.stub.WatchProposals, request)
}
