// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package main

import (
	"context"

	vademecum "vademecum.example/clients/go"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

var methods = map[string]method{
	"memories.add": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.AddRequest) (*vademecumv1.AddResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Add
	}),
	"memories.add_trace": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.AddTraceRequest) (*vademecumv1.AddTraceResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).AddTrace
	}),
	"memories.add_many": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.AddManyRequest) (*vademecumv1.AddManyResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).AddMany
	}),
	"memories.search": search(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.SearchRequest) *vademecum.SearchStream {
		return client.Memories(scope.UserID, scope.AgentID).Search
	}),
	"memories.recall": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.SearchRequest) (*vademecumv1.RecallResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Recall
	}),
	"memories.build_context": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.BuildContextRequest) (*vademecumv1.BuildContextResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).BuildContext
	}),
	"memories.get_all": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetAllRequest) (*vademecumv1.GetAllResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).GetAll
	}),
	"memories.count": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.CountRequest) (*vademecumv1.CountResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Count
	}),
	"memories.get": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetRequest) (*vademecumv1.GetResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Get
	}),
	"memories.get_many": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetManyRequest) (*vademecumv1.GetManyResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).GetMany
	}),
	"memories.watch": stream(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.WatchMemoriesRequest) *vademecum.ResponseStream[vademecumv1.WatchMemoriesResponse] {
		return client.Memories(scope.UserID, scope.AgentID).Watch
	}),
	"memories.update": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.UpdateRequest) (*vademecumv1.UpdateResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Update
	}),
	"memories.list_memory_versions": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListMemoryVersionsRequest) (*vademecumv1.ListMemoryVersionsResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).ListMemoryVersions
	}),
	"memories.restore_memory": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RestoreMemoryRequest) (*vademecumv1.RestoreMemoryResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).RestoreMemory
	}),
	"memories.redact_version": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RedactVersionRequest) (*vademecumv1.RedactVersionResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).RedactVersion
	}),
	"memories.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteRequest) (*vademecumv1.DeleteResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Delete
	}),
	"memories.delete_many": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteManyRequest) (*vademecumv1.DeleteManyResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).DeleteMany
	}),
	"memories.delete_where": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteWhereRequest) (*vademecumv1.DeleteWhereResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).DeleteWhere
	}),
	"memories.reset": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ResetRequest) (*vademecumv1.ResetResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Reset
	}),
	"memories.propose_edit": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ProposeEditRequest) (*vademecumv1.ProposeEditResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).ProposeEdit
	}),
	"memories.explain": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ExplainRequest) (*vademecumv1.ExplainResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).Explain
	}),
	"memories.explain_search": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ExplainSearchRequest) (*vademecumv1.ExplainSearchResponse, error) {
		return client.Memories(scope.UserID, scope.AgentID).ExplainSearch
	}),
	"skills.store": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.StoreSkillRequest) (*vademecumv1.StoreSkillResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).Store
	}),
	"skills.retrieve": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RetrieveSkillsRequest) (*vademecumv1.RetrieveSkillsResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).Retrieve
	}),
	"skills.get": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetSkillRequest) (*vademecumv1.GetSkillResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).Get
	}),
	"skills.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListSkillsRequest) (*vademecumv1.ListSkillsResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).List
	}),
	"skills.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteSkillRequest) (*vademecumv1.DeleteSkillResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).Delete
	}),
	"skills.update_success_count": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.UpdateSuccessCountRequest) (*vademecumv1.UpdateSuccessCountResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).UpdateSuccessCount
	}),
	"skills.prune_stale": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.PruneStaleRequest) (*vademecumv1.PruneStaleResponse, error) {
		return client.Skills(scope.UserID, scope.AgentID).PruneStale
	}),
	"blocks.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListBlocksRequest) (*vademecumv1.ListBlocksResponse, error) {
		return client.Blocks(scope.UserID).List
	}),
	"blocks.get": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetBlockRequest) (*vademecumv1.GetBlockResponse, error) {
		return client.Blocks(scope.UserID).Get
	}),
	"blocks.put": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.PutBlockRequest) (*vademecumv1.PutBlockResponse, error) {
		return client.Blocks(scope.UserID).Put
	}),
	"blocks.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteBlockRequest) (*vademecumv1.DeleteBlockResponse, error) {
		return client.Blocks(scope.UserID).Delete
	}),
	"blocks.delete_many": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteBlocksRequest) (*vademecumv1.DeleteBlocksResponse, error) {
		return client.Blocks(scope.UserID).DeleteMany
	}),
	"blocks.rename": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RenameBlockRequest) (*vademecumv1.RenameBlockResponse, error) {
		return client.Blocks(scope.UserID).Rename
	}),
	"blocks.render": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RenderBlocksRequest) (*vademecumv1.RenderBlocksResponse, error) {
		return client.Blocks(scope.UserID).Render
	}),
	"blocks.list_versions": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListBlockVersionsRequest) (*vademecumv1.ListBlockVersionsResponse, error) {
		return client.Blocks(scope.UserID).ListVersions
	}),
	"blocks.restore": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RestoreBlockRequest) (*vademecumv1.RestoreBlockResponse, error) {
		return client.Blocks(scope.UserID).Restore
	}),
	"threads.append_turns": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.AppendTurnsRequest) (*vademecumv1.AppendTurnsResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).AppendTurns
	}),
	"threads.get_turns": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetTurnsRequest) (*vademecumv1.GetTurnsResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).GetTurns
	}),
	"threads.pop_turn": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.PopTurnRequest) (*vademecumv1.PopTurnResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).PopTurn
	}),
	"threads.replace": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ReplaceThreadRequest) (*vademecumv1.ReplaceThreadResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).Replace
	}),
	"threads.clear": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ClearThreadRequest) (*vademecumv1.ClearThreadResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).Clear
	}),
	"threads.fork": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ForkThreadRequest) (*vademecumv1.ForkThreadResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).Fork
	}),
	"threads.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListThreadsRequest) (*vademecumv1.ListThreadsResponse, error) {
		return client.Threads(scope.UserID, scope.AgentID).List
	}),
	"proposals.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
		return client.Proposals(scope.UserID).List
	}),
	"proposals.count": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.CountProposalsRequest) (*vademecumv1.CountProposalsResponse, error) {
		return client.Proposals(scope.UserID).Count
	}),
	"proposals.get": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetProposalRequest) (*vademecumv1.GetProposalResponse, error) {
		return client.Proposals(scope.UserID).Get
	}),
	"proposals.approve": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ApproveProposalRequest) (*vademecumv1.ApproveProposalResponse, error) {
		return client.Proposals(scope.UserID).Approve
	}),
	"proposals.reject": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RejectProposalRequest) (*vademecumv1.RejectProposalResponse, error) {
		return client.Proposals(scope.UserID).Reject
	}),
	"proposals.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteProposalRequest) (*vademecumv1.DeleteProposalResponse, error) {
		return client.Proposals(scope.UserID).Delete
	}),
	"proposals.watch": stream(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.WatchProposalsRequest) *vademecum.ResponseStream[vademecumv1.WatchProposalsResponse] {
		return client.Proposals(scope.UserID).Watch
	}),
	"inbox.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListProposalsRequest) (*vademecumv1.ListProposalsResponse, error) {
		return client.Inbox().List
	}),
	"inbox.watch": stream(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.WatchInboxRequest) *vademecum.ResponseStream[vademecumv1.WatchInboxResponse] {
		return client.Inbox().Watch
	}),
	"key_values.list_runs": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListRunsRequest) (*vademecumv1.ListRunsResponse, error) {
		return client.KeyValues(scope.RunID).ListRuns
	}),
	"key_values.write": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.WriteKeyRequest) (*vademecumv1.WriteKeyResponse, error) {
		return client.KeyValues(scope.RunID).Write
	}),
	"key_values.read": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ReadKeyRequest) (*vademecumv1.ReadKeyResponse, error) {
		return client.KeyValues(scope.RunID).Read
	}),
	"key_values.read_many": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ReadKeysRequest) (*vademecumv1.ReadKeysResponse, error) {
		return client.KeyValues(scope.RunID).ReadMany
	}),
	"key_values.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListKeysRequest) (*vademecumv1.ListKeysResponse, error) {
		return client.KeyValues(scope.RunID).List
	}),
	"key_values.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteKeyRequest) (*vademecumv1.DeleteKeyResponse, error) {
		return client.KeyValues(scope.RunID).Delete
	}),
	"key_values.search": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.SearchKeysRequest) (*vademecumv1.SearchKeysResponse, error) {
		return client.KeyValues(scope.RunID).Search
	}),
	"tools.register": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.RegisterToolRequest) (*vademecumv1.RegisterToolResponse, error) {
		return client.Tools().Register
	}),
	"tools.list": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListToolsRequest) (*vademecumv1.ListToolsResponse, error) {
		return client.Tools().List
	}),
	"tools.delete": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DeleteToolRequest) (*vademecumv1.DeleteToolResponse, error) {
		return client.Tools().Delete
	}),
	"tools.query_memory": stream(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.QueryMemoryRequest) *vademecum.ResponseStream[vademecumv1.QueryMemoryResponse] {
		return client.Tools().QueryMemory
	}),
	"tools.query_memory_unary": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.QueryMemoryUnaryRequest) (*vademecumv1.QueryMemoryUnaryResponse, error) {
		return client.Tools().QueryMemoryUnary
	}),
	"tools.submit_response": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.SubmitToolResponseRequest) (*vademecumv1.SubmitToolResponseResponse, error) {
		return client.Tools().SubmitResponse
	}),
	"tools.get_turn_trace": stream(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetTurnTraceRequest) *vademecum.ResponseStream[vademecumv1.GetTurnTraceResponse] {
		return client.Tools().GetTurnTrace
	}),
	"tools.list_turn_entries": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListTurnEntriesRequest) (*vademecumv1.ListTurnEntriesResponse, error) {
		return client.Tools().ListTurnEntries
	}),
	"tools.list_turns": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.ListTurnsRequest) (*vademecumv1.ListTurnsResponse, error) {
		return client.Tools().ListTurns
	}),
	"tools.get_definitions": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.GetToolDefinitionsRequest) (*vademecumv1.GetToolDefinitionsResponse, error) {
		return client.Tools().GetDefinitions
	}),
	"tools.dispatch": unary(func(client *vademecum.Client, scope scope) func(context.Context, *vademecumv1.DispatchRequest) (*vademecumv1.DispatchResponse, error) {
		return client.Tools().Dispatch
	}),
}
