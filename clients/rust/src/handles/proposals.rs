// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, proposal_service_client::ProposalServiceClient};

use crate::calls::{new_idempotency_key, Calls, RECEIVE_MAX_BYTES};
use crate::error::Error;
use crate::routing::routing_of;
use crate::streams::{ResponseStream};

/// Lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on them. The
/// target of an edit (a block or a memory) does not change until somebody approves the edit. An
/// approval changes the target and the proposal in one atomic step. A worked example:
/// docs/guides/blocks.md.
///
/// Proposals belong to a user. A call about one proposal fails with NOT_FOUND (PROPOSAL_NOT_FOUND)
/// when the user has no proposal with the id. It also fails with this error when the caller's
/// credentials do not cover the agent of the proposal.
///
/// A proposal on which nobody decides expires after the server's --proposal-lifetime, by default 30
/// days. Decided and expired proposals are kept, but lose their texts when their target is deleted.
///
/// Mutations take an `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a
/// user, not to a namespace.
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

    /// Lists proposals without their diffs, page by page: those of one user, or those of all users
    /// whom the caller may name.
    pub async fn list(&self, mut request: v1::ListProposalsRequest) -> Result<v1::ListProposalsResponse, Error> {
        request.user_id = Some(self.user_id.clone());
        self.calls.unary("ProposalService.ListProposals", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_proposals(request).await }
        }).await
    }

    /// Counts the pending proposals of one user, or of all users whom the caller may name. Reads
    /// each of them.
    pub async fn count(&self, mut request: v1::CountProposalsRequest) -> Result<v1::CountProposalsResponse, Error> {
        request.user_id = Some(self.user_id.clone());
        self.calls.unary("ProposalService.CountProposals", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.count_proposals(request).await }
        }).await
    }

    /// Returns one proposal with its diff. If the proposal is pending, also returns what an
    /// approval would do now. If the proposal is conflicted, also returns the texts in conflict. If
    /// the target was deleted, returns no texts (Proposal.texts_removed).
    pub async fn get(&self, mut request: v1::GetProposalRequest) -> Result<v1::GetProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        self.calls.unary("ProposalService.GetProposal", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.get_proposal(request).await }
        }).await
    }

    /// Applies an edit to the current text of its target.
    ///
    /// If an earlier call has approved the proposal, this call changes nothing and ignores
    /// edited_new_string. It returns the outcome of the first approval, with `already_decided` set.
    ///
    /// The call fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the edit no longer
    /// applies to its target. The proposal is conflicted from then on. An edit no longer applies in
    /// these cases:
    ///
    /// - The target was deleted, even if a new block has its label.
    /// - The target is a memory that has expired.
    /// - The target no longer contains old_string.
    /// - The target contains old_string several times, and replace_all is false.
    /// - The edit has new_body, and the text of the target has changed since the proposal.
    /// - The edit creates a block, and the user has a block with the label by now.
    ///
    /// The call also fails with these errors:
    ///
    /// - PERMISSION_DENIED (SELF_APPROVAL) when the caller is the principal that proposed the edit
    ///   (Proposal.proposed_by). Only `anonymous` may approve its own edits.
    /// - FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired.
    /// - FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
    /// - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the target's version.
    ///   The proposal stays pending.
    /// - INVALID_ARGUMENT when edited_new_string equals old_string, or is empty although the edit
    ///   appends it.
    /// - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large,
    ///   or would leave a memory empty or blank (only white space). The proposal stays pending.
    /// - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit no longer applies, but
    ///   ProposalConflict.proposed_text would be too large to store. The proposal stays pending.
    pub async fn approve(&self, mut request: v1::ApproveProposalRequest) -> Result<v1::ApproveProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ProposalService.ApproveProposal", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.approve_proposal(request).await }
        }).await
    }

    /// Rejects an edit. If an earlier call has rejected the proposal, this call changes nothing. It
    /// returns the proposal with the first reason, and with `already_decided` set.
    ///
    /// Fails with FAILED_PRECONDITION when the proposal has another outcome: it was approved
    /// (PROPOSAL_APPROVED), is conflicted (PROPOSAL_CONFLICTED) or has expired (PROPOSAL_EXPIRED).
    pub async fn reject(&self, mut request: v1::RejectProposalRequest) -> Result<v1::RejectProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ProposalService.RejectProposal", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.reject_proposal(request).await }
        }).await
    }

    /// Deletes a proposal that is not pending: the agent no longer learns of the decision, and the
    /// same edit proposed again is not marked as a repetition. The target keeps its text, and its
    /// versions keep the id of the proposal. An unknown id is not an error: `deleted` is false.
    ///
    /// Fails with FAILED_PRECONDITION (PROPOSAL_PENDING) when nobody has decided on the proposal.
    /// Reject it first, so that the agent and all watchers learn of it.
    pub async fn delete(&self, mut request: v1::DeleteProposalRequest) -> Result<v1::DeleteProposalResponse, Error> {
        request.user_id = self.user_id.clone();
        request.idempotency_key.get_or_insert_with(new_idempotency_key);
        self.calls.unary("ProposalService.DeleteProposal", routing_of(&self.user_id), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.delete_proposal(request).await }
        }).await
    }

    /// Streams the pending proposals without their diffs, oldest first, then each new proposal when
    /// it is made. The stream sends a proposal once more when somebody decides on it. It also sends
    /// a proposal once more after it has expired, at the latest when the server next prunes. By
    /// default, the server prunes once a day.
    ///
    /// Without a client deadline, the call has no time limit. A slow client can miss proposals: if
    /// somebody decides on a new proposal before the client reads it, the stream leaves this
    /// proposal out.
    ///
    /// Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
    /// RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchProposals for the user are open
    /// on this server.
    ///
    /// This client always sets a deadline, by default 30 seconds after the start of the call. For a
    /// longer watch, set a longer timeout, and watch again when the call ends.
    pub async fn watch(&self, mut request: v1::WatchProposalsRequest) -> Result<ResponseStream<v1::WatchProposalsResponse>, Error> {
        request.user_id = self.user_id.clone();
        let stub = self.stub.clone();
        self.calls.stream("ProposalService.WatchProposals", routing_of(&self.user_id), request, move |request| {
            let mut stub = stub.clone();
            async move { stub.watch_proposals(request).await }
        }).await
    }
}
