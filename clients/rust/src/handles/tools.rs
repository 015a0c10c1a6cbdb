// Made from the definitions by `npm run generate`: do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, tool_service_client::ToolServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::streams::{ResponseStream};

/// Gives tools a part of what an agent remembers, and takes what they learn.
///
/// A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
///
/// Every mutation takes an `idempotency_key`; see MemoryProvider.
#[derive(Clone, Debug)]
pub struct Tools {
    calls: Calls,
    stub: ToolServiceClient<Channel>,
}

impl Tools {
    pub(crate) fn new(calls: Calls) -> Self {
        let stub = ToolServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub }
    }

    /// Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
    pub async fn register_tool(&self, mut request: v1::RegisterToolRequest) -> Result<v1::RegisterToolResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.register_tool(request).await }
        }).await
    }

    /// Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
    pub async fn list_tools(&self, request: v1::ListToolsRequest) -> Result<v1::ListToolsResponse, Error> {
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_tools(request).await }
        }).await
    }

    /// Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
    pub async fn delete_tool(&self, mut request: v1::DeleteToolRequest) -> Result<v1::DeleteToolResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_tool(request).await }
        }).await
    }

    /// Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
    ///
    /// The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
    ///
    /// A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
    pub async fn query_memory(&self, request: v1::QueryMemoryRequest) -> Result<ResponseStream<v1::QueryMemoryResponse>, Error> {
        self.calls.stream(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.query_memory(request).await }
        }).await
    }

    /// Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
    pub async fn submit_tool_response(&self, mut request: v1::SubmitToolResponseRequest) -> Result<v1::SubmitToolResponseResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.submit_tool_response(request).await }
        }).await
    }

    /// Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
    pub async fn get_turn_trace(&self, request: v1::GetTurnTraceRequest) -> Result<ResponseStream<v1::GetTurnTraceResponse>, Error> {
        self.calls.stream(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_turn_trace(request).await }
        }).await
    }

    /// Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
    pub async fn get_tool_definitions(&self, request: v1::GetToolDefinitionsRequest) -> Result<v1::GetToolDefinitionsResponse, Error> {
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_tool_definitions(request).await }
        }).await
    }

    /// Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
    pub async fn dispatch(&self, mut request: v1::DispatchRequest) -> Result<v1::DispatchResponse, Error> {
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.dispatch(request).await }
        }).await
    }
}
