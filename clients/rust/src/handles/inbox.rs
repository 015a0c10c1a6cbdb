// Generated from the definitions by `npm run generate`. Do not edit.
use tonic::transport::Channel;
use vademecum_stubs::v1::{self, proposal_service_client::ProposalServiceClient};

use crate::calls::{Calls, RECEIVE_MAX_BYTES};
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
pub struct Inbox {
    calls: Calls,
    stub: ProposalServiceClient<Channel>,
}

impl Inbox {
    pub(crate) fn new(calls: Calls) -> Self {
        let stub = ProposalServiceClient::new(calls.channel()).max_decoding_message_size(RECEIVE_MAX_BYTES);
        Self { calls, stub }
    }

    /// Lists proposals without their diffs, page by page: those of one user, or those of all users
    /// whom the caller may name.
    pub async fn list(&self, request: v1::ListProposalsRequest) -> Result<v1::ListProposalsResponse, Error> {
        self.calls.unary("ProposalService.ListProposals", routing_of(request.user_id.as_deref().unwrap_or_default()), request, |request| {
            let mut stub = self.stub.clone();
            async move { stub.list_proposals(request).await }
        }).await
    }

    /// Streams proposals as WatchProposals does, for all users whom the caller may name. Users who
    /// have moved to other servers are left out.
    ///
    /// Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
    /// RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchInbox are open on this server;
    /// on a server with tenants, 100 of the tenant.
    ///
    /// This client always sets a deadline, by default 30 seconds after the start of the call. For a
    /// longer watch, set a longer timeout, and watch again when the call ends.
    pub async fn watch(&self, request: v1::WatchInboxRequest) -> Result<ResponseStream<v1::WatchInboxResponse>, Error> {
        let stub = self.stub.clone();
        self.calls.stream("ProposalService.WatchInbox", None, request, move |request| {
            let mut stub = stub.clone();
            async move { stub.watch_inbox(request).await }
        }).await
    }
}
