// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Proposals decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing
// changes until somebody approves. An approval changes the target and the proposal in one atomic
// step. A worked example: docs/blocks.md.
//
// Proposals belong to a user. The id of another user's proposal and an unknown id give the same
// answer: NOT_FOUND (PROPOSAL_NOT_FOUND).
//
// A pending proposal expires after its lifetime: 30 days, or the server's --proposal-lifetime. From
// that instant on it is PROPOSAL_STATUS_EXPIRED. Decided and expired proposals are kept. They lose
// their texts when their target is deleted.
type Proposals struct {
	calls  *calls
	stub   vademecumv1.ProposalServiceClient
	userID string
}

// Proposals returns a handle for ProposalService; userID is the user, 1 to 256 bytes.
func (client *Client) Proposals(userID string) *Proposals {
	return &Proposals{client.calls, vademecumv1.NewProposalServiceClient(client.connection), userID}
}

// ListProposals lists a user's proposals without their diffs, newest first, page by page.
func (p *Proposals) ListProposals(ctx context.Context, request *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	return unary(ctx, p.calls, p.stub.ListProposals, request)
}

// GetProposal returns one proposal with its diff. For a PROPOSAL_STATUS_CONFLICTED proposal, also
// returns the conflicting texts. Returns no texts if the target was deleted (`texts_removed`).
func (p *Proposals) GetProposal(ctx context.Context, request *vademecumv1.GetProposalRequest) (*vademecumv1.GetProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	return unary(ctx, p.calls, p.stub.GetProposal, request)
}

// ApproveProposal applies an edit to the current text of its target. Approving an approved proposal
// changes nothing. It returns the reply of the first approval, with `already_decided` set. An
// edited_new_string of the later call is ignored; the reply says which text was applied.
//
// Fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the target was deleted, no longer
// contains old_string, or contains it several times without replace_all. The proposal is
// PROPOSAL_STATUS_CONFLICTED from then on. A proposal never applies to a new block with the label
// of a deleted one.
//
// Fails with FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired. Fails with
// FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
//
// Fails with FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too
// large, or would leave a memory empty or blank (only white space). The edit is applied to two
// texts: the current one, and the one that the target had when the edit was proposed. Both results
// must keep the size limit. The proposal stays pending.
func (p *Proposals) ApproveProposal(ctx context.Context, request *vademecumv1.ApproveProposalRequest) (*vademecumv1.ApproveProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, p.calls, p.stub.ApproveProposal, request)
}

// RejectProposal rejects an edit. Rejecting again changes nothing: it returns the first reply with
// `already_decided` set. The first reason stays.
//
// Fails with FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_CONFLICTED or PROPOSAL_EXPIRED) when
// the proposal has that status.
func (p *Proposals) RejectProposal(ctx context.Context, request *vademecumv1.RejectProposalRequest) (*vademecumv1.RejectProposalResponse, error) {
	request = copyOf(request)
	request.UserId = p.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, p.calls, p.stub.RejectProposal, request)
}

// WatchProposals streams the pending proposals, oldest first, then each new proposal when it is
// made. A proposal that was sent as pending is sent once more when it is decided or expires.
// Proposals come without their diffs.
//
// The only deadline is the client's. Fails with UNAVAILABLE (SERVER_STOPPING) when the server
// stops, and with RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user are open. A
// slow client can miss proposals: a proposal that is made and decided between two reads is not
// sent.
func (p *Proposals) WatchProposals(ctx context.Context, request *vademecumv1.WatchProposalsRequest) *ResponseStream[vademecumv1.WatchProposalsResponse] {
	request = copyOf(request)
	request.UserId = p.userID
	return stream(ctx, p.calls, p.stub.WatchProposals, request)
}
