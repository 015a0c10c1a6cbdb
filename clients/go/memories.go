// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	"google.golang.org/protobuf/proto"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Memories stores memories and searches them.
//
// A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
//
// Every mutation takes an `idempotency_key`, which makes a retry safe for 24 hours. A retry repeats
// the request of an earlier call, with the same key; a field with its default value equals an unset
// field. A retry changes nothing and returns the reply of the earlier call, with these exceptions:
//
//   - A record in the reply (a memory, block, skill or proposal) is the record as it is now. If the
//     record has versions, `replayed_version` says which version the earlier call made.
//   - If what the earlier call stored was deleted or has expired since, the retry is a new call and
//     stores it again. A retry of a deletion returns the first reply.
//
// A different request with the same key fails with INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
//
// A principal is a caller that the server knows by its credentials, such as an API key. An
// idempotency key belongs to one principal, one namespace and one RPC: if one of these differs, the
// same text is a different key. Add and AddBatch count as one RPC.
//
// Without a client deadline, a call ends after 30 seconds; AddBatch has no such limit. A request
// message has at most 1 MiB in binary and 4 MiB as JSON, a response message at most 4 MiB.
type Memories struct {
	calls   *calls
	stub    vademecumv1.MemoryProviderClient
	userID  string
	agentID string
}

// Memories returns a handle for the calls of MemoryProvider about one user and one agent. Each id
// has 1 to 256 bytes.
func (client *Client) Memories(userID, agentID string) *Memories {
	return &Memories{client.calls, vademecumv1.NewMemoryProviderClient(client.connection), userID, agentID}
}

// Add stores one memory. The text is kept exactly as given; no language model is called.
//
// With an `external_id`, the call can also replace or keep a memory that is there
// (AddRequest.on_conflict). Without on_conflict, it fails with ALREADY_EXISTS (EXTERNAL_ID_IN_USE)
// when a memory of the namespace has the external_id.
//
// Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace has 5,000,000 memories.
// Every other call that adds memories fails in the same way.
func (m *Memories) Add(ctx context.Context, request *vademecumv1.AddRequest) (*vademecumv1.AddResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.Add", m.stub.Add, request)
}

// AddTrace stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind
// `trace`. The content of the memory is
// `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.
func (m *Memories) AddTrace(ctx context.Context, request *vademecumv1.AddTraceRequest) (*vademecumv1.AddTraceResponse, error) {
	request = copyOf(request)
	request.AgentId = m.agentID
	request.UserId = proto.String(m.userID)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.AddTrace", m.stub.AddTrace, request)
}

// AddMany stores up to 500 memories in one atomic step, over any protocol. Each memory gets a
// result of its own: an id, or the error of this memory. A memory with an error does not stop the
// others.
//
// The reply names no near-duplicates. For more memories, or memories of several namespaces, use
// AddBatch or several calls. A call costs about as much as an AddBatch of the same memories, and a
// small part of as many calls of Add.
func (m *Memories) AddMany(ctx context.Context, request *vademecumv1.AddManyRequest) (*vademecumv1.AddManyResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.AddMany", m.stub.AddMany, request)
}

// Search searches memories and streams the hits, best first. All hits together fit into the token
// budget. After the last hit, the stream has the summary.
func (m *Memories) Search(ctx context.Context, request *vademecumv1.SearchRequest) *SearchStream {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return newSearchStream(stream(ctx, m.calls, "MemoryProvider.Search", m.stub.Search, request))
}

// Recall searches memories and returns all hits in one reply. The reply also has the hits as one
// text for a prompt. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the reply would be
// larger than 4 MiB; Search streams such hits.
func (m *Memories) Recall(ctx context.Context, request *vademecumv1.SearchRequest) (*vademecumv1.RecallResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.Recall", m.stub.Recall, &vademecumv1.RecallRequest{Search: request})
}

// BuildContext builds the whole context of one turn as one text for a prompt, within one token
// budget: the user's blocks, skills and memories that fit the query, notes of a run, and the last
// turns of a conversation. All sections but the notes show one state of the user's data. A worked
// example: docs/guides/context.md.
//
// Fails with ABORTED (CONTEXT_CHANGED) when the memories or skills of the namespace changed ten
// times while the context was built; retry. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when
// the reply would be larger than 4 MiB.
//
// Cost: one search, one search for skills, and one read of each block that fits.
func (m *Memories) BuildContext(ctx context.Context, request *vademecumv1.BuildContextRequest) (*vademecumv1.BuildContextResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.BuildContext", m.stub.BuildContext, request)
}

// GetAll lists memories in one of several orders, by default newest first, page by page.
func (m *Memories) GetAll(ctx context.Context, request *vademecumv1.GetAllRequest) (*vademecumv1.GetAllResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.GetAll", m.stub.GetAll, request)
}

// Count counts the memories that pass a filter: the memories that GetAll lists on all pages
// together, with the same filter and without include_superseded.
func (m *Memories) Count(ctx context.Context, request *vademecumv1.CountRequest) (*vademecumv1.CountResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.Count", m.stub.Count, request)
}

// Get returns one memory.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory
// has expired and include_expired is not set.
func (m *Memories) Get(ctx context.Context, request *vademecumv1.GetRequest) (*vademecumv1.GetResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.Get", m.stub.Get, request)
}

// GetMany returns up to 1,000 memories by their ids, all from one state of the namespace. An id
// that the namespace does not have is not an error.
func (m *Memories) GetMany(ctx context.Context, request *vademecumv1.GetManyRequest) (*vademecumv1.GetManyResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.GetMany", m.stub.GetMany, request)
}

// Watch streams the changes of memories in the order of their commits: of one namespace, or of all
// agents of a user whom the caller may name. The first message has no events. It says where the
// watch begins (WatchMemoriesResponse.commit_seq). A worked example: docs/guides/watching.md.
//
// Each message says up to which commit the stream is complete. To go on after a broken connection,
// a restart of the server, or a move of the user to another server (MOVED), pass this number as
// after_commit_seq. Then no event is lost, and none comes twice, except those of a commit that
// several messages share.
//
// If a memory changes several times before the server reads it for the watch, the stream may leave
// out all states but the last. Changes by another server with the same PostgreSQL arrive within
// about a second.
//
// Without a client deadline, the call has no time limit. The call fails with these errors:
//
//   - OUT_OF_RANGE (CHANGES_NOT_KEPT) when the server no longer has all changes. It keeps those of
//     the last 4,096 commits of the user, and none from before a restore, a move or ForgetUser.
//     Watch without after_commit_seq, then read all memories (GetAll), then apply the events.
//   - INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when after_commit_seq is of another user, is from
//     before the data was restored, or is greater than that of the user's last commit.
//   - UNAVAILABLE (SERVER_STOPPING) when the server stops.
//   - RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls for the user are open on this server.
//
// This client always sets a deadline, by default 30 seconds after the start of the call. For a
// longer watch, set a longer timeout, and watch again when the call ends.
func (m *Memories) Watch(ctx context.Context, request *vademecumv1.WatchMemoriesRequest) *ResponseStream[vademecumv1.WatchMemoriesResponse] {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return stream(ctx, m.calls, "MemoryProvider.WatchMemories", m.stub.WatchMemories, request)
}

// Update changes fields of one memory.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory
// has expired and include_expired is not set. Fails with PERMISSION_DENIED (ROLE_REQUIRED) when
// another principal wrote the content of the memory, and the caller does not have the role
// `curator`. Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
// memory's version.
func (m *Memories) Update(ctx context.Context, request *vademecumv1.UpdateRequest) (*vademecumv1.UpdateResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.Update", m.stub.Update, request)
}

// ListMemoryVersions lists the versions of a memory, newest first, page by page. The first one is
// the present version. Each Update, approved edit and RestoreMemory makes a version. The server
// keeps the last 20 earlier versions (`--memory-versions`); they go with the memory, and count in
// quotas.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory
// has expired.
func (m *Memories) ListMemoryVersions(ctx context.Context, request *vademecumv1.ListMemoryVersionsRequest) (*vademecumv1.ListMemoryVersionsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.ListMemoryVersions", m.stub.ListMemoryVersions, request)
}

// RestoreMemory gives a memory the fields that it had at an earlier version, except expire_time, as
// its next version. If the content differs, its vector is computed again; in a namespace that holds
// callers' vectors, the memory then has no vector. The call fails with these errors:
//
//   - NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory has
//     expired.
//   - NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when the server keeps no such earlier version.
//   - FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
//   - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the memory's version.
func (m *Memories) RestoreMemory(ctx context.Context, request *vademecumv1.RestoreMemoryRequest) (*vademecumv1.RestoreMemoryResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.RestoreMemory", m.stub.RestoreMemory, request)
}

// RedactVersion removes the texts of an earlier version of a memory for good, for example a
// password that was stored by mistake and then replaced. Also removes the texts of all proposals
// about the memory (Proposal.texts_removed), because they may quote it; pending ones become
// PROPOSAL_STATUS_CONFLICTED. To redact the present version, change the memory first.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when the namespace has no such
// memory, or when the server keeps no such earlier version.
func (m *Memories) RedactVersion(ctx context.Context, request *vademecumv1.RedactVersionRequest) (*vademecumv1.RedactVersionResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.RedactVersion", m.stub.RedactVersion, request)
}

// Delete deletes one memory. An unknown id is not an error: `deleted` is false.
//
// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
// memory, and the caller does not have the role `curator`.
//
// Pending proposals about the memory become PROPOSAL_STATUS_CONFLICTED, or PROPOSAL_STATUS_EXPIRED
// if their expire_time has passed. All proposals about the memory lose their texts
// (Proposal.texts_removed). DeleteMany, DeleteWhere and Reset do the same to the proposals about
// the memories that they delete.
func (m *Memories) Delete(ctx context.Context, request *vademecumv1.DeleteRequest) (*vademecumv1.DeleteResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.Delete", m.stub.Delete, request)
}

// DeleteMany deletes up to 1,000 memories by their ids, in one atomic step. An id that the
// namespace does not have is not an error.
func (m *Memories) DeleteMany(ctx context.Context, request *vademecumv1.DeleteManyRequest) (*vademecumv1.DeleteManyResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.DeleteMany", m.stub.DeleteMany, request)
}

// DeleteWhere deletes all memories that pass a filter, in one atomic step. Superseded and expired
// memories are deleted too.
//
// Fails with INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition. Fails with
// FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass and dry_run is not
// set. Nothing is deleted then: narrow the filter, or use Reset.
func (m *Memories) DeleteWhere(ctx context.Context, request *vademecumv1.DeleteWhereRequest) (*vademecumv1.DeleteWhereResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.DeleteWhere", m.stub.DeleteWhere, request)
}

// Reset deletes all data of the namespace in one atomic step: its memories, its skills and its tool
// traces. To empty a whole server, call Reset through the stubs.
func (m *Memories) Reset(ctx context.Context, request *vademecumv1.ResetRequest) (*vademecumv1.ResetResponse, error) {
	request = copyOf(request)
	request.Target = &vademecumv1.ResetRequest_Namespace{Namespace: &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.Reset", m.stub.Reset, request)
}

// ProposeEdit proposes an edit of a block or memory (the target). There are three kinds of edits:
//
//   - The edit replaces one text in the target with another (old_string and new_string).
//   - The edit replaces the whole text of the target (new_body). For a label that the user does not
//     have yet, the edit creates the block.
//   - The edit adds a text at the end of the target (`append`).
//
// The target does not change until a person approves the edit with ProposalService. Error messages
// are written for the agent, so that the agent can correct its call.
//
// The call fails with the first of these errors that applies:
//
//   - INVALID_ARGUMENT when old_string equals new_string, when old_string is empty, when `append`
//     is empty, or when reasoning is empty or white space. The first two do not apply to new_body
//     and `append`.
//   - NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, or is a memory
//     that has expired. The edit of a missing block by new_body creates the block instead.
//   - FAILED_PRECONDITION (TEXT_UNCHANGED) when new_body is the text that the target has.
//   - FAILED_PRECONDITION (OLD_STRING_NOT_FOUND) when the target does not contain old_string. If
//     different line ends may be the cause, the description of the field violation says so.
//   - FAILED_PRECONDITION (OLD_STRING_AMBIGUOUS) when the target contains old_string several times
//     and replace_all is not set. The description of the field violation names the first ten lines
//     on which old_string begins. The ErrorInfo has their numbers as metadata `lines`, such as
//     `1, 3`.
//   - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large, or
//     would leave a memory empty or blank (only white space).
func (m *Memories) ProposeEdit(ctx context.Context, request *vademecumv1.ProposeEditRequest) (*vademecumv1.ProposeEditResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, m.calls, "MemoryProvider.ProposeEdit", m.stub.ProposeEdit, request)
}

// Explain explains why a memory is, or is not, among the hits of a search. The reply says what each
// stage of the search does to the memory. A call costs as much as several searches.
//
// Explain compares the vectors of all memories. Search may look for near vectors
// (SEARCH_INDEX_NEAR), and may then miss memories whose vectors are far from the query. So the
// ranks of Explain may differ from the ranks of Search.
//
// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory
// has expired.
func (m *Memories) Explain(ctx context.Context, request *vademecumv1.ExplainRequest) (*vademecumv1.ExplainResponse, error) {
	request = copyOf(request)
	if request.Search == nil {
		request.Search = &vademecumv1.SearchRequest{}
	}
	request.Search.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.Explain", m.stub.Explain, request)
}

// ExplainSearch searches, and explains the result as a whole: how the query was understood, how
// many memories each stage left, and how memories came to their places. Follows the hits, what was
// omitted, the next best memories, and the memories of `ids`, all in one pass over the candidates.
//
// The search compares the vectors of all memories, as Explain does. The call costs as much as a few
// searches, whatever the number of memories that it follows.
func (m *Memories) ExplainSearch(ctx context.Context, request *vademecumv1.ExplainSearchRequest) (*vademecumv1.ExplainSearchResponse, error) {
	request = copyOf(request)
	if request.Search == nil {
		request.Search = &vademecumv1.SearchRequest{}
	}
	request.Search.Namespace = &vademecumv1.Namespace{UserId: m.userID, AgentId: m.agentID}
	return unary(ctx, m.calls, "MemoryProvider.ExplainSearch", m.stub.ExplainSearch, request)
}
