// Generated from the definitions by `npm run generate`. Do not edit.
use vademecum_stubs::v1::{self, proposal_service_client::ProposalServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routes::{Routes, Scope};
use crate::streams::{ResponseStream};

/// Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until
/// somebody approves. An approval changes the target and the proposal in one atomic step. A worked
/// example: docs/blocks.md.
///
/// Proposals belong to a user. The id of another user's proposal and an unknown id give the same
/// answer: NOT_FOUND (PROPOSAL_NOT_FOUND).
///
/// A pending proposal expires after its lifetime: 30 days, or the server's --proposal-lifetime.
/// From that instant on it is PROPOSAL_STATUS_EXPIRED. Decided and expired proposals are kept. They
/// lose their texts when their target is deleted.
#[derive(Clone, Debug)]
pub struct Proposals {
    calls: Calls,
    stub: ProposalServiceClient<Routes>,
    user_id: String,
}

impl Proposals {
    pub(crate) fn new(calls: Calls, user_id: String) -> Self {
        let stub = ProposalServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id }
    }

    /// Lists a user's proposals without their diffs, newest first, page by page.
    pub async fn list_proposals(&self, mut request: v1::ListProposalsRequest) -> Result<v1::ListProposalsResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(Scope::user(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_proposals(request).await }
        }).await
    }

    /// Returns one proposal with its diff. For a PROPOSAL_STATUS_CONFLICTED proposal, also returns
    /// the conflicting texts. Returns no texts if the target was deleted (`texts_removed`).
    pub async fn get_proposal(&self, mut request: v1::GetProposalRequest) -> Result<v1::GetProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(Scope::user(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_proposal(request).await }
        }).await
    }

    /// Applies an edit to the current text of its target. Approving an approved proposal changes
    /// nothing. It returns the reply of the first approval, with `already_decided` set. An
    /// edited_new_string of the later call is ignored; the reply says which text was applied.
    ///
    /// Fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the target was deleted, no longer
    /// contains old_string, or contains it several times without replace_all. The proposal is
    /// PROPOSAL_STATUS_CONFLICTED from then on. A proposal never applies to a new block with the
    /// label of a deleted one.
    ///
    /// Fails with FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired. Fails with
    /// FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
    ///
    /// Fails with FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too
    /// large, or would leave a memory empty or blank (only white space). The edit is applied to two
    /// texts: the current one, and the one that the target had when the edit was proposed. Both
    /// results must keep the size limit. The proposal stays pending.
    pub async fn approve_proposal(&self, mut request: v1::ApproveProposalRequest) -> Result<v1::ApproveProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::user(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.approve_proposal(request).await }
        }).await
    }

    /// Rejects an edit. Rejecting again changes nothing: it returns the first reply with
    /// `already_decided` set. The first reason stays.
    ///
    /// Fails with FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_CONFLICTED or PROPOSAL_EXPIRED)
    /// when the proposal has that status.
    pub async fn reject_proposal(&self, mut request: v1::RejectProposalRequest) -> Result<v1::RejectProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(Scope::user(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.reject_proposal(request).await }
        }).await
    }

    /// Streams the pending proposals, oldest first, then each new proposal when it is made. A
    /// proposal that was sent as pending is sent once more when it is decided or expires. Proposals
    /// come without their diffs.
    ///
    /// The only deadline is the client's. Fails with UNAVAILABLE (SERVER_STOPPING) when the server
    /// stops, and with RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user are open.
    /// A slow client can miss proposals: a proposal that is made and decided between two reads is
    /// not sent.
    pub async fn watch_proposals(&self, mut request: v1::WatchProposalsRequest) -> Result<ResponseStream<v1::WatchProposalsResponse>, Error> {
        request.user_id = self.user_id.clone();
        self.calls.stream(Scope::user(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.watch_proposals(request).await }
        }).await
    }
}
