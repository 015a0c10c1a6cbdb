# Generated from the definitions by `npm run generate`. Do not edit.
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.memory_pb2 import Namespace
from vademecum.v1.thread_service_pb2 import AppendTurnsRequest, AppendTurnsResponse, ClearThreadRequest, ClearThreadResponse, ForkThreadRequest, ForkThreadResponse, GetTurnsRequest, GetTurnsResponse, ListThreadsRequest, ListThreadsResponse, NewTurn, PopTurnRequest, PopTurnResponse, ReplaceThreadRequest, ReplaceThreadResponse
from vademecum.v1.thread_service_pb2_grpc import ThreadServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key
from .._requests import new_request
from ..types import NewTurnFields

if TYPE_CHECKING:
    from vademecum.v1.thread_service_pb2_grpc import ThreadServiceAsyncStub


class Threads:
    """Keeps the turns of conversations in order. A turn is a memory of type
    MEMORY_TYPE_CONVERSATION with a thread_id, however it was stored. A thread is all turns of a
    namespace with the same thread_id. It exists while it has a turn. A worked example:
    docs/guides/threads.md.

    The turns of a thread are ordered by their time (event_time, or create_time without one),
    then by id. Turns of one AppendTurns without event_time are in the order of the request.
    Searches find turns as they find other memories.

    Each call that writes is one atomic step, for readers too: no call sees a part of its turns.
    When it is acknowledged, it is durable (synced to disk) and searchable. Mutations take an
    `idempotency_key`, as in MemoryProvider.
    """

    def __init__(self, calls: Calls, user_id: str, agent_id: str) -> None:
        self._calls = calls
        self._namespace = Namespace(user_id=user_id, agent_id=agent_id)
        self._user_id = user_id
        self._agent_id = agent_id

    @cached_property
    def _stub(self) -> "ThreadServiceAsyncStub":
        return ThreadServiceStub(self._calls.channel)

    async def append_turns(
        self,
        thread_id: str,
        turns: Sequence[NewTurn | NewTurnFields],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AppendTurnsResponse:
        """Stores turns at the end of a thread. Creates the thread if it does not exist. A turn with
        an `external_id` that the thread has already is the same turn, and is not stored again.

        Fails with RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.

        Args:
            thread_id: The thread. Required, 1 to 256 bytes.
            turns: The turns, oldest first: 1 to 500, and at most 1 MiB together, which is the
                limit of a request.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry stores those turns again that were deleted or have expired since. Default: a
                new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            AppendTurnsRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            turns=turns,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ThreadService.AppendTurns", self._stub.AppendTurns, message, timeout)

    async def get_turns(
        self,
        thread_id: str,
        *,
        limit: int | None = None,
        before_id: str | None = None,
        timeout: float | None = None,
    ) -> GetTurnsResponse:
        """Returns the last turns of a thread, or the last turns before one of its turns. A thread
        without turns is not an error. Leaves out turns that have expired or are superseded.

        Fails with NOT_FOUND (MEMORY_NOT_FOUND) when before_id is given and is not a turn of the
        thread.

        Args:
            thread_id: The thread. Required, 1 to 256 bytes.
            limit: Maximum number of turns, 1 to 1,000. Default 20. A reply also ends before it
                exceeds 3 MiB.
            before_id: The id of a turn: return the last turns before it. To go back in a
                thread, pass the id of the first turn of the previous reply. 1 to 128 bytes. Unset:
                the last turns of the thread.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            GetTurnsRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            limit=limit,
            before_id=before_id,
        )
        return await self._calls.unary("ThreadService.GetTurns", self._stub.GetTurns, message, timeout)

    async def pop_turn(
        self,
        thread_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PopTurnResponse:
        """Deletes the last turn of a thread and returns it. Passes over turns that have expired or
        are superseded. An empty thread is not an error: the reply has no id.

        Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and
        the caller does not have the role `curator`.

        Args:
            thread_id: The thread. Required, 1 to 256 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the id of the first reply, without the turn, whose text is deleted.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            PopTurnRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ThreadService.PopTurn", self._stub.PopTurn, message, timeout)

    async def replace(
        self,
        thread_id: str,
        turns: Sequence[NewTurn | NewTurnFields],
        *,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ReplaceThreadResponse:
        """Deletes all turns of a thread and stores other turns in their place. Creates the thread
        if it does not exist. For more turns than fit into one request, call ClearThread and then
        AppendTurns several times, which is not one atomic step.

        Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
        thread's version. Fails with FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has
        more than 10,000 turns.

        Args:
            thread_id: The thread. Required, 1 to 256 bytes.
            turns: The new turns, oldest first: 1 to 500, and at most 1 MiB together, which is
                the limit of a request. A new turn may have the external_id of a deleted one.
            expected_version: The version that the caller expects the thread to have now. 0: the
                thread must have no turns. If the thread has another version, the call fails with
                ABORTED (VERSION_MISMATCH). Unset: any version.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours.
                Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ReplaceThreadRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            turns=turns,
            expected_version=expected_version,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ThreadService.ReplaceThread", self._stub.ReplaceThread, message, timeout)

    async def clear(
        self,
        thread_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ClearThreadResponse:
        """Deletes all turns of a thread, and the texts of all proposals about them, as Delete does.

        Fails with PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the
        turns, and the caller does not have the role `curator`. Fails with FAILED_PRECONDITION
        (THREAD_TOO_LONG) when the thread has more than 10,000 turns.

        Args:
            thread_id: The thread. Required, 1 to 256 bytes.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. A
                retry returns the reply of the first call. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ClearThreadRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ThreadService.ClearThread", self._stub.ClearThread, message, timeout)

    async def fork(
        self,
        thread_id: str,
        new_thread_id: str,
        *,
        last_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ForkThreadResponse:
        """Copies the turns of a thread, or its first turns, into a new thread. The copies are
        memories of their own, which searches find too. Leaves out turns that have expired or are
        superseded. A copy has the event_time of its turn, or the create_time if the turn has no
        event_time. No vector is computed again. The call fails with these errors:

        - NOT_FOUND (THREAD_NOT_FOUND) when the thread has no turn to copy.
        - NOT_FOUND (MEMORY_NOT_FOUND) when last_id is given and is not a turn of the thread.
        - FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
        - FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be more than 10,000 turns, or
          more than 16 MiB of content.
        - RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) as Add does.

        Args:
            thread_id: The thread to copy. Required, 1 to 256 bytes.
            new_thread_id: The new thread, which must have no turns. Required, 1 to 256 bytes.
            last_id: The id of the last turn to copy, 1 to 128 bytes. Unset: copy all turns.
            idempotency_key: A key of 1 to 128 bytes that makes a retry safe for 24 hours. If
                the new thread was cleared since, the retry is a new call. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ForkThreadRequest,
            namespace=self._namespace,
            thread_id=thread_id,
            new_thread_id=new_thread_id,
            last_id=last_id,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("ThreadService.ForkThread", self._stub.ForkThread, message, timeout)

    async def list(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListThreadsResponse:
        """Lists the threads of a namespace in the order of the UTF-8 bytes of their ids, page by
        page.

        Args:
            limit: Maximum number of threads on a page, 1 to 1,000. Default 100.
            page_token: The next_page_token of the previous page, sent with the same namespace.
                Empty: start with the first thread.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListThreadsRequest,
            namespace=self._namespace,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary("ThreadService.ListThreads", self._stub.ListThreads, message, timeout)
