// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, block_service_client::BlockServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routing::routing_of;

/// Keeps a user's blocks with all their versions. A block is a text of up to 256 KiB that is read
/// whole, without a search. Agents can propose edits of blocks (MemoryProvider.ProposeEdit), and
/// people approve them (ProposalService). A worked example: docs/guides/blocks.md.
///
/// Blocks belong to a user, not to an agent. The error NOT_FOUND (BLOCK_NOT_FOUND) does not reveal
/// whether another user has a block with the label.
///
/// A write is atomic. When it is acknowledged, it is durable (synced to disk). Mutations take an
/// `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a user, not to a
/// namespace.
#[derive(Clone, Debug)]
pub struct Blocks {
    calls: Calls,
    stub: BlockServiceClient<Channel>,
    user_id: String,
}

impl Blocks {
    pub(crate) fn new(calls: Calls, user_id: String) -> Self {
        let stub = BlockServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id }
    }

    /// Lists a user's blocks in the order of their labels, page by page.
    pub async fn list(&self, mut request: v1::ListBlocksRequest) -> Result<v1::ListBlocksResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary("BlockService.ListBlocks", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_blocks(request).await }
        }).await
    }

    /// Returns the current version of one block.
    ///
    /// Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
    pub async fn get(&self, mut request: v1::GetBlockRequest) -> Result<v1::GetBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary("BlockService.GetBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_block(request).await }
        }).await
    }

    /// Creates a block, or writes the next version of an existing one.
    ///
    /// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
    /// version.
    pub async fn put(&self, mut request: v1::PutBlockRequest) -> Result<v1::PutBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.PutBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.put_block(request).await }
        }).await
    }

    /// Deletes a block and all its versions permanently. An unknown label is not an error:
    /// `deleted` is false.
    ///
    /// Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or
    /// PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the block lose
    /// their texts (Proposal.texts_removed).
    pub async fn delete(&self, mut request: v1::DeleteBlockRequest) -> Result<v1::DeleteBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.DeleteBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_block(request).await }
        }).await
    }

    /// Lists the versions of a block, newest first, page by page.
    ///
    /// Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
    pub async fn list_versions(&self, mut request: v1::ListBlockVersionsRequest) -> Result<v1::ListBlockVersionsResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary("BlockService.ListBlockVersions", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_block_versions(request).await }
        }).await
    }

    /// Writes the title, body and schema_ref of an earlier version as the next version. The call
    /// fails with these errors:
    ///
    /// - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
    /// - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
    /// - NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.
    pub async fn restore(&self, mut request: v1::RestoreBlockRequest) -> Result<v1::RestoreBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.RestoreBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.restore_block(request).await }
        }).await
    }
}
