// Made from the definitions by `npm run generate`: do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, block_service_client::BlockServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;

/// Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
///
/// Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND). A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
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

    /// Lists a user's blocks, by label, page by page.
    pub async fn list_blocks(&self, mut request: v1::ListBlocksRequest) -> Result<v1::ListBlocksResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_blocks(request).await }
        }).await
    }

    /// Returns one block as it is now. NOT_FOUND if there is none.
    pub async fn get_block(&self, mut request: v1::GetBlockRequest) -> Result<v1::GetBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_block(request).await }
        }).await
    }

    /// Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
    pub async fn put_block(&self, mut request: v1::PutBlockRequest) -> Result<v1::PutBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.put_block(request).await }
        }).await
    }

    /// Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
    pub async fn delete_block(&self, mut request: v1::DeleteBlockRequest) -> Result<v1::DeleteBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_block(request).await }
        }).await
    }

    /// Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
    pub async fn list_block_versions(&self, mut request: v1::ListBlockVersionsRequest) -> Result<v1::ListBlockVersionsResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_block_versions(request).await }
        }).await
    }

    /// Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
    pub async fn restore_block(&self, mut request: v1::RestoreBlockRequest) -> Result<v1::RestoreBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.restore_block(request).await }
        }).await
    }
}
