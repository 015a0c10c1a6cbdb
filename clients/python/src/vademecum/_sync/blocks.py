# Generated from the definitions by `npm run generate`. Do not edit.
from collections.abc import Sequence

from vademecum.v1.block_service_pb2 import DeleteBlockRequest, DeleteBlockResponse, DeleteBlocksRequest, DeleteBlocksResponse, GetBlockRequest, GetBlockResponse, ListBlockVersionsRequest, ListBlockVersionsResponse, ListBlocksRequest, ListBlocksResponse, PutBlockRequest, PutBlockResponse, RenameBlockRequest, RenameBlockResponse, RenderBlocksRequest, RenderBlocksResponse, RestoreBlockRequest, RestoreBlockResponse
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
        label_prefix: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListBlocksResponse:
        """Lists a user's blocks in the order of their labels, page by page.

        Args:
            limit: Maximum number of blocks on a page, 1 to 1,000. Default 1,000. A page also
                ends before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same user and
                label_prefix. Empty: start with the first label.
            label_prefix: List only blocks whose labels begin with this text, at most 128 bytes.
                Default: all blocks.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListBlocksRequest,
            user_id=self._user_id,
            limit=limit,
            page_token=page_token,
            label_prefix=label_prefix,
        )
        return self._calls.unary("BlockService.ListBlocks", self._stub.ListBlocks, message, timeout)

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
        message = new_request(
            GetBlockRequest,
            user_id=self._user_id,
            label=label,
        )
        return self._calls.unary("BlockService.GetBlock", self._stub.GetBlock, message, timeout)

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
        message = new_request(
            PutBlockRequest,
            user_id=self._user_id,
            label=label,
            title=title,
            body=body,
            schema_ref=schema_ref,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("BlockService.PutBlock", self._stub.PutBlock, message, timeout)

    def delete(
        self,
        label: str,
        *,
        idempotency_key: str | None = None,
        expected_version: int | None = None,
        timeout: float | None = None,
    ) -> DeleteBlockResponse:
        """Deletes a block and all its versions permanently. An unknown label is not an error:
        `deleted` is false.

        Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or
        PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the block
        lose their texts (Proposal.texts_removed).

        Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
        block's version.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call, `deleted` included. Default: a new key.
            expected_version: The version that the caller expects the block to have now, 1 or
                more. If the block has another version or does not exist, the call fails with
                ABORTED (VERSION_MISMATCH). Unset: any version.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteBlockRequest,
            user_id=self._user_id,
            label=label,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            expected_version=expected_version,
        )
        return self._calls.unary("BlockService.DeleteBlock", self._stub.DeleteBlock, message, timeout)

    def delete_many(
        self,
        label_prefix: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteBlocksResponse:
        """Deletes all blocks whose labels begin with a prefix, in one atomic step, as DeleteBlock
        does for each. Deletes at most 1,000 blocks.

        Fails with FAILED_PRECONDITION (TOO_MANY_MATCHES) when more blocks have the prefix.
        Nothing is deleted then.

        Args:
            label_prefix: Delete the blocks whose labels begin with this text. Required, 1 to
                128 bytes.
            dry_run: If true, counts the blocks and deletes none. Default false.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteBlocksRequest,
            user_id=self._user_id,
            label_prefix=label_prefix,
            dry_run=dry_run,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("BlockService.DeleteBlocks", self._stub.DeleteBlocks, message, timeout)

    def rename(
        self,
        label: str,
        new_label: str,
        *,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RenameBlockResponse:
        """Gives a block another label. The block keeps its versions, its version number and its
        proposals, which can still be approved. A title that was made from the label changes with
        it. A retry of an earlier write under the old label finds the block.

        The call rewrites all versions and proposals of the block in one atomic step, so it costs
        as much as writing them anew.

        The call fails with these errors:

        - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
        - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
        - FAILED_PRECONDITION (BLOCK_EXISTS) when the user has a block with the new label.
        - FAILED_PRECONDITION (BLOCK_TOO_LARGE) when the versions and proposals of the block have
          more than 64 MiB together.

        Args:
            label: The block's label. Required, 1 to 128 bytes.
            new_label: The new label. Required, 1 to 128 bytes. Must differ from `label`.
            expected_version: The version that the caller expects the block to have now, 1 or
                more. If the block has another version, the call fails with ABORTED
                (VERSION_MISMATCH). Unset: any version.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RenameBlockRequest,
            user_id=self._user_id,
            label=label,
            new_label=new_label,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return self._calls.unary("BlockService.RenameBlock", self._stub.RenameBlock, message, timeout)

    def render(
        self,
        *,
        labels: Sequence[str] | None = None,
        budget_tokens: int | None = None,
        timeout: float | None = None,
    ) -> RenderBlocksResponse:
        """Returns blocks as one text for a prompt, with instructions for the agent: how to read a
        block that was cut, and how to propose edits. The same blocks give the same text.

        Each block has a heading with its title and label, and its text in a Markdown code block,
        whose fence is longer than any in the text. So no text can look like another block. A
        block that does not fit into the budget is cut at a line, and a sentence behind it says
        so.

        Args:
            labels: The labels of the blocks, in the order in which the text shall have them, at
                most 1,000, each 1 to 128 bytes. Duplicates are dropped. Default: all blocks in the
                order of their labels.
            budget_tokens: Maximum number of tokens of the text, 1 to 200,000. Default 200,000.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            RenderBlocksRequest,
            user_id=self._user_id,
            labels=labels,
            budget_tokens=budget_tokens,
        )
        return self._calls.unary("BlockService.RenderBlocks", self._stub.RenderBlocks, message, timeout)

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
        message = new_request(
            ListBlockVersionsRequest,
            user_id=self._user_id,
            label=label,
            limit=limit,
            page_token=page_token,
        )
        return self._calls.unary("BlockService.ListBlockVersions", self._stub.ListBlockVersions, message, timeout)

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
        message = new_request(
            RestoreBlockRequest,
            user_id=self._user_id,
            label=label,
            version=version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            expected_version=expected_version,
        )
        return self._calls.unary("BlockService.RestoreBlock", self._stub.RestoreBlock, message, timeout)
