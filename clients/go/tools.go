// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Tools: Gives tools a part of what an agent remembers, and takes what they learn.
//
// A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
//
// Every mutation takes an `idempotency_key`; see MemoryProvider.
type Tools struct {
	calls *calls
	stub  vademecumv1.ToolServiceClient
}

// Tools gives the calls of ToolService.
func (client *Client) Tools() *Tools {
	return &Tools{client.calls, vademecumv1.NewToolServiceClient(client.connection)}
}

// RegisterTool: Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
func (it *Tools) RegisterTool(ctx context.Context, request *vademecumv1.RegisterToolRequest) (*vademecumv1.RegisterToolResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.RegisterTool, request)
}

// ListTools: Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
func (it *Tools) ListTools(ctx context.Context, request *vademecumv1.ListToolsRequest) (*vademecumv1.ListToolsResponse, error) {
	return unary(ctx, it.calls, it.stub.ListTools, request)
}

// DeleteTool: Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
func (it *Tools) DeleteTool(ctx context.Context, request *vademecumv1.DeleteToolRequest) (*vademecumv1.DeleteToolResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.DeleteTool, request)
}

// QueryMemory: Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
//
// The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
//
// A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
func (it *Tools) QueryMemory(ctx context.Context, request *vademecumv1.QueryMemoryRequest) *ResponseStream[vademecumv1.QueryMemoryResponse] {
	return stream(ctx, it.calls, it.stub.QueryMemory, request)
}

// SubmitToolResponse: Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
func (it *Tools) SubmitToolResponse(ctx context.Context, request *vademecumv1.SubmitToolResponseRequest) (*vademecumv1.SubmitToolResponseResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.SubmitToolResponse, request)
}

// GetTurnTrace: Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
func (it *Tools) GetTurnTrace(ctx context.Context, request *vademecumv1.GetTurnTraceRequest) *ResponseStream[vademecumv1.GetTurnTraceResponse] {
	return stream(ctx, it.calls, it.stub.GetTurnTrace, request)
}

// GetToolDefinitions: Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
func (it *Tools) GetToolDefinitions(ctx context.Context, request *vademecumv1.GetToolDefinitionsRequest) (*vademecumv1.GetToolDefinitionsResponse, error) {
	return unary(ctx, it.calls, it.stub.GetToolDefinitions, request)
}

// Dispatch: Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
func (it *Tools) Dispatch(ctx context.Context, request *vademecumv1.DispatchRequest) (*vademecumv1.DispatchResponse, error) {
	request = copyOf(request)
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.Dispatch, request)
}
