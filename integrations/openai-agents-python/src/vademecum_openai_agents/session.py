from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents.memory import SessionABC, SessionSettings
from agents.memory.session_settings import coerce_session_settings, resolve_session_limit
from vademecum.adapters import append_all_async, check_ids
from vademecum.aio import AsyncClient
from vademecum.v1.memory_pb2 import Memory

from .item_turns import StoredItem, items_of, turns_of

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

# The limit of one call of the server.
_READ_TURNS_MAX = 1000


class VademecumSession(SessionABC):
    """A session whose items are the turns of a Vademecum thread, whole and in order.

    Sessions with the same user, agent and session id share their items, in every process.

    Args:
        session_id: The id of the conversation, 1 to 256 bytes. It is the thread_id.
        client: The connection: `vademecum.aio.connect(address)`. The caller closes it.
        user_id: The id of the person who talks with the agent, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes.
        session_settings: The default limit of `get_items`. Default: no limit.

    Raises:
        ValueError: An id is empty.
    """

    def __init__(
        self,
        session_id: str,
        *,
        client: AsyncClient,
        user_id: str,
        agent_id: str,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        check_ids(session_id=session_id, user_id=user_id, agent_id=agent_id)
        self.session_id = session_id
        self.session_settings = coerce_session_settings(session_settings or {})
        self._threads = client.threads(user_id=user_id, agent_id=agent_id)
        self._memories = client.memories(user_id=user_id, agent_id=agent_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns the last `limit` items, oldest first.

        Args:
            limit: Maximum number of items. None: the limit of `session_settings`. Below 0: all.
        """
        resolved = resolve_session_limit(limit, self.session_settings)
        if resolved == 0:
            return []
        limit = None if resolved is None or resolved < 0 else resolved
        return [stored.item for stored in await self._last(limit)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Stores items at the end, all or none.

        Only more than 500 items, or 900 KB, are stored in several steps.
        """
        await append_all_async(self._threads, self.session_id, [turn for item in items for turn in turns_of(item)])

    async def pop_item(self) -> TResponseInputItem | None:
        """Deletes the last item and returns it. Returns None if the session is empty.

        Two callers never get the same item.
        """
        while last := await self._last(1):
            *pieces, final = last[0].turn_ids
            # A delete by id tells whether another caller was faster.
            if not (await self._memories.delete(final)).deleted:
                continue
            # Without its final piece, an item is gone for all readers.
            for piece in pieces:
                await self._memories.delete(piece)
            item: TResponseInputItem = last[0].item
            return item
        return None

    async def clear_session(self) -> None:
        """Deletes all items."""
        await self._threads.clear(self.session_id)

    async def _last(self, limit: int | None) -> Sequence[StoredItem]:
        """Returns the last items, oldest first. Without a limit, returns all."""
        page = min(limit or _READ_TURNS_MAX, _READ_TURNS_MAX)
        turns: list[Memory] = []
        while True:
            before_id = turns[0].id if turns else None
            reply = await self._threads.get_turns(self.session_id, limit=page, before_id=before_id)
            turns[:0] = reply.turns
            items = items_of(turns)
            if not reply.has_more or (limit and len(items) >= limit):
                return items[-limit:] if limit else items
            # An item may have several turns, and other turns may be between the items.
            page = _READ_TURNS_MAX
