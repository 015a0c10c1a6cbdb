"""A model that gives fixed replies, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agno.models.base import Model
from agno.models.response import ModelResponse


class ScriptedModel(Model):
    """Each reply is a text, or the name and the arguments of a tool."""

    def __init__(self, *replies: str | tuple[str, dict[str, Any]]) -> None:
        super().__init__(id="scripted")
        self._replies = list(replies)
        self.requests: list[str] = []
        self.tools: list[str] = []

    def invoke(self, messages: list[Any], *args: Any, **kwargs: Any) -> ModelResponse:
        self.requests.append("\n".join(f"{message.role}: {message.content}" for message in messages))
        self.tools = sorted(tool["function"]["name"] for tool in kwargs.get("tools") or [])
        reply = self._replies.pop(0) if self._replies else "Noted."
        if isinstance(reply, str):
            return ModelResponse(role="assistant", content=reply)
        function = {"name": reply[0], "arguments": json.dumps(reply[1])}
        call = {"id": f"call-{len(self.requests)}", "type": "function", "function": function}
        return ModelResponse(role="assistant", tool_calls=[call])

    async def ainvoke(self, *args: Any, **kwargs: Any) -> ModelResponse:
        return self.invoke(*args, **kwargs)

    def invoke_stream(self, *args: Any, **kwargs: Any) -> Iterator[ModelResponse]:
        yield self.invoke(*args, **kwargs)

    async def ainvoke_stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ModelResponse]:
        yield self.invoke(*args, **kwargs)

    def _parse_provider_response(self, response: Any, **kwargs: Any) -> ModelResponse:
        return response  # type: ignore[no-any-return]

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response  # type: ignore[no-any-return]
