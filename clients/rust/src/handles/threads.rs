// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, thread_service_client::ThreadServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routing::routing_of;

/// Keeps the turns of conversations in order. A turn is a memory of type MEMORY_TYPE_CONVERSATION
/// with a thread_id, however it was stored. A thread is all turns of a namespace with the same
/// thread_id. It exists while it has a turn. A worked example: docs/guides/threads.md.
///
/// The turns of a thread are ordered by their time (event_time, or create_time without one), then
/// by id. Turns of one AppendTurns without event_time are in the order of the request. Searches
/// find turns as they find other memories.
///
/// Each call that writes is one atomic step, for readers too: no call sees a part of its turns.
/// When it is acknowledged, it is durable (synced to disk) and searchable. Mutations take an
/// `idempotency_key`, as in MemoryProvider.
#[derive(Clone, Debug)]
pub struct Threads {
    calls: Calls,
    stub: ThreadServiceClient<Channel>,
    user_id: String,
    agent_id: String,
}

impl Threads {
    pub(crate) fn new(calls: Calls, user_id: String, agent_id: String) -> Self {
        let stub = ThreadServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id, agent_id }
    }

    fn namespace(&self) -> v1::Namespace {
        v1::Namespace { user_id: self.user_id.clone(), agent_id: self.agent_id.clone() }
    }

    /// Stores turns at the end of a thread. Creates the thread if it does not exist. A turn with an
    /// `external_id` that the thread has already is the same turn, and is not stored again.
    ///
    /// Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
    pub async fn append_turns(&self, mut request: v1::AppendTurnsRequest) -> Result<v1::AppendTurnsResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ThreadService.AppendTurns", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.append_turns(request).await }
        }).await
    }

    /// Returns the last turns of a thread, or the last turns before one of its turns. A thread
    /// without turns is not an error. Leaves out turns that have expired or are superseded.
    ///
    /// Fails with NOT_FOUND (MEMORY_NOT_FOUND) when before_id is given and is not a turn of the
    /// thread.
    pub async fn get_turns(&self, mut request: v1::GetTurnsRequest) -> Result<v1::GetTurnsResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("ThreadService.GetTurns", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_turns(request).await }
        }).await
    }

    /// Deletes the last turn of a thread and returns it. Passes over turns that have expired or are
    /// superseded. An empty thread is not an error: the reply has no id.
    ///
    /// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and the
    /// caller does not have the role `curator`.
    pub async fn pop_turn(&self, mut request: v1::PopTurnRequest) -> Result<v1::PopTurnResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ThreadService.PopTurn", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.pop_turn(request).await }
        }).await
    }

    /// Deletes all turns of a thread and stores other turns in their place. Creates the thread if
    /// it does not exist. For more turns than fit into one request, call ClearThread and then
    /// AppendTurns several times, which is not one atomic step.
    ///
    /// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the thread's
    /// version. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than
    /// 10,000 turns.
    pub async fn replace(&self, mut request: v1::ReplaceThreadRequest) -> Result<v1::ReplaceThreadResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ThreadService.ReplaceThread", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.replace_thread(request).await }
        }).await
    }

    /// Deletes all turns of a thread, and the texts of all proposals about them, as Delete does.
    ///
    /// Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the turns,
    /// and the caller does not have the role `curator`. Fails with FAILED_PRECONDITION
    /// (THREAD_TOO_LONG) when the thread has more than 10,000 turns.
    pub async fn clear(&self, mut request: v1::ClearThreadRequest) -> Result<v1::ClearThreadResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ThreadService.ClearThread", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.clear_thread(request).await }
        }).await
    }

    /// Copies the turns of a thread, or its first turns, into a new thread. The copies are memories
    /// of their own, which searches find too. Leaves out turns that have expired or are superseded.
    /// A copy has the event_time of its turn, or the create_time if the turn has no event_time. No
    /// vector is computed again. The call fails with these errors:
    ///
    /// - NOT_FOUND (THREAD_NOT_FOUND) when the thread has no turn to copy.
    /// - NOT_FOUND (MEMORY_NOT_FOUND) when last_id is given and is not a turn of the thread.
    /// - FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
    /// - FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be more than 10,000 turns, or
    ///   more than 16 MiB of content.
    /// - RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.
    pub async fn fork(&self, mut request: v1::ForkThreadRequest) -> Result<v1::ForkThreadResponse, Error> {
        request.namespace = Some(self.namespace());
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ThreadService.ForkThread", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.fork_thread(request).await }
        }).await
    }

    /// Lists the threads of a namespace in the order of the UTF-8 bytes of their ids, page by page.
    pub async fn list(&self, mut request: v1::ListThreadsRequest) -> Result<v1::ListThreadsResponse, Error> {
        request.namespace = Some(self.namespace());
        self.calls.unary("ThreadService.ListThreads", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_threads(request).await }
        }).await
    }
}
