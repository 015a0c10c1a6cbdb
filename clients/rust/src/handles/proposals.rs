// Made from the definitions by `npm run generate`: do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, proposal_service_client::ProposalServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::streams::{ResponseStream};

/// Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
///
/// Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND). A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
#[derive(Clone, Debug)]
pub struct Proposals {
    calls: Calls,
    stub: ProposalServiceClient<Channel>,
    user_id: String,
}

impl Proposals {
    pub(crate) fn new(calls: Calls, user_id: String) -> Self {
        let stub = ProposalServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub, user_id }
    }

    /// Lists a user's proposals, newest first, page by page. Without their diffs.
    pub async fn list_proposals(&self, mut request: v1::ListProposalsRequest) -> Result<v1::ListProposalsResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_proposals(request).await }
        }).await
    }

    /// Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
    pub async fn get_proposal(&self, mut request: v1::GetProposalRequest) -> Result<v1::GetProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_proposal(request).await }
        }).await
    }

    /// Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
    ///
    /// FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
    pub async fn approve_proposal(&self, mut request: v1::ApproveProposalRequest) -> Result<v1::ApproveProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.approve_proposal(request).await }
        }).await
    }

    /// Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
    ///
    /// FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
    pub async fn reject_proposal(&self, mut request: v1::RejectProposalRequest) -> Result<v1::RejectProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.reject_proposal(request).await }
        }).await
    }

    /// Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
    ///
    /// Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
    pub async fn watch_proposals(&self, mut request: v1::WatchProposalsRequest) -> Result<ResponseStream<v1::WatchProposalsResponse>, Error> {
        request.user_id = self.user_id.clone();
        self.calls.stream(request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.watch_proposals(request).await }
        }).await
    }
}
