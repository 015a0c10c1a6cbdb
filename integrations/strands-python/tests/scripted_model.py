"""A model that gives fixed replies, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable
from typing import Any

from strands.models import Model


class ScriptedModel(Model):
    """Each reply is a text, or the name and the input of a tool."""

    def __init__(self, *replies: str | tuple[str, dict[str, Any]]) -> None:
        self._replies = list(replies)
        self.requests: list[str] = []

    def update_config(self, **model_config: Any) -> None:
        pass

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterable[Any]:  # type: ignore[override]
        self.requests.append(json.dumps(messages))
        reply = self._replies.pop(0) if self._replies else "Noted."
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(reply, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": reply}}}
        else:
            name, value = reply
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": f"use-{len(self.requests)}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(value)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(reply, str) else "tool_use"}}
