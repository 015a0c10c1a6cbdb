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
    ///
    /// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
    /// version.
    pub async fn delete(&self, mut request: v1::DeleteBlockRequest) -> Result<v1::DeleteBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.DeleteBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_block(request).await }
        }).await
    }

    /// Deletes all blocks whose labels begin with a prefix, in one atomic step, as DeleteBlock does
    /// for each. Deletes at most 1,000 blocks.
    ///
    /// Fails with FAILED_PRECONDITION (TOO_MANY_MATCHES) when more blocks have the prefix. Nothing
    /// is deleted then.
    pub async fn delete_many(&self, mut request: v1::DeleteBlocksRequest) -> Result<v1::DeleteBlocksResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.DeleteBlocks", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_blocks(request).await }
        }).await
    }

    /// Gives a block another label. The block keeps its versions, its version number and its
    /// proposals, which can still be approved. A title that was made from the label changes with
    /// it. A retry of an earlier write under the old label finds the block.
    ///
    /// The call rewrites all versions and proposals of the block in one atomic step, so it costs as
    /// much as writing them anew.
    ///
    /// The call fails with these errors:
    ///
    /// - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
    /// - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
    /// - FAILED_PRECONDITION (BLOCK_EXISTS) when the user has a block with the new label.
    /// - FAILED_PRECONDITION (BLOCK_TOO_LARGE) when the versions and proposals of the block have
    ///   more than 64 MiB together.
    pub async fn rename(&self, mut request: v1::RenameBlockRequest) -> Result<v1::RenameBlockResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("BlockService.RenameBlock", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.rename_block(request).await }
        }).await
    }

    /// Returns blocks as one text for a prompt, with instructions for the agent: how to read a
    /// block that was cut, and how to propose edits. The same blocks give the same text.
    ///
    /// Each block has a heading with its title and label, and its text in a Markdown code block,
    /// whose fence is longer than any in the text. So no text can look like another block. A block
    /// that does not fit into the budget is cut at a line, and a sentence behind it says so.
    pub async fn render(&self, mut request: v1::RenderBlocksRequest) -> Result<v1::RenderBlocksResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary("BlockService.RenderBlocks", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.render_blocks(request).await }
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
