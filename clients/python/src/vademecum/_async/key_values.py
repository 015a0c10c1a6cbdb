# Generated from the definitions by `npm run generate`. Do not edit.
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.key_value_service_pb2 import DeleteKeyRequest, DeleteKeyResponse, ListKeysRequest, ListKeysResponse, ListRunsRequest, ListRunsResponse, ReadKeyRequest, ReadKeyResponse, ReadKeysRequest, ReadKeysResponse, SearchKeysRequest, SearchKeysResponse, WriteKeyRequest, WriteKeyResponse
from vademecum.v1.key_value_service_pb2_grpc import KeyValueServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key
from .._requests import new_request

if TYPE_CHECKING:
    from vademecum.v1.key_value_service_pb2_grpc import KeyValueServiceAsyncStub


class KeyValues:
    """Keeps notes as values under keys, for an agent that works in cycles: the agent writes a note
    in one cycle and reads it in the next. Keys belong to a run, such as one task of an agent.
    Examples: docs/guides/notes.md.

    The caller chooses the id of a run. A run needs no setup: the first WriteKey with its id
    creates it. A call never returns keys of another run. On a server without credentials, any
    caller that knows a run's id may use the run. Keys and values may be any Unicode text. Keys
    are compared byte for byte: `Plan`, `plan` and `plan/` are three keys. There is no search by
    meaning, and keys do not expire.

    A write is durable (synced to disk) when it is acknowledged. Mutations take an
    `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a run, not to a
    namespace. Without a client deadline, a call ends after 30 seconds.
    """

    def __init__(self, calls: Calls, run_id: str) -> None:
        self._calls = calls
        self._run_id = run_id

    @cached_property
    def _stub(self) -> "KeyValueServiceAsyncStub":
        return KeyValueServiceStub(self._calls.channel)

    async def list_runs(
        self,
        prefix: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListRunsResponse:
        """Lists the runs that have keys and that the caller may name, ordered by the bytes of their
        ids in UTF-8, page by page. A page costs what is on it, however many runs there are.

        Args:
            prefix: List only runs whose ids begin with this text, at most 256 bytes. Default:
                all runs.
            limit: Maximum number of runs on a page, 1 to 1,000. Default 100. A page also ends
                before it exceeds 3 MiB.
            page_token: The next_page_token of the previous page, sent with the same other
                fields. Empty: start with the first one.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListRunsRequest,
            prefix=prefix,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary("KeyValueService.ListRuns", self._stub.ListRuns, message, timeout)

    async def write(
        self,
        key: str,
        value: str = "",
        *,
        idempotency_key: str | None = None,
        expected_version: int | None = None,
        timeout: float | None = None,
    ) -> WriteKeyResponse:
        """Stores a value under a key. If the key has a value, the new value replaces it.

        Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the
        version of the key.

        Args:
            key: The key. Required, 1 to 512 bytes.
            value: The value, at most 64 KiB of UTF-8. May be empty.
            idempotency_key: An idempotency key of 1 to 128 bytes. It makes a retry safe for 24
                hours. Default: a new key.
            expected_version: The version that the caller expects the key to have now; 0: the
                key must be new. If the key has another version, the call fails with ABORTED
                (VERSION_MISMATCH), and nothing is written. Unset: any version.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            WriteKeyRequest,
            run_id=self._run_id,
            key=key,
            value=value,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
            expected_version=expected_version,
        )
        return await self._calls.unary("KeyValueService.WriteKey", self._stub.WriteKey, message, timeout)

    async def read(
        self,
        key: str,
        *,
        timeout: float | None = None,
    ) -> ReadKeyResponse:
        """Returns the value of a key. An unknown key is not an error: `found` is false.

        Args:
            key: The key. Required, 1 to 512 bytes.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ReadKeyRequest,
            run_id=self._run_id,
            key=key,
        )
        return await self._calls.unary("KeyValueService.ReadKey", self._stub.ReadKey, message, timeout)

    async def read_many(
        self,
        keys: Sequence[str],
        *,
        timeout: float | None = None,
    ) -> ReadKeysResponse:
        """Returns the values of up to 1,000 keys, all from one state of the run. An unknown key is
        not an error: the reply leaves it out.

        Args:
            keys: The keys, 1 to 1,000, each 1 to 512 bytes.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ReadKeysRequest,
            run_id=self._run_id,
            keys=keys,
        )
        return await self._calls.unary("KeyValueService.ReadKeys", self._stub.ReadKeys, message, timeout)

    async def list(
        self,
        prefix: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        include_values: bool = False,
        timeout: float | None = None,
    ) -> ListKeysResponse:
        """Lists the keys of a run in the order of their first writes, page by page. A key that was
        deleted and written again comes last.

        Args:
            limit: Maximum number of keys on a page, 1 to 1,000. A page also ends before it
                exceeds 3 MiB. Unset: only the limit of 3 MiB applies. Such a page has about 6,000
                keys if each key has 512 bytes, and more if the keys are shorter.
            page_token: The next_page_token of the previous page, sent with the same run and
                prefix. Empty: start with the first key.
            prefix: List only keys that begin with this text, at most 512 bytes, compared byte
                for byte. Empty: all keys. The call reads the run's keys one after the other,
                including those with another beginning.
            include_values: If true, the reply has the values too (ListKeysResponse.entries).
                Default false.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            ListKeysRequest,
            run_id=self._run_id,
            limit=limit,
            page_token=page_token,
            prefix=prefix,
            include_values=include_values,
        )
        return await self._calls.unary("KeyValueService.ListKeys", self._stub.ListKeys, message, timeout)

    async def delete(
        self,
        key: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteKeyResponse:
        """Deletes a key and its value. An unknown key is not an error: `deleted` is false.

        Args:
            key: The key. Required, 1 to 512 bytes.
            idempotency_key: An idempotency key of 1 to 128 bytes. It makes a retry safe for 24
                hours. Default: a new key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            DeleteKeyRequest,
            run_id=self._run_id,
            key=key,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary("KeyValueService.DeleteKey", self._stub.DeleteKey, message, timeout)

    async def search(
        self,
        pattern: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> SearchKeysResponse:
        """Lists the keys that contain a text, in the order of ListKeys, page by page.

        To fill a page, the call reads the run's keys one after the other, including those that
        do not match. So a search for a rare text takes longer in a run with more keys.

        Args:
            pattern: The text that a key must contain, at most 512 bytes. The text is taken
                literally: there are no wildcards, and case matters. Empty: every key matches.
            limit: Maximum number of keys on a page, 1 to 1,000. A page also ends before it
                exceeds 3 MiB. Unset: only the limit of 3 MiB applies.
            page_token: The next_page_token of the previous page, sent with the same run and
                pattern. Empty: start with the first key.
            timeout: Timeout of the call in seconds. Default: the timeout of the client.
        """
        message = new_request(
            SearchKeysRequest,
            run_id=self._run_id,
            pattern=pattern,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary("KeyValueService.SearchKeys", self._stub.SearchKeys, message, timeout)
