"""A model that gives fixed replies, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse, Usage
from agents.items import TResponseOutputItem, TResponseStreamEvent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


def says(text: str) -> TResponseOutputItem:
    content = [ResponseOutputText(text=text, type="output_text", annotations=[])]
    return ResponseOutputMessage(id="msg_1", content=content, role="assistant", status="completed", type="message")  # type: ignore[arg-type]


def calls(name: str, arguments: str) -> TResponseOutputItem:
    return ResponseFunctionToolCall(id="fc_1", call_id="call_1", name=name, arguments=arguments, type="function_call")


class ScriptedModel(Model):
    def __init__(self, *replies: TResponseOutputItem) -> None:
        self._replies = list(replies)
        self.inputs: list[Any] = []

    async def get_response(self, system_instructions: str | None, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
        self.inputs.append(list(input))
        return ModelResponse(output=[self._replies.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError
