# Made from the definitions by `npm run generate`: do not edit.
from functools import cached_property
from typing import TYPE_CHECKING

from vademecum.v1.key_value_service_pb2 import DeleteKeyRequest, DeleteKeyResponse, ListKeysRequest, ListKeysResponse, ReadKeyRequest, ReadKeyResponse, SearchKeysRequest, SearchKeysResponse, WriteKeyRequest, WriteKeyResponse
from vademecum.v1.key_value_service_pb2_grpc import KeyValueServiceStub

from .calls import Calls
from .._idempotency_key import new_idempotency_key

if TYPE_CHECKING:
    from vademecum.v1.key_value_service_pb2_grpc import KeyValueServiceAsyncStub


class KeyValues:
    """Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.

    A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.

    A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
    """

    def __init__(self, calls: Calls, run_id: str) -> None:
        self._calls = calls
        self._run_id = run_id

    @cached_property
    def _stub(self) -> "KeyValueServiceAsyncStub":
        return KeyValueServiceStub(self._calls.channel)

    async def write_key(
        self,
        key: str,
        value: str = "",
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WriteKeyResponse:
        """Stores a value under a key, in the place of the one that is there.

        Args:
            key: The key. Required, 1 to 512 bytes.
            value: The value, at most 64 KiB of UTF-8. Empty is a value too.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = WriteKeyRequest(
            run_id=self._run_id,
            key=key,
            value=value,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.WriteKey, request, timeout)

    async def read_key(
        self,
        key: str,
        *,
        timeout: float | None = None,
    ) -> ReadKeyResponse:
        """Returns the value of a key. A key that is not there is no error: `found` is false.

        Args:
            key: The key. Required, 1 to 512 bytes.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ReadKeyRequest(
            run_id=self._run_id,
            key=key,
        )
        return await self._calls.unary(self._stub.ReadKey, request, timeout)

    async def list_keys(
        self,
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> ListKeysResponse:
        """Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.

        Args:
            limit: Most keys a page, 1 to 1,000. Unset: as many as fit. A page ends before it grows beyond 3 MiB: that takes 6,000 of the longest keys.
            page_token: Where to go on: next_page_token of the page before, with the same run. Empty: from the first key.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = ListKeysRequest(
            run_id=self._run_id,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.ListKeys, request, timeout)

    async def delete_key(
        self,
        key: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DeleteKeyResponse:
        """Deletes a key and its value. A key that is not there is no error: `deleted` is false.

        Args:
            key: The key. Required, 1 to 512 bytes.
            idempotency_key: Makes a retry safe, 1 to 128 bytes; kept for 24 hours. Default: a new one.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = DeleteKeyRequest(
            run_id=self._run_id,
            key=key,
            idempotency_key=new_idempotency_key() if idempotency_key is None else idempotency_key,
        )
        return await self._calls.unary(self._stub.DeleteKey, request, timeout)

    async def search_keys(
        self,
        pattern: str = "",
        *,
        limit: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> SearchKeysResponse:
        """Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.

        Args:
            pattern: The text that the keys contain, at most 512 bytes. Taken literally and as it is written: no wildcards, upper and lower case differ. Empty: every key contains it.
            limit: Most keys a page, 1 to 1,000. Unset: as many as fit. A page ends before it grows beyond 3 MiB.
            page_token: Where to go on: next_page_token of the page before, with the same run and pattern. Empty: from the first key.
            timeout: Seconds until the call is given up. Default: the client's.
        """
        request = SearchKeysRequest(
            run_id=self._run_id,
            pattern=pattern,
            limit=limit,
            page_token=page_token,
        )
        return await self._calls.unary(self._stub.SearchKeys, request, timeout)
