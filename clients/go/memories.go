// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	"google.golang.org/protobuf/proto"
	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Memories: Keeps memories and finds them again.
//
// A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
//
// Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
type Memories struct {
	calls   *calls
	stub    vademecumv1.MemoryProviderClient
	userID  string
	agentID string
}

// Memories gives the calls of MemoryProvider: userID is the user, 1 to 256 bytes; agentID is the agent, 1 to 256 bytes.
func (client *Client) Memories(userID, agentID string) *Memories {
	return &Memories{client.calls, vademecumv1.NewMemoryProviderClient(client.connection), userID, agentID}
}

// Add: Stores one memory. The text is kept exactly as given; no model is called.
func (it *Memories) Add(ctx context.Context, request *vademecumv1.AddRequest) (*vademecumv1.AddResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.Add, request)
}

// AddTrace: Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.
func (it *Memories) AddTrace(ctx context.Context, request *vademecumv1.AddTraceRequest) (*vademecumv1.AddTraceResponse, error) {
	request = copyOf(request)
	request.AgentId = it.agentID
	request.UserId = proto.String(it.userID)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.AddTrace, request)
}

// Search: Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
func (it *Memories) Search(ctx context.Context, request *vademecumv1.SearchRequest) *SearchStream {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return newSearchStream(stream(ctx, it.calls, it.stub.Search, request))
}

// Recall: Search in one reply, with a text that can go into a prompt as it is.
func (it *Memories) Recall(ctx context.Context, request *vademecumv1.SearchRequest) (*vademecumv1.RecallResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.Recall, &vademecumv1.RecallRequest{Search: request})
}

// GetAll: Lists memories, newest first, page by page.
func (it *Memories) GetAll(ctx context.Context, request *vademecumv1.GetAllRequest) (*vademecumv1.GetAllResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.GetAll, request)
}

// Get: Returns one memory. NOT_FOUND if there is no such memory in the namespace.
func (it *Memories) Get(ctx context.Context, request *vademecumv1.GetRequest) (*vademecumv1.GetResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.Get, request)
}

// Update: Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
func (it *Memories) Update(ctx context.Context, request *vademecumv1.UpdateRequest) (*vademecumv1.UpdateResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.Update, request)
}

// Delete: Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
func (it *Memories) Delete(ctx context.Context, request *vademecumv1.DeleteRequest) (*vademecumv1.DeleteResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.Delete, request)
}

// DeleteWhere: Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
func (it *Memories) DeleteWhere(ctx context.Context, request *vademecumv1.DeleteWhereRequest) (*vademecumv1.DeleteWhereResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.DeleteWhere, request)
}

// Reset: Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
func (it *Memories) Reset(ctx context.Context, request *vademecumv1.ResetRequest) (*vademecumv1.ResetResponse, error) {
	request = copyOf(request)
	request.Target = &vademecumv1.ResetRequest_Namespace{Namespace: &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.Reset, request)
}

// ProposeEdit: Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
//
// INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
func (it *Memories) ProposeEdit(ctx context.Context, request *vademecumv1.ProposeEditRequest) (*vademecumv1.ProposeEditResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.ProposeEdit, request)
}

// Explain: Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
func (it *Memories) Explain(ctx context.Context, request *vademecumv1.ExplainRequest) (*vademecumv1.ExplainResponse, error) {
	request = copyOf(request)
	if request.Search == nil {
		request.Search = &vademecumv1.SearchRequest{}
	}
	request.Search.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.Explain, request)
}
