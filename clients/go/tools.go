// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Tools gives tools limited access to an agent's memories, and stores what tools learn.
//
// A manifest declares what a tool may read; QueryMemory returns nothing beyond it. Tools read
// memories and add new ones; they cannot change memories.
//
// When a query fails, its result is empty and the trace of the turn says why. The call itself does
// not fail, so the tool can continue with the other results.
//
// Every mutation takes an `idempotency_key`; see MemoryProvider.
type Tools struct {
	calls *calls
	stub  vademecumv1.ToolServiceClient
}

// Tools returns a handle for ToolService.
func (client *Client) Tools() *Tools {
	return &Tools{client.calls, vademecumv1.NewToolServiceClient(client.connection)}
}

// RegisterTool stores the manifest of a version of a tool. An identical manifest changes nothing; a
// different one replaces the old one.
//
// A manifest decides what a tool may read. On a server with credentials, only principals with the
// role `operator` may store or delete one. On a server without credentials, every caller may.
//
// Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than 100
// versions.
func (t *Tools) RegisterTool(ctx context.Context, request *vademecumv1.RegisterToolRequest) (*vademecumv1.RegisterToolResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, t.stub.RegisterTool, request)
}

// ListTools lists manifests page by page, ordered by the UTF-8 bytes of the tool, then of the
// version.
func (t *Tools) ListTools(ctx context.Context, request *vademecumv1.ListToolsRequest) (*vademecumv1.ListToolsResponse, error) {
	return unary(ctx, t.calls, t.stub.ListTools, request)
}

// DeleteTool deletes a tool, or one of its versions. An unknown tool or version is not an error:
// `deleted` is 0. Needs the role `operator`, as RegisterTool does.
func (t *Tools) DeleteTool(ctx context.Context, request *vademecumv1.DeleteToolRequest) (*vademecumv1.DeleteToolResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, t.stub.DeleteTool, request)
}

// QueryMemory answers the queries of a tool, each for one type of memories of one agent. The
// queries run in parallel. The results come in the order of the queries, one message for each. A
// result of more than 32 memories or 64 KiB takes several messages.
//
// The queries draw on shared budgets, in the order of the request. Each query may use what earlier
// queries left of the request's budget and of its type's budget. The same request over the same
// memories therefore always has the same results.
//
// A query has an empty result when it breaks a rule, asks for memories that the tool may not read,
// fails, or takes more than 5 seconds. GetTurnTrace tells these cases apart. An unknown tool or
// version may read nothing.
//
// A result is cached for 5 minutes. The cache drops it when a memory of the namespace changes, a
// memory of the type expires or the manifest changes.
func (t *Tools) QueryMemory(ctx context.Context, request *vademecumv1.QueryMemoryRequest) *ResponseStream[vademecumv1.QueryMemoryResponse] {
	return stream(ctx, t.calls, t.stub.QueryMemory, request)
}

// SubmitToolResponse stores what a tool has learned in one atomic step, with `source` set to the
// tool. The tool needs no manifest.
func (t *Tools) SubmitToolResponse(ctx context.Context, request *vademecumv1.SubmitToolResponseRequest) (*vademecumv1.SubmitToolResponseResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, t.stub.SubmitToolResponse, request)
}

// GetTurnTrace streams the trace of a request, or of all requests of a task, oldest entry first.
// The trace contains every QueryMemory whose stream has ended. Without entries, the stream is
// empty. Entries are kept for 30 days; the most recent ones may be lost if the server is killed.
func (t *Tools) GetTurnTrace(ctx context.Context, request *vademecumv1.GetTurnTraceRequest) *ResponseStream[vademecumv1.GetTurnTraceResponse] {
	return stream(ctx, t.calls, t.stub.GetTurnTrace, request)
}

// GetToolDefinitions returns the definitions of a toolset: functions that a language model may call
// to use this service, in the format that the model's API expects.
func (t *Tools) GetToolDefinitions(ctx context.Context, request *vademecumv1.GetToolDefinitionsRequest) (*vademecumv1.GetToolDefinitionsResponse, error) {
	return unary(ctx, t.calls, t.stub.GetToolDefinitions, request)
}

// Dispatch runs a tool that a language model called, and returns the text for the model.
//
// Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of the tool
// do not fail the call. The result describes them, with `is_error` set.
//
// The call fails only when it is interrupted, or with INVALID_ARGUMENT when the host's run_id,
// namespace or idempotency_key is invalid.
func (t *Tools) Dispatch(ctx context.Context, request *vademecumv1.DispatchRequest) (*vademecumv1.DispatchResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, t.calls, t.stub.Dispatch, request)
}
