// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, memory_provider_client::MemoryProviderClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routing::routing_of;
use crate::streams::{ResponseStream, SearchStream};

/// Stores memories and searches them.
///
/// A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
///
/// Every mutation takes an `idempotency_key`, which makes a retry safe for 24 hours. A retry
/// repeats the request of an earlier call, with the same key; a field with its default value equals
/// an unset field. A retry changes nothing and returns the reply of the earlier call, with these
/// exceptions:
///
/// - A record in the reply (a memory, block, skill or proposal) is the record as it is now. If the
///   record has versions, `replayed_version` says which version the earlier call made.
/// - If what the earlier call stored was deleted or has expired since, the retry is a new call and
///   stores it again. A retry of a deletion returns the first reply.
///
/// A different request with the same key fails with INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
///
/// A principal is a caller that the server knows by its credentials, such as an API key. An
/// idempotency key belongs to one principal, one namespace and one RPC: if one of these differs,
/// the same text is a different key. Add and AddBatch count as one RPC.
///
/// Without a client deadline, a call ends after 30 seconds; AddBatch has no such limit. A request
/// message has at most 1 MiB in binary and 4 MiB as JSON, a response message at most 4 MiB.
#[derive(Clone, Debug)]
pub struct Memories {
    calls: Calls,
    stub: MemoryProviderClient<Channel>,
    user_id: String,
    agent_id: String,
}

impl Memories {
    pub(crate) fn new(calls: Calls, user_id: String, agent_id: String) -> Self {
        let stub = MemoryProviderClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id, agent_id }
    }

    fn namespace(&self) -> v1::Namespace {
        v1::Namespace { user_id: self.user_id.clone(), agent_id: self.agent_id.clone() }
    }

    /// Stores one memory. The text is kept exactly as given; no language model is called.
    ///
    /// With an `external_id`, the call can also replace or keep a memory that is there
    /// (AddRequest.on_conflict). Without on_conflict, it fails with ALREADY_EXISTS
    /// (EXTERNAL_ID_IN_USE) when a memory of the namespace has the external_id.
    ///
    /// Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace has 5,000,000
    /// memories. Every other call that adds memories fails in the same way.
    pub async fn add(&self, mut request: v1::AddRequest) -> Result<v1::AddResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.Add", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.add(request).await }
        }).await
    }

    /// Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`.
    /// The content of the memory is
    /// `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.
    pub async fn add_trace(&self, mut request: v1::AddTraceRequest) -> Result<v1::AddTraceResponse, Error> {
        request.agent_id = self.agent_id.clone();
        request.user_id = Some(self.user_id.clone());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.AddTrace", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.add_trace(request).await }
        }).await
    }

    /// Stores up to 500 memories in one atomic step, over any protocol. Each memory gets a result
    /// of its own: an id, or the error of this memory. A memory with an error does not stop the
    /// others.
    ///
    /// The reply names no near-duplicates. For more memories, or memories of several namespaces,
    /// use AddBatch or several calls. A call costs about as much as an AddBatch of the same
    /// memories, and a small part of as many calls of Add.
    pub async fn add_many(&self, mut request: v1::AddManyRequest) -> Result<v1::AddManyResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.AddMany", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.add_many(request).await }
        }).await
    }

    /// Searches memories and streams the hits, best first. All hits together fit into the token
    /// budget. After the last hit, the stream has the summary.
    pub async fn search(&self, mut request: v1::SearchRequest) -> Result<SearchStream, Error> {
        request.namespace = Some(self.namespace());
        let stub = self.stub.clone();
        Ok(SearchStream::new(self.calls.stream("MemoryProvider.Search", routing_of(&self.user_id), request, move |request| {
            let mut stub = stub.clone();
            async move { stub.search(request).await }
        }).await?))
    }

    /// Searches memories and returns all hits in one reply. The reply also has the hits as one text
    /// for a prompt. Fails with RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the reply would be
    /// larger than 4 MiB; Search streams such hits.
    pub async fn recall(&self, mut request: v1::SearchRequest) -> Result<v1::RecallResponse, Error> {
        request.namespace = Some(self.namespace());
        let request = v1::RecallRequest { search: Some(request) };
        self.calls.unary("MemoryProvider.Recall", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.recall(request).await }
        }).await
    }

    /// Builds the whole context of one turn as one text for a prompt, within one token budget: the
    /// user's blocks, skills and memories that fit the query, notes of a run, and the last turns of
    /// a conversation. All sections but the notes show one state of the user's data. A worked
    /// example: docs/guides/context.md.
    ///
    /// Fails with ABORTED (CONTEXT_CHANGED) when the memories or skills of the namespace changed
    /// ten times while the context was built; retry. Fails with RESOURCE_EXHAUSTED
    /// (RESPONSE_TOO_LARGE) when the reply would be larger than 4 MiB.
    ///
    /// Cost: one search, one search for skills, and one read of each block that fits.
    pub async fn build_context(&self, mut request: v1::BuildContextRequest) -> Result<v1::BuildContextResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.BuildContext", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.build_context(request).await }
        }).await
    }

    /// Lists memories in one of several orders, by default newest first, page by page.
    pub async fn get_all(&self, mut request: v1::GetAllRequest) -> Result<v1::GetAllResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.GetAll", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_all(request).await }
        }).await
    }

    /// Counts the memories that pass a filter: the memories that GetAll lists on all pages
    /// together, with the same filter and without include_superseded.
    pub async fn count(&self, mut request: v1::CountRequest) -> Result<v1::CountResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.Count", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.count(request).await }
        }).await
    }

    /// Returns one memory.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
    /// memory has expired and include_expired is not set.
    pub async fn get(&self, mut request: v1::GetRequest) -> Result<v1::GetResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.Get", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get(request).await }
        }).await
    }

    /// Returns up to 1,000 memories by their ids, all from one state of the namespace. An id that
    /// the namespace does not have is not an error.
    pub async fn get_many(&self, mut request: v1::GetManyRequest) -> Result<v1::GetManyResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.GetMany", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_many(request).await }
        }).await
    }

    /// Streams the changes of memories in the order of their commits: of one namespace, or of all
    /// agents of a user whom the caller may name. The first message has no events. It says where
    /// the watch begins (WatchMemoriesResponse.commit_seq). A worked example:
    /// docs/guides/watching.md.
    ///
    /// Each message says up to which commit the stream is complete. To go on after a broken
    /// connection, a restart of the server, or a move of the user to another server (MOVED), pass
    /// this number as after_commit_seq. Then no event is lost, and none comes twice, except those
    /// of a commit that several messages share.
    ///
    /// If a memory changes several times before the server reads it for the watch, the stream may
    /// leave out all states but the last. Changes by another server with the same PostgreSQL arrive
    /// within about a second.
    ///
    /// Without a client deadline, the call has no time limit. The call fails with these errors:
    ///
    /// - OUT_OF_RANGE (CHANGES_NOT_KEPT) when the server no longer has all changes. It keeps those
    ///   of the last 4,096 commits of the user, and none from before a restore, a move or
    ///   ForgetUser. Watch without after_commit_seq, then read all memories (GetAll), then apply
    ///   the events.
    /// - INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when after_commit_seq is of another user, is from
    ///   before the data was restored, or is greater than that of the user's last commit.
    /// - UNAVAILABLE (SERVER_STOPPING) when the server stops.
    /// - RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls for the user are open on this server.
    ///
    /// This client always sets a deadline, by default 30 seconds after the start of the call. For a
    /// longer watch, set a longer timeout, and watch again when the call ends.
    pub async fn watch(&self, mut request: v1::WatchMemoriesRequest) -> Result<ResponseStream<v1::WatchMemoriesResponse>, Error> {
        request.namespace = Some(self.namespace());
        let stub = self.stub.clone();
        self.calls.stream("MemoryProvider.WatchMemories", routing_of(&self.user_id), request, move |request| {
            let mut stub = stub.clone();
            async move { stub.watch_memories(request).await }
        }).await
    }

    /// Changes fields of one memory.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
    /// memory has expired and include_expired is not set. Fails with PERMISSION_DENIED
    /// (ROLE_REQUIRED) when another principal wrote the content of the memory, and the caller does
    /// not have the role `curator`. Fails with ABORTED (VERSION_MISMATCH) when expected_version is
    /// given and is not the memory's version.
    pub async fn update(&self, mut request: v1::UpdateRequest) -> Result<v1::UpdateResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.Update", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.update(request).await }
        }).await
    }

    /// Lists the versions of a memory, newest first, page by page. The first one is the present
    /// version. Each Update, approved edit and RestoreMemory makes a version. The server keeps the
    /// last 20 earlier versions (`--memory-versions`); they go with the memory, and count in
    /// quotas.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
    /// memory has expired.
    pub async fn list_memory_versions(&self, mut request: v1::ListMemoryVersionsRequest) -> Result<v1::ListMemoryVersionsResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.ListMemoryVersions", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_memory_versions(request).await }
        }).await
    }

    /// Gives a memory the fields that it had at an earlier version, except expire_time, as its next
    /// version. If the content differs, its vector is computed again; in a namespace that holds
    /// callers' vectors, the memory then has no vector. The call fails with these errors:
    ///
    /// - NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the memory has
    ///   expired.
    /// - NOT_FOUND (MEMORY_VERSION_NOT_FOUND) when the server keeps no such earlier version.
    /// - FAILED_PRECONDITION (VERSION_REDACTED) when the version was redacted.
    /// - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the memory's version.
    pub async fn restore_memory(&self, mut request: v1::RestoreMemoryRequest) -> Result<v1::RestoreMemoryResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.RestoreMemory", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.restore_memory(request).await }
        }).await
    }

    /// Removes the texts of an earlier version of a memory for good, for example a password that
    /// was stored by mistake and then replaced. Also removes the texts of all proposals about the
    /// memory (Proposal.texts_removed), because they may quote it; pending ones become
    /// PROPOSAL_STATUS_CONFLICTED. To redact the present version, change the memory first.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND, MEMORY_VERSION_NOT_FOUND) when the namespace has no
    /// such memory, or when the server keeps no such earlier version.
    pub async fn redact_version(&self, mut request: v1::RedactVersionRequest) -> Result<v1::RedactVersionResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.RedactVersion", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.redact_version(request).await }
        }).await
    }

    /// Deletes one memory. An unknown id is not an error: `deleted` is false.
    ///
    /// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content of the
    /// memory, and the caller does not have the role `curator`.
    ///
    /// Pending proposals about the memory become PROPOSAL_STATUS_CONFLICTED, or
    /// PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the memory lose
    /// their texts (Proposal.texts_removed). DeleteMany, DeleteWhere and Reset do the same to the
    /// proposals about the memories that they delete.
    pub async fn delete(&self, mut request: v1::DeleteRequest) -> Result<v1::DeleteResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.Delete", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete(request).await }
        }).await
    }

    /// Deletes up to 1,000 memories by their ids, in one atomic step. An id that the namespace does
    /// not have is not an error.
    pub async fn delete_many(&self, mut request: v1::DeleteManyRequest) -> Result<v1::DeleteManyResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.DeleteMany", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_many(request).await }
        }).await
    }

    /// Deletes all memories that pass a filter, in one atomic step. Superseded and expired memories
    /// are deleted too.
    ///
    /// Fails with INVALID_ARGUMENT (EMPTY_FILTER) when the filter has no condition. Fails with
    /// FAILED_PRECONDITION (TOO_MANY_MATCHES) when more than 10,000 memories pass and dry_run is
    /// not set. Nothing is deleted then: narrow the filter, or use Reset.
    pub async fn delete_where(&self, mut request: v1::DeleteWhereRequest) -> Result<v1::DeleteWhereResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.DeleteWhere", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_where(request).await }
        }).await
    }

    /// Deletes all data of the namespace in one atomic step: its memories, its skills and its tool
    /// traces. To empty a whole server, call Reset through the stubs.
    pub async fn reset(&self, mut request: v1::ResetRequest) -> Result<v1::ResetResponse, Error> {
        request.target = Some(v1::reset_request::Target::Namespace(self.namespace()));
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.Reset", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.reset(request).await }
        }).await
    }

    /// Proposes an edit of a block or memory (the target). There are three kinds of edits:
    ///
    /// - The edit replaces one text in the target with another (old_string and new_string).
    /// - The edit replaces the whole text of the target (new_body). For a label that the user does
    ///   not have yet, the edit creates the block.
    /// - The edit adds a text at the end of the target (`append`).
    ///
    /// The target does not change until a person approves the edit with ProposalService. Error
    /// messages are written for the agent, so that the agent can correct its call.
    ///
    /// The call fails with the first of these errors that applies:
    ///
    /// - INVALID_ARGUMENT when old_string equals new_string, when old_string is empty, when
    ///   `append` is empty, or when reasoning is empty or white space. The first two do not apply
    ///   to new_body and `append`.
    /// - NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) when the target does not exist, or is a
    ///   memory that has expired. The edit of a missing block by new_body creates the block
    ///   instead.
    /// - FAILED_PRECONDITION (TEXT_UNCHANGED) when new_body is the text that the target has.
    /// - FAILED_PRECONDITION (OLD_STRING_NOT_FOUND) when the target does not contain old_string. If
    ///   different line ends may be the cause, the description of the field violation says so.
    /// - FAILED_PRECONDITION (OLD_STRING_AMBIGUOUS) when the target contains old_string several
    ///   times and replace_all is not set. The description of the field violation names the first
    ///   ten lines on which old_string begins. The ErrorInfo has their numbers as metadata `lines`,
    ///   such as `1, 3`.
    /// - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large,
    ///   or would leave a memory empty or blank (only white space).
    pub async fn propose_edit(&self, mut request: v1::ProposeEditRequest) -> Result<v1::ProposeEditResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("MemoryProvider.ProposeEdit", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.propose_edit(request).await }
        }).await
    }

    /// Explains why a memory is, or is not, among the hits of a search. The reply says what each
    /// stage of the search does to the memory. A call costs as much as several searches.
    ///
    /// Explain compares the vectors of all memories. Search may look for near vectors
    /// (SEARCH_INDEX_NEAR), and may then miss memories whose vectors are far from the query. So the
    /// ranks of Explain may differ from the ranks of Search.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no such memory, or when the
    /// memory has expired.
    pub async fn explain(&self, mut request: v1::ExplainRequest) -> Result<v1::ExplainResponse, Error> {
        request.search.get_or_insert_with(Default::default).namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.Explain", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.explain(request).await }
        }).await
    }

    /// Searches, and explains the result as a whole: how the query was understood, how many
    /// memories each stage left, and how memories came to their places. Follows the hits, what was
    /// omitted, the next best memories, and the memories of `ids`, all in one pass over the
    /// candidates.
    ///
    /// The search compares the vectors of all memories, as Explain does. The call costs as much as
    /// a few searches, whatever the number of memories that it follows.
    pub async fn explain_search(&self, mut request: v1::ExplainSearchRequest) -> Result<v1::ExplainSearchResponse, Error> {
        request.search.get_or_insert_with(Default::default).namespace = Some(self.namespace());
        self.calls.unary("MemoryProvider.ExplainSearch", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.explain_search(request).await }
        }).await
    }
}
