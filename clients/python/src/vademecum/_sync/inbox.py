# Generated from the definitions by `npm run generate`. Do not edit.

from google.protobuf.duration_pb2 import Duration
from vademecum.v1.proposal_pb2 import ProposalStatus
from vademecum.v1.proposal_service_pb2 import ListProposalsRequest, ListProposalsResponse, ProposalOrder, ProposalView, WatchInboxRequest, WatchInboxResponse
from vademecum.v1.proposal_service_pb2_grpc import ProposalServiceStub

from .calls import Calls, ResponseStream
from .._requests import new_request
from ..types import DurationFields, ProposalOrderName, ProposalStatusName, ProposalViewName


class Inbox:
    """Lists the edits that agents propose with MemoryProvider.ProposeEdit, and decides on them. The
    target of an edit (a block or a memory) does not change until somebody approves the edit. An
    approval changes the target and the proposal in one atomic step. A worked example:
    docs/guides/blocks.md.

    Proposals belong to a user. A call about one proposal fails with NOT_FOUND
    (PROPOSAL_NOT_FOUND) when the user has no proposal with the id. It also fails with this error
    when the caller's credentials do not cover the agent of the proposal.

    A proposal on which nobody decides expires after the server's --proposal-lifetime, by default
    30 days. Decided and expired proposals are kept, but lose their texts when their target is
    deleted.

    Mutations take an `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to
    a user, not to a namespace.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._stub = ProposalServiceStub(calls.channel)

    def list(
        self,
        *,
        user_id: str | None = None,
        status: ProposalStatus | ProposalStatusName | None = None,
        limit: int | None = None,
        page_token: str | None = None,
        agent_id: str | None = None,
        block_label: str | None = None,
        memory_id: str | None = None,
        order: ProposalOrder | ProposalOrderName | None = None,
        view: ProposalView | ProposalViewName | None = None,
        timeout: float | None = None,
    ) -> ListProposalsResponse:
        """Lists proposals without their diffs, page by page: those of one user, or those of all
        users whom the caller may name.

        Args:
            user_id: The user, 1 to 256 bytes. Default: all users whom the caller may name. Over
                all users, each proposal is read as it is at that moment, so a page is not a
                snapshot.
            status: List only proposals of this status. Default PROPOSAL_STATUS_UNSPECIFIED: any
                status.
            limit: Maximum number of proposals on a page, 1 to 1,000. Default 10. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same other
                fields, except `limit` and `view`. Empty: start with the first proposal.
            agent_id: List only proposals that this agent made, 1 to 256 bytes. Unset: those of
                all agents. The call reads all proposals of the user, whatever agent and target the
                request names.
            block_label: The label of a block, 1 to 128 bytes.
            memory_id: The id of a memory, 1 to 128 bytes.
            order: The order of the proposals. Default PROPOSAL_ORDER_NEWEST_FIRST.
            view: How much of the texts to return. Default PROPOSAL_VIEW_BASIC: all of them.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListProposalsRequest,
            user_id=user_id,
            status=status,
            limit=limit,
            page_token=page_token,
            agent_id=agent_id,
            block_label=block_label,
            memory_id=memory_id,
            order=order,
            view=view,
        )
        return self._calls.unary("ProposalService.ListProposals", self._stub.ListProposals, message, timeout)

    def watch(
        self,
        *,
        heartbeat: Duration | DurationFields | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[WatchInboxResponse]:
        """Streams proposals as WatchProposals does, for all users whom the caller may name. Users
        who have moved to other servers are left out.

        Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
        RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchInbox are open on this
        server; on a server with tenants, 100 of the tenant.

        This client always sets a deadline, by default 30 seconds after the start of the call.
        For a longer watch, set a longer timeout, and watch again when the call ends.

        Args:
            heartbeat: As in WatchProposalsRequest. Unset: no heartbeats.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            WatchInboxRequest,
            heartbeat=heartbeat,
        )
        return self._calls.stream("ProposalService.WatchInbox", self._stub.WatchInbox, message, timeout)
