// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, skill_service_client::SkillServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routing::routing_of;

/// Stores the lessons that agents have learned and retrieves them for a given situation. A worked
/// example: docs/guides/skills.md.
///
/// A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
/// Mutations take an `idempotency_key`, as in MemoryProvider. No reply reveals skills of another
/// namespace, with one exception: the error QUOTA_EXCEEDED says how many bytes the user would hold
/// after the write.
///
/// VADEMECUM_SKILLS=off turns the service off. A valid call then succeeds, but stores nothing. Its
/// reply has no skills, and all its flags and counts are false or 0.
#[derive(Clone, Debug)]
pub struct Skills {
    calls: Calls,
    stub: SkillServiceClient<Channel>,
    user_id: String,
    agent_id: String,
}

impl Skills {
    pub(crate) fn new(calls: Calls, user_id: String, agent_id: String) -> Self {
        let stub = SkillServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id, agent_id }
    }

    fn namespace(&self) -> v1::Namespace {
        v1::Namespace { user_id: self.user_id.clone(), agent_id: self.agent_id.clone() }
    }

    /// Stores a skill, or replaces the skill with the given id. Fails with PERMISSION_DENIED
    /// (ROLE_REQUIRED) when another principal stored that skill, and the caller does not have the
    /// role `curator`.
    pub async fn store(&self, mut request: v1::StoreSkillRequest) -> Result<v1::StoreSkillResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("SkillService.StoreSkill", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.store_skill(request).await }
        }).await
    }

    /// Retrieves the skills for a situation, most similar first. A call counts as a use of the
    /// skills that it returns: it sets their last_used_time. It does not change their
    /// success_count.
    pub async fn retrieve(&self, mut request: v1::RetrieveSkillsRequest) -> Result<v1::RetrieveSkillsResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("SkillService.RetrieveSkills", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.retrieve_skills(request).await }
        }).await
    }

    /// Returns one skill. The call does not count as a use of the skill. On a server with
    /// VADEMECUM_SKILLS=off, the reply is empty.
    ///
    /// Fails with NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.
    pub async fn get(&self, mut request: v1::GetSkillRequest) -> Result<v1::GetSkillResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("SkillService.GetSkill", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_skill(request).await }
        }).await
    }

    /// Lists skills, newest first, page by page. A listing does not count as a use of the skills.
    pub async fn list(&self, mut request: v1::ListSkillsRequest) -> Result<v1::ListSkillsResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("SkillService.ListSkills", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_skills(request).await }
        }).await
    }

    /// Deletes one skill. An unknown id is not an error: `deleted` is false. Fails with
    /// PERMISSION_DENIED (ROLE_REQUIRED) when another principal stored the skill, and the caller
    /// does not have the role `curator`.
    pub async fn delete(&self, mut request: v1::DeleteSkillRequest) -> Result<v1::DeleteSkillResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("SkillService.DeleteSkill", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_skill(request).await }
        }).await
    }

    /// Adds to the success_count and failure_count of a skill. A call counts as a use of the skill:
    /// it sets last_used_time. An unknown id is not an error: `updated` is false.
    pub async fn update_success_count(&self, mut request: v1::UpdateSuccessCountRequest) -> Result<v1::UpdateSuccessCountResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("SkillService.UpdateSuccessCount", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.update_success_count(request).await }
        }).await
    }

    /// Removes the stale skills of a namespace. A skill is stale in two cases:
    ///
    /// - It has not been used for 90 days.
    /// - It is at least 30 days old, and its success_count is 0.
    ///
    /// The server itself prunes all namespaces at start and once a day, unless it runs with
    /// --pruning off. AdminService.Prune prunes all namespaces of a tenant immediately.
    pub async fn prune_stale(&self, mut request: v1::PruneStaleRequest) -> Result<v1::PruneStaleResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("SkillService.PruneStale", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.prune_stale(request).await }
        }).await
    }
}
