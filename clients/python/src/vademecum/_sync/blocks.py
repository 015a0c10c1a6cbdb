# Generated from the definitions by `npm run generate`. Do not edit.

from vademecum.v1.block_service_pb2 import DeleteBlockRequest, DeleteBlockResponse, GetBlockRequest, GetBlockResponse, ListBlockVersionsRequest, ListBlockVersionsResponse, ListBlocksRequest, ListBlocksResponse, PutBlockRequest, PutBlockResponse, RestoreBlockRequest, RestoreBlockResponse
from vademecum.v1.block_service_pb2_grpc import BlockServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key
from .._requests import new_request


class Blocks:
    """Keeps a user's blocks with all their versions. A block is a text of up to 256 KiB that is
    read whole, without a search. Agents can propose edits of blocks
    (MemoryProvider.ProposeEdit), and people approve them (ProposalService). A worked example:
    docs/guides/blocks.md.

    Blocks belong to a user, not to an agent. The error NOT_FOUND (BLOCK_NOT_FOUND) does not
    reveal whether another user has a block with the label.

    A write is atomic. When it is acknowledged, it is durable (synced to disk). Mutations take an
    `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a user, not to a
    namespace.
    """

    def __init__(self, calls: Calls, user_id: str) -> None:
        self._calls = calls
        self._stub = BlockServiceStub(calls.channel)
        self._user_id = user_id

    def list(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListBlocksResponse:
        """Lists a user's blocks in the order of their labels, page by page.

        Args:
            limit: Maximum number of blocks on a page, 1 to 1,000. Default 1,000. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same user.
                Empty: start with the first label.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            ListBlocksRequest,
            user_id=self._user_id,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("BlockService.ListBlocks", self._stub.ListBlocks, request, timeout)

    def get(
        self,
        label: str,
        *,
        timeout: float | None = None,
    ) -> GetBlockResponse:
        """Returns the current version of one block.

        Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            GetBlockRequest,
            user_id=self._user_id,
            label=label,
        )
        return self._calls.unary("BlockService.GetBlock", self._stub.GetBlock, request, timeout)

    def put(
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
        """Creates a block, or writes the next version of an existing one.

        Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
        block's version.

        Args:
            label: The block's label: any text. Required, 1 to 128 bytes.
            title: The display title, at most 256 bytes. Empty: the label in title case
                (Block.title). Unset: an existing block keeps its title, and a new block gets the
                label in title case.
            body: The new text, at most 256 KiB. Replaces the current body. May be empty.
            schema_ref: A reference to a description of the body's format, such as a URL, at
                most 256 bytes. The service stores the reference and does not interpret it. Empty:
                remove the current reference. Unset: keep the current reference.
            expected_version: The version that the caller expects the block to have now. 0: the
                block must not exist. If the block has another version, the call fails with ABORTED
                (VERSION_MISMATCH). Unset: any version.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            PutBlockRequest,
            user_id=self._user_id,
            label=label,
            title=title,
            body=body,
            schema_ref=schema_ref,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("BlockService.PutBlock", self._stub.PutBlock, request, timeout)

    def delete(
        self,
        label: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteBlockResponse:
        """Deletes a block and all its versions permanently. An unknown label is not an error:
        `deleted` is false.

        Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or
        PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the block
        lose their texts (Proposal.texts_removed).

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call, `deleted` included. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            DeleteBlockRequest,
            user_id=self._user_id,
            label=label,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("BlockService.DeleteBlock", self._stub.DeleteBlock, request, timeout)

    def list_versions(
        self,
        label: str,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListBlockVersionsResponse:
        """Lists the versions of a block, newest first, page by page.

        Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            limit: Maximum number of versions on a page, 1 to 1,000. Default 10. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same user and
                label. Empty: start with the newest version.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            ListBlockVersionsRequest,
            user_id=self._user_id,
            label=label,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("BlockService.ListBlockVersions", self._stub.ListBlockVersions, request, timeout)

    def restore(
        self,
        label: str,
        version: int,
        *,
        idempotency_key: str | None = None,
        expected_version: int | None = None,
        timeout: float | None = None,
    ) -> RestoreBlockResponse:
        """Writes the title, body and schema_ref of an earlier version as the next version. The call
        fails with these errors:

        - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
        - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
        - NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            version: The number of the version whose title, body and schema_ref to restore.
                Required, 1 or more.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            expected_version: The version that the caller expects the block to have now, 1 or
                more. If the block has another version, the call fails with ABORTED
                (VERSION_MISMATCH). Unset: any version.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        request = new_request(
            RestoreBlockRequest,
            user_id=self._user_id,
            label=label,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            expected_version=expected_version,
        )
        return self._calls.unary("BlockService.RestoreBlock", self._stub.RestoreBlock, request, timeout)
