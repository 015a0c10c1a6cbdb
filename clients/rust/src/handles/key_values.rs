// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, key_value_service_client::KeyValueServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;

/// Keeps notes as values under keys, for an agent that works in cycles: the agent writes a note in
/// one cycle and reads it in the next. Keys belong to a run, such as one task of an agent.
/// Examples: docs/guides/notes.md.
///
/// The caller chooses the id of a run. A run needs no setup: the first WriteKey with its id creates
/// it. A call never returns keys of another run. On a server without credentials, any caller that
/// knows a run's id may use the run. Keys and values may be any Unicode text. Keys are compared
/// byte for byte: `Plan`, `plan` and `plan/` are three keys. There is no search by meaning, and
/// keys do not expire.
///
/// A write is durable (synced to disk) when it is acknowledged. Mutations take an
/// `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a run, not to a
/// namespace. Without a client deadline, a call ends after 30 seconds.
#[derive(Clone, Debug)]
pub struct KeyValues {
    calls: Calls,
    stub: KeyValueServiceClient<Channel>,
    run_id: String,
}

impl KeyValues {
    pub(crate) fn new(calls: Calls, run_id: String) -> Self {
        let stub = KeyValueServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, run_id }
    }

    /// Lists the runs that have keys and that the caller may name, ordered by the bytes of their
    /// ids in UTF-8, page by page. A page costs what is on it, however many runs there are.
    pub async fn list_runs(&self, request: v1::ListRunsRequest) -> Result<v1::ListRunsResponse, Error> {
        self.calls.unary("KeyValueService.ListRuns", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_runs(request).await }
        }).await
    }

    /// Stores a value under a key. If the key has a value, the new value replaces it.
    ///
    /// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the version
    /// of the key.
    pub async fn write(&self, mut request: v1::WriteKeyRequest) -> Result<v1::WriteKeyResponse, Error> {
        request.run_id = self.run_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("KeyValueService.WriteKey", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.write_key(request).await }
        }).await
    }

    /// Returns the value of a key. An unknown key is not an error: `found` is false.
    pub async fn read(&self, mut request: v1::ReadKeyRequest) -> Result<v1::ReadKeyResponse, Error> {
        request.run_id = self.run_id.clone();
        self.calls.unary("KeyValueService.ReadKey", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.read_key(request).await }
        }).await
    }

    /// Returns the values of up to 1,000 keys, all from one state of the run. An unknown key is not
    /// an error: the reply leaves it out.
    pub async fn read_many(&self, mut request: v1::ReadKeysRequest) -> Result<v1::ReadKeysResponse, Error> {
        request.run_id = self.run_id.clone();
        self.calls.unary("KeyValueService.ReadKeys", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.read_keys(request).await }
        }).await
    }

    /// Lists the keys of a run in the order of their first writes, page by page. A key that was
    /// deleted and written again comes last.
    pub async fn list(&self, mut request: v1::ListKeysRequest) -> Result<v1::ListKeysResponse, Error> {
        request.run_id = self.run_id.clone();
        self.calls.unary("KeyValueService.ListKeys", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_keys(request).await }
        }).await
    }

    /// Deletes a key and its value. An unknown key is not an error: `deleted` is false.
    pub async fn delete(&self, mut request: v1::DeleteKeyRequest) -> Result<v1::DeleteKeyResponse, Error> {
        request.run_id = self.run_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("KeyValueService.DeleteKey", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_key(request).await }
        }).await
    }

    /// Lists the keys that contain a text, in the order of ListKeys, page by page.
    ///
    /// To fill a page, the call reads the run's keys one after the other, including those that do
    /// not match. So a search for a rare text takes longer in a run with more keys.
    pub async fn search(&self, mut request: v1::SearchKeysRequest) -> Result<v1::SearchKeysResponse, Error> {
        request.run_id = self.run_id.clone();
        self.calls.unary("KeyValueService.SearchKeys", None, request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.search_keys(request).await }
        }).await
    }
}
