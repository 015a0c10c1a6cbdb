// Generated from the definitions by `npm run generate`. Do not edit.
use vademecum_stubs::v1::{self, tool_service_client::ToolServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routes::{Routes, Scope};
use crate::streams::{ResponseStream};

/// Gives tools limited access to an agent's memories, and stores what tools learn.
///
/// A manifest declares what a tool may read; QueryMemory returns nothing beyond it. Tools read
/// memories and add new ones; they cannot change memories.
///
/// When a query fails, its result is empty and the trace of the turn says why. The call itself does
/// not fail, so the tool can continue with the other results.
///
/// Every mutation takes an `idempotency_key`; see MemoryProvider.
#[derive(Clone, Debug)]
pub struct Tools {
    calls: Calls,
    stub: ToolServiceClient<Routes>,
}

impl Tools {
    pub(crate) fn new(calls: Calls) -> Self {
        let stub = ToolServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub }
    }

    /// Stores the manifest of a version of a tool. An identical manifest changes nothing; a
    /// different one replaces the old one.
    ///
    /// A manifest decides what a tool may read. On a server with credentials, only principals with
    /// the role `operator` may store or delete one. On a server without credentials, every caller
    /// may.
    ///
    /// Fails with FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool would have more than
    /// 100 versions.
    pub async fn register_tool(&self, mut request: v1::RegisterToolRequest) -> Result<v1::RegisterToolResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.register_tool(request).await }
        }).await
    }

    /// Lists manifests page by page, ordered by the UTF-8 bytes of the tool, then of the version.
    pub async fn list_tools(&self, request: v1::ListToolsRequest) -> Result<v1::ListToolsResponse, Error> {
        self.calls.unary(Scope::None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_tools(request).await }
        }).await
    }

    /// Deletes a tool, or one of its versions. An unknown tool or version is not an error:
    /// `deleted` is 0. Needs the role `operator`, as RegisterTool does.
    pub async fn delete_tool(&self, mut request: v1::DeleteToolRequest) -> Result<v1::DeleteToolResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_tool(request).await }
        }).await
    }

    /// Answers the queries of a tool, each for one type of memories of one agent. The queries run
    /// in parallel. The results come in the order of the queries, one message for each. A result of
    /// more than 32 memories or 64 KiB takes several messages.
    ///
    /// The queries draw on shared budgets, in the order of the request. Each query may use what
    /// earlier queries left of the request's budget and of its type's budget. The same request over
    /// the same memories therefore always has the same results.
    ///
    /// A query has an empty result when it breaks a rule, asks for memories that the tool may not
    /// read, fails, or takes more than 5 seconds. GetTurnTrace tells these cases apart. An unknown
    /// tool or version may read nothing.
    ///
    /// A result is cached for 5 minutes. The cache drops it when a memory of the namespace changes,
    /// a memory of the type expires or the manifest changes.
    pub async fn query_memory(&self, request: v1::QueryMemoryRequest) -> Result<ResponseStream<v1::QueryMemoryResponse>, Error> {
        self.calls.stream(Scope::user(&request.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.query_memory(request).await }
        }).await
    }

    /// Stores what a tool has learned in one atomic step, with `source` set to the tool. The tool
    /// needs no manifest.
    pub async fn submit_tool_response(&self, mut request: v1::SubmitToolResponseRequest) -> Result<v1::SubmitToolResponseResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::user(&request.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.submit_tool_response(request).await }
        }).await
    }

    /// Streams the trace of a request, or of all requests of a task, oldest entry first. The trace
    /// contains every QueryMemory whose stream has ended. Without entries, the stream is empty.
    /// Entries are kept for 30 days; the most recent ones may be lost if the server is killed.
    pub async fn get_turn_trace(&self, request: v1::GetTurnTraceRequest) -> Result<ResponseStream<v1::GetTurnTraceResponse>, Error> {
        self.calls.stream(Scope::user(&request.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_turn_trace(request).await }
        }).await
    }

    /// Returns the definitions of a toolset: functions that a language model may call to use this
    /// service, in the format that the model's API expects.
    pub async fn get_tool_definitions(&self, request: v1::GetToolDefinitionsRequest) -> Result<v1::GetToolDefinitionsResponse, Error> {
        self.calls.unary(Scope::None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_tool_definitions(request).await }
        }).await
    }

    /// Runs a tool that a language model called, and returns the text for the model.
    ///
    /// Mistakes of the model (an unknown tool, wrong arguments, an unknown key) and failures of the
    /// tool do not fail the call. The result describes them, with `is_error` set.
    ///
    /// The call fails only when it is interrupted, or with INVALID_ARGUMENT when the host's run_id,
    /// namespace or idempotency_key is invalid.
    pub async fn dispatch(&self, mut request: v1::DispatchRequest) -> Result<v1::DispatchResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.dispatch(request).await }
        }).await
    }
}
