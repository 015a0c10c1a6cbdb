# Generated from the definitions by `npm run generate`. Do not edit.
from functools import cached_property
from typing import TYPE_CHECKING

from google.protobuf.duration_pb2 import Duration
from vademecum.v1.proposal_pb2 import ProposalStatus
from vademecum.v1.proposal_service_pb2 import ApproveProposalRequest, ApproveProposalResponse, CountProposalsRequest, CountProposalsResponse, DeleteProposalRequest, DeleteProposalResponse, GetProposalRequest, GetProposalResponse, ListProposalsRequest, ListProposalsResponse, ProposalGrouping, ProposalOrder, ProposalView, RejectProposalRequest, RejectProposalResponse, WatchProposalsRequest, WatchProposalsResponse
from vademecum.v1.proposal_service_pb2_grpc import ProposalServiceStub

from .calls import Calls, ResponseStream
from .._idempotency_key import new_idempotency_key
from .._requests import new_request
from ..types import DurationFields, ProposalGroupingName, ProposalOrderName, ProposalStatusName, ProposalViewName

if TYPE_CHECKING:
    from vademecum.v1.proposal_service_pb2_grpc import ProposalServiceAsyncStub


class Proposals:
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

    def __init__(self, calls: Calls, user_id: str) -> None:
        self._calls = calls
        self._user_id = user_id

    @cached_property
    def _stub(self) -> "ProposalServiceAsyncStub":
        return ProposalServiceStub(self._calls.channel)

    async def list(
        self,
        *,
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
            user_id=self._user_id,
            status=status,
            limit=limit,
            page_token=page_token,
            agent_id=agent_id,
            block_label=block_label,
            memory_id=memory_id,
            order=order,
            view=view,
        )
        return await self._calls.unary("ProposalService.ListProposals", self._stub.ListProposals, message, timeout)

    async def count(
        self,
        *,
        group_by: ProposalGrouping | ProposalGroupingName | None = None,
        timeout: float | None = None,
    ) -> CountProposalsResponse:
        """Counts the pending proposals of one user, or of all users whom the caller may name. Reads
        each of them.

        Args:
            group_by: What to group the count by. Default: no groups.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            CountProposalsRequest,
            user_id=self._user_id,
            group_by=group_by,
        )
        return await self._calls.unary("ProposalService.CountProposals", self._stub.CountProposals, message, timeout)

    async def get(
        self,
        id: str,
        *,
        view: ProposalView | ProposalViewName | None = None,
        timeout: float | None = None,
    ) -> GetProposalResponse:
        """Returns one proposal with its diff. If the proposal is pending, also returns what an
        approval would do now. If the proposal is conflicted, also returns the texts in conflict.
        If the target was deleted, returns no texts (Proposal.texts_removed).

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            view: Which texts of a preview to return. Default PROPOSAL_VIEW_BASIC.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetProposalRequest,
            user_id=self._user_id,
            id=id,
            view=view,
        )
        return await self._calls.unary("ProposalService.GetProposal", self._stub.GetProposal, message, timeout)

    async def approve(
        self,
        id: str,
        note: str = "",
        *,
        edited_new_string: str | None = None,
        idempotency_key: str | None = None,
        expected_version: int | None = None,
        timeout: float | None = None,
    ) -> ApproveProposalResponse:
        """Applies an edit to the current text of its target.

        If an earlier call has approved the proposal, this call changes nothing and ignores
        edited_new_string. It returns the outcome of the first approval, with `already_decided`
        set.

        The call fails with FAILED_PRECONDITION (PROPOSAL_CONFLICTED) when the edit no longer
        applies to its target. The proposal is conflicted from then on. An edit no longer applies
        in these cases:

        - The target was deleted, even if a new block has its label.
        - The target is a memory that has expired.
        - The target no longer contains old_string.
        - The target contains old_string several times, and replace_all is false.
        - The edit has new_body, and the text of the target has changed since the proposal.
        - The edit creates a block, and the user has a block with the label by now.

        The call also fails with these errors:

        - PERMISSION_DENIED (SELF_APPROVAL) when the caller is the principal that proposed the edit
          (Proposal.proposed_by). Only `anonymous` may approve its own edits.
        - FAILED_PRECONDITION (PROPOSAL_EXPIRED) when the proposal has expired.
        - FAILED_PRECONDITION (PROPOSAL_REJECTED) when the proposal was rejected.
        - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the target's version.
          The proposal stays pending.
        - INVALID_ARGUMENT when edited_new_string equals old_string, or is empty although the edit
          appends it.
        - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit would make the target too large,
          or would leave a memory empty or blank (only white space). The proposal stays pending.
        - FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the edit no longer applies, but
          ProposalConflict.proposed_text would be too large to store. The proposal stays pending.

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            edited_new_string: A replacement for the proposal's new_string, new_body or
                `append`, at most 256 KiB. May be empty, unless it is appended; must differ from
                old_string. Unset: the proposal's own text.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Approving twice is safe even without a key. Default: a new key.
            expected_version: The version that the caller expects the target to have now, as in
                ProposalPreview. 0: the block must not exist. If the target has another version, the
                call fails with ABORTED (VERSION_MISMATCH). Unset: any version. Ignored if the
                proposal was decided before.
            note: A note for the agent, at most 4 KiB. It becomes Proposal.decision_reason.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ApproveProposalRequest,
            user_id=self._user_id,
            id=id,
            edited_new_string=edited_new_string,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            expected_version=expected_version,
            note=note,
        )
        return await self._calls.unary("ProposalService.ApproveProposal", self._stub.ApproveProposal, message, timeout)

    async def reject(
        self,
        id: str,
        reason: str = "",
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RejectProposalResponse:
        """Rejects an edit. If an earlier call has rejected the proposal, this call changes nothing.
        It returns the proposal with the first reason, and with `already_decided` set.

        Fails with FAILED_PRECONDITION when the proposal has another outcome: it was approved
        (PROPOSAL_APPROVED), is conflicted (PROPOSAL_CONFLICTED) or has expired
        (PROPOSAL_EXPIRED).

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            reason: The reason for the rejection, written for the agent, at most 4 KiB. Default:
                no reason.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Rejecting twice is safe even without a key. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RejectProposalRequest,
            user_id=self._user_id,
            id=id,
            reason=reason,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ProposalService.RejectProposal", self._stub.RejectProposal, message, timeout)

    async def delete(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteProposalResponse:
        """Deletes a proposal that is not pending: the agent no longer learns of the decision, and
        the same edit proposed again is not marked as a repetition. The target keeps its text,
        and its versions keep the id of the proposal. An unknown id is not an error: `deleted` is
        false.

        Fails with FAILED_PRECONDITION (PROPOSAL_PENDING) when nobody has decided on the
        proposal. Reject it first, so that the agent and all watchers learn of it.

        Args:
            id: The proposal's id. Required, 1 to 128 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call, `deleted` included. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteProposalRequest,
            user_id=self._user_id,
            id=id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ProposalService.DeleteProposal", self._stub.DeleteProposal, message, timeout)

    def watch(
        self,
        *,
        heartbeat: Duration | DurationFields | None = None,
        timeout: float | None = None,
    ) -> ResponseStream[WatchProposalsResponse]:
        """Streams the pending proposals without their diffs, oldest first, then each new proposal
        when it is made. The stream sends a proposal once more when somebody decides on it. It
        also sends a proposal once more after it has expired, at the latest when the server next
        prunes. By default, the server prunes once a day.

        Without a client deadline, the call has no time limit. A slow client can miss proposals:
        if somebody decides on a new proposal before the client reads it, the stream leaves this
        proposal out.

        Fails with UNAVAILABLE (SERVER_STOPPING) when the server stops. Fails with
        RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 calls of WatchProposals for the user are
        open on this server.

        This client always sets a deadline, by default 30 seconds after the start of the call.
        For a longer watch, set a longer timeout, and watch again when the call ends.

        Args:
            heartbeat: Send an empty message when nothing has changed for this time, 5 to 60
                seconds, and a message when all that waited was sent (waiting_sent). A client then
                knows an idle stream from a broken one. Unset: no such messages.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            WatchProposalsRequest,
            user_id=self._user_id,
            heartbeat=heartbeat,
        )
        return self._calls.stream("ProposalService.WatchProposals", self._stub.WatchProposals, message, timeout)
