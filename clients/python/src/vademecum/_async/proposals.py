# Generated from the definitions by `npm run generate`. Do not edit.
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
    """Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes
    until somebody approves. An approval changes the target and the proposal in one atomic step.
    A worked example: docs/blocks.md.

    Proposals belong to a user. The id of another user's proposal and an unknown id give the same
    answer: NOT_FOUND (PROPOSAL_NOT_FOUND).

    A pending proposal expires after its lifetime: 30 days, or the server's --proposal-lifetime.
    From that instant on it is PROPOSAL_STATUS_EXPIRED. Decided and expired proposals are kept.
    They lose their texts when their target is deleted.
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
        """Lists a user's proposals without their diffs, newest first, page by page.

        Args:
            status: List only proposals of this status. Default PROPOSAL_STATUS_UNSPECIFIED: all
                proposals.
            limit: Maximum number of proposals on a page, 1 to 1,000. Default 10. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same user and
                status. Empty: start with the newest proposal.
            timeout: Timeout of the call in seconds. Default: the client's.
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
        """Returns one proposal with its diff. For a PROPOSAL_STATUS_CONFLICTED proposal, also
        returns the conflicting texts. Returns no texts if the target was deleted
        (`texts_removed`).

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            timeout: Timeout of the call in seconds. Default: the client's.
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
        """Applies an edit to the current text of its target. Approving an approved proposal changes
        nothing. It returns the reply of the first approval, with `already_decided` set. An
        edited_new_string of the later call is ignored; the reply says which text was applied.

        Fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the target was deleted, no
        longer contains old_string, or contains it several times without replace_all. The
        proposal is PROPOSAL_STATUS_CONFLICTED from then on. A proposal never applies to a new
        block with the label of a deleted one.

        Fails with FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired. Fails
        with FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.

        Fails with FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target
        too large, or would leave a memory empty or blank (only white space). The edit is applied
        to two texts: the current one, and the one that the target had when the edit was
        proposed. Both results must keep the size limit. The proposal stays pending.

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            edited_new_string: Replaces old_string with this text instead of the proposal's
                new_string. At most 256 KiB. May be empty; must differ from old_string. Unset: the
                proposal's new_string.
            idempotency_key: A retry with this key gets the reply of the first call; another
                body with it is refused. 1 to 128 bytes; kept for 24 hours. Approving twice is safe
                even without a key. Default: a new one.
            timeout: Timeout of the call in seconds. Default: the client's.
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
        """Rejects an edit. Rejecting again changes nothing: it returns the first reply with
        `already_decided` set. The first reason stays.

        Fails with FAILED_PRECONDITION (PROPOSAL_APPROVED, PROPOSAL_CONFLICTED or
        PROPOSAL_EXPIRED) when the proposal has that status.

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            reason: The reason, written for the agent, at most 4 KiB. Default: no reason is
                kept.
            idempotency_key: A retry with this key gets the reply of the first call; another
                body with it is refused. 1 to 128 bytes; kept for 24 hours. Rejecting twice is safe
                even without a key. Default: a new one.
            timeout: Timeout of the call in seconds. Default: the client's.
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
        """Streams the pending proposals, oldest first, then each new proposal when it is made. A
        proposal that was sent as pending is sent once more when it is decided or expires.
        Proposals come without their diffs.

        The only deadline is the client's. Fails with UNAVAILABLE (SERVER_STOPPING) when the
        server stops, and with RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user
        are open. A slow client can miss proposals: a proposal that is made and decided between
        two reads is not sent.
        """
        request = WatchProposalsRequest(
            user_id=self._user_id,
        )
        return self._calls.stream(self._stub.WatchProposals, request, timeout)
