// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Threads keeps the turns of conversations in order. A turn is a memory of type
// MEMORY_TYPE_CONVERSATION with a thread_id, however it was stored. A thread is all turns of a
// namespace with the same thread_id. It exists while it has a turn. A worked example:
// docs/guides/threads.md.
//
// The turns of a thread are ordered by their time (event_time, or create_time without one), then by
// id. Turns of one AppendTurns without event_time are in the order of the request. Searches find
// turns as they find other memories.
//
// Each call that writes is one atomic step, for readers too: no call sees a part of its turns. When
// it is acknowledged, it is durable (synced to disk) and searchable. Mutations take an
// `idempotency_key`, as in MemoryProvider.
type Threads struct {
	calls   *calls
	stub    vademecumv1.ThreadServiceClient
	userID  string
	agentID string
}

// Threads returns a handle for the calls of ThreadService about one user and one agent. Each id has
// 1 to 256 bytes.
func (client *Client) Threads(userID, agentID string) *Threads {
	return &Threads{client.calls, vademecumv1.NewThreadServiceClient(client.connection), userID, agentID}
}

// AppendTurns stores turns at the end of a thread. Creates the thread if it does not exist. A turn
// with an `external_id` that the thread has already is the same turn, and is not stored again.
//
// Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
func (t *Threads) AppendTurns(ctx context.Context, request *vademecumv1.AppendTurnsRequest) (*vademecumv1.AppendTurnsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, "ThreadService.AppendTurns", t.stub.AppendTurns, request)
}

// GetTurns returns the last turns of a thread, or the last turns before one of its turns. A thread
// without turns is not an error. Leaves out turns that have expired or are superseded.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when before_id is given and is not a turn of the thread.
func (t *Threads) GetTurns(ctx context.Context, request *vademecumv1.GetTurnsRequest) (*vademecumv1.GetTurnsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	return unary(ctx, t.calls, "ThreadService.GetTurns", t.stub.GetTurns, request)
}

// PopTurn deletes the last turn of a thread and returns it. Passes over turns that have expired or
// are superseded. An empty thread is not an error: the reply has no id.
//
// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and the
// caller does not have the role `curator`.
func (t *Threads) PopTurn(ctx context.Context, request *vademecumv1.PopTurnRequest) (*vademecumv1.PopTurnResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, "ThreadService.PopTurn", t.stub.PopTurn, request)
}

// Replace deletes all turns of a thread and stores other turns in their place. Creates the thread
// if it does not exist. For more turns than fit into one request, call ClearThread and then
// AppendTurns several times, which is not one atomic step.
//
// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the thread's
// version. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than 10,000
// turns.
func (t *Threads) Replace(ctx context.Context, request *vademecumv1.ReplaceThreadRequest) (*vademecumv1.ReplaceThreadResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, "ThreadService.ReplaceThread", t.stub.ReplaceThread, request)
}

// Clear deletes all turns of a thread, and the texts of all proposals about them, as Delete does.
//
// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the turns, and
// the caller does not have the role `curator`. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG)
// when the thread has more than 10,000 turns.
func (t *Threads) Clear(ctx context.Context, request *vademecumv1.ClearThreadRequest) (*vademecumv1.ClearThreadResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, "ThreadService.ClearThread", t.stub.ClearThread, request)
}

// Fork copies the turns of a thread, or its first turns, into a new thread. The copies are memories
// of their own, which searches find too. Leaves out turns that have expired or are superseded. A
// copy has the event_time of its turn, or the create_time if the turn has no event_time. No vector
// is computed again. The call fails with these errors:
//
//   - NOT_FOUND (THREAD_NOT_FOUND) when the thread has no turn to copy.
//   - NOT_FOUND (MEMORY_NOT_FOUND) when last_id is given and is not a turn of the thread.
//   - FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
//   - FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be more than 10,000 turns, or
//     more than 16 MiB of content.
//   - RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
func (t *Threads) Fork(ctx context.Context, request *vademecumv1.ForkThreadRequest) (*vademecumv1.ForkThreadResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, "ThreadService.ForkThread", t.stub.ForkThread, request)
}

// List lists the threads of a namespace in the order of the UTF-8 bytes of their ids, page by page.
func (t *Threads) List(ctx context.Context, request *vademecumv1.ListThreadsRequest) (*vademecumv1.ListThreadsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: t.userID, AgentId: t.agentID}
	return unary(ctx, t.calls, "ThreadService.ListThreads", t.stub.ListThreads, request)
}
