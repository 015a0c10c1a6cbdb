// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Inbox lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on them.
// The target of an edit (a block or a memory) does not change until somebody approves the edit. An
// approval changes the target and the proposal in one atomic step. A worked example:
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
type Inbox struct {
	calls *calls
	stub  vademecumv1.ProposalServiceClient
}

// Inbox returns a handle for the calls of ProposalService.
func (client *Client) Inbox() *Inbox {
	return &Inbox{client.calls, vademecumv1.NewProposalServiceClient(client.connection)}
}

// List lists proposals without their diffs, page by page: those of one user, or those of all users
// whom the caller may name.
func (i *Inbox) List(ctx context.Context, request *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
	return unary(ctx, i.calls, "ProposalService.ListProposals", i.stub.ListProposals, request)
}

// Watch streams proposals as WatchProposals does, for all users whom the caller may name. Users who
// have moved to other servers are left out.
//
// Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with RESOURCE_EXHAUSTED
// (TOO_MANY_WATCHES) when 100 calls of WatchInbox are open on this server; on a server with
// tenants, 100 of the tenant.
//
// This client always sets a deadline, by default 30 seconds after the start of the call. For a
// longer watch, set a longer timeout, and watch again when the call ends.
func (i *Inbox) Watch(ctx context.Context, request *vademecumv1.WatchInboxRequest) *ResponseStream[vademecumv1.WatchInboxResponse] {
	return stream(ctx, i.calls, "ProposalService.WatchInbox", i.stub.WatchInbox, request)
}
