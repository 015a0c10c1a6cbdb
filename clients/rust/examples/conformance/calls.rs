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
        "memories.search" => {
            let request = json.parse("vademecum.v1.SearchRequest", request);
            json.search("vademecum.v1.SearchResponse", client.memories(&scope.user_id, &scope.agent_id).search(request).await?).await
        }
        "memories.recall" => {
            let request = json.parse("vademecum.v1.SearchRequest", request);
            json.unary("vademecum.v1.RecallResponse", client.memories(&scope.user_id, &scope.agent_id).recall(request).await?).await
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
        "memories.update" => {
            let request = json.parse("vademecum.v1.UpdateRequest", request);
            json.unary("vademecum.v1.UpdateResponse", client.memories(&scope.user_id, &scope.agent_id).update(request).await?).await
        }
        "memories.delete" => {
            let request = json.parse("vademecum.v1.DeleteRequest", request);
            json.unary("vademecum.v1.DeleteResponse", client.memories(&scope.user_id, &scope.agent_id).delete(request).await?).await
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
        "skills.store_skill" => {
            let request = json.parse("vademecum.v1.StoreSkillRequest", request);
            json.unary("vademecum.v1.StoreSkillResponse", client.skills(&scope.user_id, &scope.agent_id).store_skill(request).await?).await
        }
        "skills.retrieve_skills" => {
            let request = json.parse("vademecum.v1.RetrieveSkillsRequest", request);
            json.unary("vademecum.v1.RetrieveSkillsResponse", client.skills(&scope.user_id, &scope.agent_id).retrieve_skills(request).await?).await
        }
        "skills.list_skills" => {
            let request = json.parse("vademecum.v1.ListSkillsRequest", request);
            json.unary("vademecum.v1.ListSkillsResponse", client.skills(&scope.user_id, &scope.agent_id).list_skills(request).await?).await
        }
        "skills.delete_skill" => {
            let request = json.parse("vademecum.v1.DeleteSkillRequest", request);
            json.unary("vademecum.v1.DeleteSkillResponse", client.skills(&scope.user_id, &scope.agent_id).delete_skill(request).await?).await
        }
        "skills.update_success_count" => {
            let request = json.parse("vademecum.v1.UpdateSuccessCountRequest", request);
            json.unary("vademecum.v1.UpdateSuccessCountResponse", client.skills(&scope.user_id, &scope.agent_id).update_success_count(request).await?).await
        }
        "skills.prune_stale" => {
            let request = json.parse("vademecum.v1.PruneStaleRequest", request);
            json.unary("vademecum.v1.PruneStaleResponse", client.skills(&scope.user_id, &scope.agent_id).prune_stale(request).await?).await
        }
        "blocks.list_blocks" => {
            let request = json.parse("vademecum.v1.ListBlocksRequest", request);
            json.unary("vademecum.v1.ListBlocksResponse", client.blocks(&scope.user_id).list_blocks(request).await?).await
        }
        "blocks.get_block" => {
            let request = json.parse("vademecum.v1.GetBlockRequest", request);
            json.unary("vademecum.v1.GetBlockResponse", client.blocks(&scope.user_id).get_block(request).await?).await
        }
        "blocks.put_block" => {
            let request = json.parse("vademecum.v1.PutBlockRequest", request);
            json.unary("vademecum.v1.PutBlockResponse", client.blocks(&scope.user_id).put_block(request).await?).await
        }
        "blocks.delete_block" => {
            let request = json.parse("vademecum.v1.DeleteBlockRequest", request);
            json.unary("vademecum.v1.DeleteBlockResponse", client.blocks(&scope.user_id).delete_block(request).await?).await
        }
        "blocks.list_block_versions" => {
            let request = json.parse("vademecum.v1.ListBlockVersionsRequest", request);
            json.unary("vademecum.v1.ListBlockVersionsResponse", client.blocks(&scope.user_id).list_block_versions(request).await?).await
        }
        "blocks.restore_block" => {
            let request = json.parse("vademecum.v1.RestoreBlockRequest", request);
            json.unary("vademecum.v1.RestoreBlockResponse", client.blocks(&scope.user_id).restore_block(request).await?).await
        }
        "proposals.list_proposals" => {
            let request = json.parse("vademecum.v1.ListProposalsRequest", request);
            json.unary("vademecum.v1.ListProposalsResponse", client.proposals(&scope.user_id).list_proposals(request).await?).await
        }
        "proposals.get_proposal" => {
            let request = json.parse("vademecum.v1.GetProposalRequest", request);
            json.unary("vademecum.v1.GetProposalResponse", client.proposals(&scope.user_id).get_proposal(request).await?).await
        }
        "proposals.approve_proposal" => {
            let request = json.parse("vademecum.v1.ApproveProposalRequest", request);
            json.unary("vademecum.v1.ApproveProposalResponse", client.proposals(&scope.user_id).approve_proposal(request).await?).await
        }
        "proposals.reject_proposal" => {
            let request = json.parse("vademecum.v1.RejectProposalRequest", request);
            json.unary("vademecum.v1.RejectProposalResponse", client.proposals(&scope.user_id).reject_proposal(request).await?).await
        }
        "proposals.watch_proposals" => {
            let request = json.parse("vademecum.v1.WatchProposalsRequest", request);
            json.stream("vademecum.v1.WatchProposalsResponse", client.proposals(&scope.user_id).watch_proposals(request).await?).await
        }
        "inbox.list_proposals" => {
            let request = json.parse("vademecum.v1.ListProposalsRequest", request);
            json.unary("vademecum.v1.ListProposalsResponse", client.inbox().list_proposals(request).await?).await
        }
        "inbox.watch_inbox" => {
            let request = json.parse("vademecum.v1.WatchInboxRequest", request);
            json.stream("vademecum.v1.WatchInboxResponse", client.inbox().watch_inbox(request).await?).await
        }
        "key_values.write_key" => {
            let request = json.parse("vademecum.v1.WriteKeyRequest", request);
            json.unary("vademecum.v1.WriteKeyResponse", client.key_values(&scope.run_id).write_key(request).await?).await
        }
        "key_values.read_key" => {
            let request = json.parse("vademecum.v1.ReadKeyRequest", request);
            json.unary("vademecum.v1.ReadKeyResponse", client.key_values(&scope.run_id).read_key(request).await?).await
        }
        "key_values.list_keys" => {
            let request = json.parse("vademecum.v1.ListKeysRequest", request);
            json.unary("vademecum.v1.ListKeysResponse", client.key_values(&scope.run_id).list_keys(request).await?).await
        }
        "key_values.delete_key" => {
            let request = json.parse("vademecum.v1.DeleteKeyRequest", request);
            json.unary("vademecum.v1.DeleteKeyResponse", client.key_values(&scope.run_id).delete_key(request).await?).await
        }
        "key_values.search_keys" => {
            let request = json.parse("vademecum.v1.SearchKeysRequest", request);
            json.unary("vademecum.v1.SearchKeysResponse", client.key_values(&scope.run_id).search_keys(request).await?).await
        }
        "tools.register_tool" => {
            let request = json.parse("vademecum.v1.RegisterToolRequest", request);
            json.unary("vademecum.v1.RegisterToolResponse", client.tools().register_tool(request).await?).await
        }
        "tools.list_tools" => {
            let request = json.parse("vademecum.v1.ListToolsRequest", request);
            json.unary("vademecum.v1.ListToolsResponse", client.tools().list_tools(request).await?).await
        }
        "tools.delete_tool" => {
            let request = json.parse("vademecum.v1.DeleteToolRequest", request);
            json.unary("vademecum.v1.DeleteToolResponse", client.tools().delete_tool(request).await?).await
        }
        "tools.query_memory" => {
            let request = json.parse("vademecum.v1.QueryMemoryRequest", request);
            json.stream("vademecum.v1.QueryMemoryResponse", client.tools().query_memory(request).await?).await
        }
        "tools.submit_tool_response" => {
            let request = json.parse("vademecum.v1.SubmitToolResponseRequest", request);
            json.unary("vademecum.v1.SubmitToolResponseResponse", client.tools().submit_tool_response(request).await?).await
        }
        "tools.get_turn_trace" => {
            let request = json.parse("vademecum.v1.GetTurnTraceRequest", request);
            json.stream("vademecum.v1.GetTurnTraceResponse", client.tools().get_turn_trace(request).await?).await
        }
        "tools.get_tool_definitions" => {
            let request = json.parse("vademecum.v1.GetToolDefinitionsRequest", request);
            json.unary("vademecum.v1.GetToolDefinitionsResponse", client.tools().get_tool_definitions(request).await?).await
        }
        "tools.dispatch" => {
            let request = json.parse("vademecum.v1.DispatchRequest", request);
            json.unary("vademecum.v1.DispatchResponse", client.tools().dispatch(request).await?).await
        }
        unknown => panic!("no call {unknown}"),
    }
}
