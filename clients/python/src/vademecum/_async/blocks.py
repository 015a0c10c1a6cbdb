# Made from the definitions by `npm run generate`: do not edit.
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.block_service_pb2 import DeleteBlockRequest, DeleteBlockResponse, GetBlockRequest, GetBlockResponse, ListBlockVersionsRequest, ListBlockVersionsResponse, ListBlocksRequest, ListBlocksResponse, PutBlockRequest, PutBlockResponse, RestoreBlockRequest, RestoreBlockResponse
from vademecum.v1.block_service_pb2_grpc import BlockServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key

if TYPE_CHECKING:
    from vademecum.v1.block_service_pb2_grpc import BlockServiceAsyncStub


class Blocks:
    """Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.

    Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND). A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
    """

    def __init__(self, calls: Calls, user_id: str) -> None:
        self._calls = calls
        self._user_id = user_id

    @cached_property
    def _stub(self) -> "BlockServiceAsyncStub":
        return BlockServiceStub(self._calls.channel)

    async def list_blocks(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListBlocksResponse:
        """Lists a user's blocks, by label, page by page.

        Args:
            limit: Most blocks a page, 1 to 1,000. Default 1,000. A page ends earlier before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same user. Empty: from the first label.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListBlocksRequest(
            user_id=self._user_id,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.ListBlocks, request, timeout)

    async def get_block(
        self,
        label: str,
        *,
        timeout: float | None = None,
    ) -> GetBlockResponse:
        """Returns one block as it is now. NOT_FOUND if there is none.

        Args:
            label: Its label. Required, 1 to 128 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = GetBlockRequest(
            user_id=self._user_id,
            label=label,
        )
        return await self._calls.unary(self._stub.GetBlock, request, timeout)

    async def put_block(
        self,
        label: str,
        body: str = "",
        *,
        title: str | None = None,
        schema_ref: str | None = None,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PutBlockResponse:
        """Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.

        Args:
            label: Its label: any text. Required, 1 to 128 bytes.
            title: What to call it, at most 256 bytes. Empty: the label in title case. Unset: as it is, for a new block the label in title case.
            body: The text, at most 256 KiB. Takes the place of what is there; may be empty.
            schema_ref: Where the shape of the body is described, at most 256 bytes; the service only keeps it. Empty: none. Unset: as it is.
            expected_version: Write only if this is still the block's version; 0: only if there is no such block. Else ABORTED. Unset: write whatever there is.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = PutBlockRequest(
            user_id=self._user_id,
            label=label,
            title=title,
            body=body,
            schema_ref=schema_ref,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.PutBlock, request, timeout)

    async def delete_block(
        self,
        label: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteBlockResponse:
        """Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.

        Args:
            label: Its label. Required, 1 to 128 bytes.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. A replay answers as the first call did, so `deleted` stays true. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteBlockRequest(
            user_id=self._user_id,
            label=label,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.DeleteBlock, request, timeout)

    async def list_block_versions(
        self,
        label: str,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListBlockVersionsResponse:
        """Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            limit: Most versions a page, 1 to 1,000. Default 10. A page ends earlier before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same user and label. Empty: from the newest.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListBlockVersionsRequest(
            user_id=self._user_id,
            label=label,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.ListBlockVersions, request, timeout)

    async def restore_block(
        self,
        label: str,
        *,
        version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RestoreBlockResponse:
        """Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            version: The version whose title, body and schema_ref the next version takes over. Required, 1 or more.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = RestoreBlockRequest(
            user_id=self._user_id,
            label=label,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.RestoreBlock, request, timeout)
