from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count

import pytest
from grpc import StatusCode
from vademecum import VademecumError

from .setting import Setting

_UNICODE_TEXTS = [
    "Zürich, naïve, ﬁ",
    "👩‍👩‍👧‍👦 👋🏽 🌰",
    "日本語のテキスト，中文文本",
    "שלום مرحبا",
    "e\u0301 is not \u00e9",
    "quotes \" and \\ and \n lines \t and </tags>",
]
# More chunks than any reply of a write has.
_CHUNKS_MAX = 30


class Subject(ABC):
    """What an adapter stores for one user, as texts."""

    @abstractmethod
    async def write(self, text: str) -> None:
        """Stores a text through the adapter."""

    @abstractmethod
    async def read(self) -> Sequence[str]:
        """Returns all texts of the user, oldest first if the adapter keeps an order."""

    async def remove(self, text: str) -> None:
        """Deletes a text through the adapter. Leave it out if the framework deletes nothing."""
        pytest.skip("the framework deletes nothing")

    async def read_some(self, limit: int) -> Sequence[str]:
        """Returns at most `limit` texts. Leave it out if the framework has no such limit."""
        pytest.skip("the framework has no limit")


_users = count(1)


class Contract(ABC):
    """The promises of every adapter. A test file subclasses it as `TestContract`.

    The fixture `setting` is in `vademecum_contract.fixtures`.
    """

    is_ordered = True
    """Whether the adapter keeps texts in order."""

    roles: Sequence[str] = ("writer",)
    """The roles that the adapter needs on a server with credentials. The cases run with a key that has
    them, in the variable `VADEMECUM_API_KEY`.
    """

    repeats_failed_writes = False
    """Whether a write that has failed with a broken connection may be repeated, as a write with a key
    of the caller's own. Otherwise, such a write must succeed.
    """

    @abstractmethod
    def open(self, address: str, user_id: str) -> AbstractAsyncContextManager[Subject]:
        """Connects to a server and opens the adapter for a user.

        With an empty user_id, this or the first write must fail.
        """

    def test_a_user_sees_no_text_of_another_user(self, setting: Setting) -> None:
        async def case(ada: Subject) -> None:
            async with self._opened(setting) as bea:
                await ada.write("Ada keeps a secret.")
                assert list(await bea.read()) == []
                await bea.write("Bea keeps another one.")
                assert list(await ada.read()) == ["Ada keeps a secret."]
                assert list(await bea.read()) == ["Bea keeps another one."]

        self._run(setting, case)

    def test_texts_are_read_as_they_were_written_in_all_scripts(self, setting: Setting) -> None:
        async def case(subject: Subject) -> None:
            for text in _UNICODE_TEXTS:
                await subject.write(text)
            self._assert_texts(await subject.read(), _UNICODE_TEXTS)

        self._run(setting, case)

    def test_without_a_user_the_adapter_refuses_to_work(self, setting: Setting) -> None:
        async def case() -> None:
            async with self.open(setting.proxy.address, "") as subject:
                await subject.write("Whose text is this?")

        with pytest.raises(Exception, match="user"):
            asyncio.run(case())

    def test_a_write_whose_connection_breaks_is_stored_once(self, setting: Setting) -> None:
        for chunks in range(_CHUNKS_MAX):
            if not self._break_once(setting, chunks):
                return
        raise AssertionError("a write has more replies than expected")

    def test_a_write_during_a_restart_of_the_server_is_stored_once(self, setting: Setting) -> None:
        async def case(subject: Subject) -> None:
            await subject.write("before")
            setting.proxy.hold()
            setting.server.kill()
            writing = asyncio.create_task(subject.write("meanwhile"))
            await asyncio.to_thread(setting.start)
            await writing
            await subject.write("after")
            self._assert_texts(await subject.read(), ["before", "meanwhile", "after"])

        self._run(setting, case)

    def test_a_deleted_text_stays_deleted_also_after_a_restart(self, setting: Setting) -> None:
        async def case(subject: Subject) -> None:
            for text in ["first", "second"]:
                await subject.write(text)
            await subject.remove("second")
            self._assert_texts(await subject.read(), ["first"])
            await asyncio.to_thread(setting.restart)
            await subject.write("third")
            self._assert_texts(await subject.read(), ["first", "third"])

        self._run(setting, case)

    def test_a_read_returns_no_more_texts_than_it_may(self, setting: Setting) -> None:
        async def case(subject: Subject) -> None:
            for color in ["red", "green", "blue"]:
                await subject.write(f"{color} paint")
            assert len(await subject.read_some(2)) == 2

        self._run(setting, case)

    def _break_once(self, setting: Setting, chunks: int) -> bool:
        """Breaks the connections of a write after some chunks of replies. Returns whether there were so many."""
        has_broken = False

        async def case(subject: Subject) -> None:
            nonlocal has_broken
            await subject.write("before")
            setting.proxy.break_after(chunks)
            try:
                await subject.write("once")
            except VademecumError as error:
                if not self.repeats_failed_writes or error.code is not StatusCode.UNAVAILABLE:
                    raise
                await subject.write("once")
            has_broken = setting.proxy.has_broken()
            self._assert_texts(await subject.read(), ["before", "once"])

        self._run(setting, case)
        return has_broken

    def _run(self, setting: Setting, case: Callable[[Subject], Awaitable[None]]) -> None:
        async def run() -> None:
            async with self._opened(setting) as subject:
                await case(subject)

        asyncio.run(run())

    @asynccontextmanager
    async def _opened(self, setting: Setting) -> AsyncIterator[Subject]:
        """Opens the adapter for a user that no other case has."""
        async with self.open(setting.proxy.address, f"contract-{next(_users)}") as subject:
            yield subject

    def _assert_texts(self, texts: Sequence[str], expected: Sequence[str]) -> None:
        if self.is_ordered:
            assert list(texts) == list(expected)
        else:
            assert sorted(texts) == sorted(expected)
