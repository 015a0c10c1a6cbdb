# Made from the definitions by `npm run generate`: do not edit.
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.proposal_pb2 import ProposalStatus
from vademecum.v1.proposal_service_pb2 import ApproveProposalRequest, ApproveProposalResponse, GetProposalRequest, GetProposalResponse, ListProposalsRequest, ListProposalsResponse, RejectProposalRequest, RejectProposalResponse, WatchProposalsRequest, WatchProposalsResponse
from vademecum.v1.proposal_service_pb2_grpc import ProposalServiceStub

from .calls import Calls, ResponseStream
from .._idempotency_key import new_idempotency_key

if TYPE_CHECKING:
    from vademecum.v1.proposal_service_pb2_grpc import ProposalServiceAsyncStub


class Proposals:
    """Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.

    Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND). A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
    """

    def __init__(self, calls: Calls, user_id: str) -> None:
        self._calls = calls
        self._user_id = user_id

    @cached_property
    def _stub(self) -> "ProposalServiceAsyncStub":
        return ProposalServiceStub(self._calls.channel)

    async def list_proposals(
        self,
        *,
        status: ProposalStatus | str | None = None,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListProposalsResponse:
        """Lists a user's proposals, newest first, page by page. Without their diffs.

        Args:
            status: Only proposals of this status. Default PROPOSAL_STATUS_UNSPECIFIED: all.
            limit: Most proposals a page, 1 to 1,000. Default 10. A page ends earlier before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same user and status. Empty: from the newest.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListProposalsRequest(
            user_id=self._user_id,
            status=status,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.ListProposals, request, timeout)

    async def get_proposal(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> GetProposalResponse:
        """Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = GetProposalRequest(
            user_id=self._user_id,
            id=id,
        )
        return await self._calls.unary(self._stub.GetProposal, request, timeout)

    async def approve_proposal(
        self,
        id: str,
        *,
        edited_new_string: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ApproveProposalResponse:
        """Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.

        FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).

        Args:
            id: Its id. Required, 1 to 128 bytes.
            edited_new_string: What to put in place of old_string instead of the proposal's new_string, at most 256 KiB; may be empty, and must differ from old_string. Unset: the proposal's new_string.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Approving twice is safe without it; with it, another body under the same key is refused. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ApproveProposalRequest(
            user_id=self._user_id,
            id=id,
            edited_new_string=edited_new_string,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.ApproveProposal, request, timeout)

    async def reject_proposal(
        self,
        id: str,
        reason: str = "",
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RejectProposalResponse:
        """Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.

        FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.

        Args:
            id: Its id. Required, 1 to 128 bytes.
            reason: Why, in words for the agent, at most 4 KiB. Default: no reason is kept.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Rejecting twice is safe without it; with it, another body under the same key is refused. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = RejectProposalRequest(
            user_id=self._user_id,
            id=id,
            reason=reason,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.RejectProposal, request, timeout)

    def watch_proposals(
        self,
        *,
        timeout: float | None = None,
    ) -> ResponseStream[WatchProposalsResponse]:
        """Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.

        Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
        """
        request = WatchProposalsRequest(
            user_id=self._user_id,
        )
        return self._calls.stream(self._stub.WatchProposals, request, timeout)
