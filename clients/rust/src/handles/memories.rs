// Made from the definitions by `npm run generate`: do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, memory_provider_client::MemoryProviderClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::streams::{SearchStream};

/// Keeps memories and finds them again.
///
/// A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
///
/// Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
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

    /// Stores one memory. The text is kept exactly as given; no model is called.
    pub async fn add(&self, mut request: v1::AddRequest) -> Result<v1::AddResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.add(request).await }
        }).await
    }

    /// Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=<workflow_id> agent=<agent_id> data=<trace_data as JSON, keys sorted>`.
    pub async fn add_trace(&self, mut request: v1::AddTraceRequest) -> Result<v1::AddTraceResponse, Error> {
        request.agent_id = self.agent_id.clone();
        request.user_id = Some(self.user_id.clone());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.add_trace(request).await }
        }).await
    }

    /// Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
    pub async fn search(&self, mut request: v1::SearchRequest) -> Result<SearchStream, Error> {
        request.namespace = Some(self.namespace());
        Ok(SearchStream::new(self.calls.stream(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.search(request).await }
        }).await?))
    }

    /// Search in one reply, with a text that can go into a prompt as it is.
    pub async fn recall(&self, mut request: v1::SearchRequest) -> Result<v1::RecallResponse, Error> {
        request.namespace = Some(self.namespace());
        let request = v1::RecallRequest { search: Some(request) };
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.recall(request).await }
        }).await
    }

    /// Lists memories, newest first, page by page.
    pub async fn get_all(&self, mut request: v1::GetAllRequest) -> Result<v1::GetAllResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_all(request).await }
        }).await
    }

    /// Returns one memory. NOT_FOUND if there is no such memory in the namespace.
    pub async fn get(&self, mut request: v1::GetRequest) -> Result<v1::GetResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get(request).await }
        }).await
    }

    /// Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
    pub async fn update(&self, mut request: v1::UpdateRequest) -> Result<v1::UpdateResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.update(request).await }
        }).await
    }

    /// Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
    pub async fn delete(&self, mut request: v1::DeleteRequest) -> Result<v1::DeleteResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete(request).await }
        }).await
    }

    /// Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
    pub async fn delete_where(&self, mut request: v1::DeleteWhereRequest) -> Result<v1::DeleteWhereResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_where(request).await }
        }).await
    }

    /// Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
    pub async fn reset(&self, mut request: v1::ResetRequest) -> Result<v1::ResetResponse, Error> {
        request.target = Some(v1::reset_request::Target::Namespace(self.namespace()));
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.reset(request).await }
        }).await
    }

    /// Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
    ///
    /// INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
    pub async fn propose_edit(&self, mut request: v1::ProposeEditRequest) -> Result<v1::ProposeEditResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.propose_edit(request).await }
        }).await
    }

    /// Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
    pub async fn explain(&self, mut request: v1::ExplainRequest) -> Result<v1::ExplainResponse, Error> {
        request.search.get_or_insert_with(Default::default).namespace = Some(self.namespace());
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.explain(request).await }
        }).await
    }
}
