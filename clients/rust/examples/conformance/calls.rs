// Generated from the definitions by `npm run generate`. Do not edit.
use serde_json::Value;
use vademecum::{Client, Error};

use crate::json::Json;
use crate::Scope;

pub async fn call(json: &Json, client: &Client, scope: &Scope, name: &str, request: Value) -> Result<Value, Error> {
    match name {
        "memories.add" => {
            let request = json.parse("vademecum.v1.AddRequest", request);
            json.unary("vademecum.v1.AddResponse", client.memories(&scope.user_id, &scope.agent_id).add(request).await?).await
        }
        "memories.add_trace" => {
            let request = json.parse("vademecum.v1.AddTraceRequest", request);
            json.unary("vademecum.v1.AddTraceResponse", client.memories(&scope.user_id, &scope.agent_id).add_trace(request).await?).await
        }
        "memories.add_many" => {
            let request = json.parse("vademecum.v1.AddManyRequest", request);
            json.unary("vademecum.v1.AddManyResponse", client.memories(&scope.user_id, &scope.agent_id).add_many(request).await?).await
        }
        "memories.search" => {
            let request = json.parse("vademecum.v1.SearchRequest", request);
            json.search("vademecum.v1.SearchResponse", client.memories(&scope.user_id, &scope.agent_id).search(request).await?).await
        }
        "memories.recall" => {
            let request = json.parse("vademecum.v1.SearchRequest", request);
            json.unary("vademecum.v1.RecallResponse", client.memories(&scope.user_id, &scope.agent_id).recall(request).await?).await
        }
        "memories.build_context" => {
            let request = json.parse("vademecum.v1.BuildContextRequest", request);
            json.unary("vademecum.v1.BuildContextResponse", client.memories(&scope.user_id, &scope.agent_id).build_context(request).await?).await
        }
        "memories.get_all" => {
            let request = json.parse("vademecum.v1.GetAllRequest", request);
            json.unary("vademecum.v1.GetAllResponse", client.memories(&scope.user_id, &scope.agent_id).get_all(request).await?).await
        }
        "memories.count" => {
            let request = json.parse("vademecum.v1.CountRequest", request);
            json.unary("vademecum.v1.CountResponse", client.memories(&scope.user_id, &scope.agent_id).count(request).await?).await
        }
        "memories.get" => {
            let request = json.parse("vademecum.v1.GetRequest", request);
            json.unary("vademecum.v1.GetResponse", client.memories(&scope.user_id, &scope.agent_id).get(request).await?).await
        }
        "memories.get_many" => {
            let request = json.parse("vademecum.v1.GetManyRequest", request);
            json.unary("vademecum.v1.GetManyResponse", client.memories(&scope.user_id, &scope.agent_id).get_many(request).await?).await
        }
        "memories.watch" => {
            let request = json.parse("vademecum.v1.WatchMemoriesRequest", request);
            json.stream("vademecum.v1.WatchMemoriesResponse", client.memories(&scope.user_id, &scope.agent_id).watch(request).await?).await
        }
        "memories.update" => {
            let request = json.parse("vademecum.v1.UpdateRequest", request);
            json.unary("vademecum.v1.UpdateResponse", client.memories(&scope.user_id, &scope.agent_id).update(request).await?).await
        }
        "memories.list_memory_versions" => {
            let request = json.parse("vademecum.v1.ListMemoryVersionsRequest", request);
            json.unary("vademecum.v1.ListMemoryVersionsResponse", client.memories(&scope.user_id, &scope.agent_id).list_memory_versions(request).await?).await
        }
        "memories.restore_memory" => {
            let request = json.parse("vademecum.v1.RestoreMemoryRequest", request);
            json.unary("vademecum.v1.RestoreMemoryResponse", client.memories(&scope.user_id, &scope.agent_id).restore_memory(request).await?).await
        }
        "memories.redact_version" => {
            let request = json.parse("vademecum.v1.RedactVersionRequest", request);
            json.unary("vademecum.v1.RedactVersionResponse", client.memories(&scope.user_id, &scope.agent_id).redact_version(request).await?).await
        }
        "memories.delete" => {
            let request = json.parse("vademecum.v1.DeleteRequest", request);
            json.unary("vademecum.v1.DeleteResponse", client.memories(&scope.user_id, &scope.agent_id).delete(request).await?).await
        }
        "memories.delete_many" => {
            let request = json.parse("vademecum.v1.DeleteManyRequest", request);
            json.unary("vademecum.v1.DeleteManyResponse", client.memories(&scope.user_id, &scope.agent_id).delete_many(request).await?).await
        }
        "memories.delete_where" => {
            let request = json.parse("vademecum.v1.DeleteWhereRequest", request);
            json.unary("vademecum.v1.DeleteWhereResponse", client.memories(&scope.user_id, &scope.agent_id).delete_where(request).await?).await
        }
        "memories.reset" => {
            let request = json.parse("vademecum.v1.ResetRequest", request);
            json.unary("vademecum.v1.ResetResponse", client.memories(&scope.user_id, &scope.agent_id).reset(request).await?).await
        }
        "memories.propose_edit" => {
            let request = json.parse("vademecum.v1.ProposeEditRequest", request);
            json.unary("vademecum.v1.ProposeEditResponse", client.memories(&scope.user_id, &scope.agent_id).propose_edit(request).await?).await
        }
        "memories.explain" => {
            let request = json.parse("vademecum.v1.ExplainRequest", request);
            json.unary("vademecum.v1.ExplainResponse", client.memories(&scope.user_id, &scope.agent_id).explain(request).await?).await
        }
        "memories.explain_search" => {
            let request = json.parse("vademecum.v1.ExplainSearchRequest", request);
            json.unary("vademecum.v1.ExplainSearchResponse", client.memories(&scope.user_id, &scope.agent_id).explain_search(request).await?).await
        }
        "skills.store" => {
            let request = json.parse("vademecum.v1.StoreSkillRequest", request);
            json.unary("vademecum.v1.StoreSkillResponse", client.skills(&scope.user_id, &scope.agent_id).store(request).await?).await
        }
        "skills.retrieve" => {
            let request = json.parse("vademecum.v1.RetrieveSkillsRequest", request);
            json.unary("vademecum.v1.RetrieveSkillsResponse", client.skills(&scope.user_id, &scope.agent_id).retrieve(request).await?).await
        }
        "skills.get" => {
            let request = json.parse("vademecum.v1.GetSkillRequest", request);
            json.unary("vademecum.v1.GetSkillResponse", client.skills(&scope.user_id, &scope.agent_id).get(request).await?).await
        }
        "skills.list" => {
            let request = json.parse("vademecum.v1.ListSkillsRequest", request);
            json.unary("vademecum.v1.ListSkillsResponse", client.skills(&scope.user_id, &scope.agent_id).list(request).await?).await
        }
        "skills.delete" => {
            let request = json.parse("vademecum.v1.DeleteSkillRequest", request);
            json.unary("vademecum.v1.DeleteSkillResponse", client.skills(&scope.user_id, &scope.agent_id).delete(request).await?).await
        }
        "skills.update_success_count" => {
            let request = json.parse("vademecum.v1.UpdateSuccessCountRequest", request);
            json.unary("vademecum.v1.UpdateSuccessCountResponse", client.skills(&scope.user_id, &scope.agent_id).update_success_count(request).await?).await
        }
        "skills.prune_stale" => {
            let request = json.parse("vademecum.v1.PruneStaleRequest", request);
            json.unary("vademecum.v1.PruneStaleResponse", client.skills(&scope.user_id, &scope.agent_id).prune_stale(request).await?).await
        }
        "blocks.list" => {
            let request = json.parse("vademecum.v1.ListBlocksRequest", request);
            json.unary("vademecum.v1.ListBlocksResponse", client.blocks(&scope.user_id).list(request).await?).await
        }
        "blocks.get" => {
            let request = json.parse("vademecum.v1.GetBlockRequest", request);
            json.unary("vademecum.v1.GetBlockResponse", client.blocks(&scope.user_id).get(request).await?).await
        }
        "blocks.put" => {
            let request = json.parse("vademecum.v1.PutBlockRequest", request);
            json.unary("vademecum.v1.PutBlockResponse", client.blocks(&scope.user_id).put(request).await?).await
        }
        "blocks.delete" => {
            let request = json.parse("vademecum.v1.DeleteBlockRequest", request);
            json.unary("vademecum.v1.DeleteBlockResponse", client.blocks(&scope.user_id).delete(request).await?).await
        }
        "blocks.delete_many" => {
            let request = json.parse("vademecum.v1.DeleteBlocksRequest", request);
            json.unary("vademecum.v1.DeleteBlocksResponse", client.blocks(&scope.user_id).delete_many(request).await?).await
        }
        "blocks.rename" => {
            let request = json.parse("vademecum.v1.RenameBlockRequest", request);
            json.unary("vademecum.v1.RenameBlockResponse", client.blocks(&scope.user_id).rename(request).await?).await
        }
        "blocks.render" => {
            let request = json.parse("vademecum.v1.RenderBlocksRequest", request);
            json.unary("vademecum.v1.RenderBlocksResponse", client.blocks(&scope.user_id).render(request).await?).await
        }
        "blocks.list_versions" => {
            let request = json.parse("vademecum.v1.ListBlockVersionsRequest", request);
            json.unary("vademecum.v1.ListBlockVersionsResponse", client.blocks(&scope.user_id).list_versions(request).await?).await
        }
        "blocks.restore" => {
            let request = json.parse("vademecum.v1.RestoreBlockRequest", request);
            json.unary("vademecum.v1.RestoreBlockResponse", client.blocks(&scope.user_id).restore(request).await?).await
        }
        "threads.append_turns" => {
            let request = json.parse("vademecum.v1.AppendTurnsRequest", request);
            json.unary("vademecum.v1.AppendTurnsResponse", client.threads(&scope.user_id, &scope.agent_id).append_turns(request).await?).await
        }
        "threads.get_turns" => {
            let request = json.parse("vademecum.v1.GetTurnsRequest", request);
            json.unary("vademecum.v1.GetTurnsResponse", client.threads(&scope.user_id, &scope.agent_id).get_turns(request).await?).await
        }
        "threads.pop_turn" => {
            let request = json.parse("vademecum.v1.PopTurnRequest", request);
            json.unary("vademecum.v1.PopTurnResponse", client.threads(&scope.user_id, &scope.agent_id).pop_turn(request).await?).await
        }
        "threads.replace" => {
            let request = json.parse("vademecum.v1.ReplaceThreadRequest", request);
            json.unary("vademecum.v1.ReplaceThreadResponse", client.threads(&scope.user_id, &scope.agent_id).replace(request).await?).await
        }
        "threads.clear" => {
            let request = json.parse("vademecum.v1.ClearThreadRequest", request);
            json.unary("vademecum.v1.ClearThreadResponse", client.threads(&scope.user_id, &scope.agent_id).clear(request).await?).await
        }
        "threads.fork" => {
            let request = json.parse("vademecum.v1.ForkThreadRequest", request);
            json.unary("vademecum.v1.ForkThreadResponse", client.threads(&scope.user_id, &scope.agent_id).fork(request).await?).await
        }
        "threads.list" => {
            let request = json.parse("vademecum.v1.ListThreadsRequest", request);
            json.unary("vademecum.v1.ListThreadsResponse", client.threads(&scope.user_id, &scope.agent_id).list(request).await?).await
        }
        "proposals.list" => {
            let request = json.parse("vademecum.v1.ListProposalsRequest", request);
            json.unary("vademecum.v1.ListProposalsResponse", client.proposals(&scope.user_id).list(request).await?).await
        }
        "proposals.count" => {
            let request = json.parse("vademecum.v1.CountProposalsRequest", request);
            json.unary("vademecum.v1.CountProposalsResponse", client.proposals(&scope.user_id).count(request).await?).await
        }
        "proposals.get" => {
            let request = json.parse("vademecum.v1.GetProposalRequest", request);
            json.unary("vademecum.v1.GetProposalResponse", client.proposals(&scope.user_id).get(request).await?).await
        }
        "proposals.approve" => {
            let request = json.parse("vademecum.v1.ApproveProposalRequest", request);
            json.unary("vademecum.v1.ApproveProposalResponse", client.proposals(&scope.user_id).approve(request).await?).await
        }
        "proposals.reject" => {
            let request = json.parse("vademecum.v1.RejectProposalRequest", request);
            json.unary("vademecum.v1.RejectProposalResponse", client.proposals(&scope.user_id).reject(request).await?).await
        }
        "proposals.delete" => {
            let request = json.parse("vademecum.v1.DeleteProposalRequest", request);
            json.unary("vademecum.v1.DeleteProposalResponse", client.proposals(&scope.user_id).delete(request).await?).await
        }
        "proposals.watch" => {
            let request = json.parse("vademecum.v1.WatchProposalsRequest", request);
            json.stream("vademecum.v1.WatchProposalsResponse", client.proposals(&scope.user_id).watch(request).await?).await
        }
        "inbox.list" => {
            let request = json.parse("vademecum.v1.ListProposalsRequest", request);
            json.unary("vademecum.v1.ListProposalsResponse", client.inbox().list(request).await?).await
        }
        "inbox.watch" => {
            let request = json.parse("vademecum.v1.WatchInboxRequest", request);
            json.stream("vademecum.v1.WatchInboxResponse", client.inbox().watch(request).await?).await
        }
        "key_values.list_runs" => {
            let request = json.parse("vademecum.v1.ListRunsRequest", request);
            json.unary("vademecum.v1.ListRunsResponse", client.key_values(&scope.run_id).list_runs(request).await?).await
        }
        "key_values.write" => {
            let request = json.parse("vademecum.v1.WriteKeyRequest", request);
            json.unary("vademecum.v1.WriteKeyResponse", client.key_values(&scope.run_id).write(request).await?).await
        }
        "key_values.read" => {
            let request = json.parse("vademecum.v1.ReadKeyRequest", request);
            json.unary("vademecum.v1.ReadKeyResponse", client.key_values(&scope.run_id).read(request).await?).await
        }
        "key_values.read_many" => {
            let request = json.parse("vademecum.v1.ReadKeysRequest", request);
            json.unary("vademecum.v1.ReadKeysResponse", client.key_values(&scope.run_id).read_many(request).await?).await
        }
        "key_values.list" => {
            let request = json.parse("vademecum.v1.ListKeysRequest", request);
            json.unary("vademecum.v1.ListKeysResponse", client.key_values(&scope.run_id).list(request).await?).await
        }
        "key_values.delete" => {
            let request = json.parse("vademecum.v1.DeleteKeyRequest", request);
            json.unary("vademecum.v1.DeleteKeyResponse", client.key_values(&scope.run_id).delete(request).await?).await
        }
        "key_values.search" => {
            let request = json.parse("vademecum.v1.SearchKeysRequest", request);
            json.unary("vademecum.v1.SearchKeysResponse", client.key_values(&scope.run_id).search(request).await?).await
        }
        "tools.register" => {
            let request = json.parse("vademecum.v1.RegisterToolRequest", request);
            json.unary("vademecum.v1.RegisterToolResponse", client.tools().register(request).await?).await
        }
        "tools.list" => {
            let request = json.parse("vademecum.v1.ListToolsRequest", request);
            json.unary("vademecum.v1.ListToolsResponse", client.tools().list(request).await?).await
        }
        "tools.delete" => {
            let request = json.parse("vademecum.v1.DeleteToolRequest", request);
            json.unary("vademecum.v1.DeleteToolResponse", client.tools().delete(request).await?).await
        }
        "tools.query_memory" => {
            let request = json.parse("vademecum.v1.QueryMemoryRequest", request);
            json.stream("vademecum.v1.QueryMemoryResponse", client.tools().query_memory(request).await?).await
        }
        "tools.query_memory_unary" => {
            let request = json.parse("vademecum.v1.QueryMemoryUnaryRequest", request);
            json.unary("vademecum.v1.QueryMemoryUnaryResponse", client.tools().query_memory_unary(request).await?).await
        }
        "tools.submit_response" => {
            let request = json.parse("vademecum.v1.SubmitToolResponseRequest", request);
            json.unary("vademecum.v1.SubmitToolResponseResponse", client.tools().submit_response(request).await?).await
        }
        "tools.get_turn_trace" => {
            let request = json.parse("vademecum.v1.GetTurnTraceRequest", request);
            json.stream("vademecum.v1.GetTurnTraceResponse", client.tools().get_turn_trace(request).await?).await
        }
        "tools.list_turn_entries" => {
            let request = json.parse("vademecum.v1.ListTurnEntriesRequest", request);
            json.unary("vademecum.v1.ListTurnEntriesResponse", client.tools().list_turn_entries(request).await?).await
        }
        "tools.list_turns" => {
            let request = json.parse("vademecum.v1.ListTurnsRequest", request);
            json.unary("vademecum.v1.ListTurnsResponse", client.tools().list_turns(request).await?).await
        }
        "tools.get_definitions" => {
            let request = json.parse("vademecum.v1.GetToolDefinitionsRequest", request);
            json.unary("vademecum.v1.GetToolDefinitionsResponse", client.tools().get_definitions(request).await?).await
        }
        "tools.dispatch" => {
            let request = json.parse("vademecum.v1.DispatchRequest", request);
            json.unary("vademecum.v1.DispatchResponse", client.tools().dispatch(request).await?).await
        }
        unknown => panic!("no call {unknown}"),
    }
}
