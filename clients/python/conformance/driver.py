"""The Python driver of clients/conformance/run.mjs: `driver.py [--asyncio]`.

Reads JSON commands from standard input, one a line, and makes the calls through the Python client.
Answers each command with a line of JSON on standard output.
"""

import asyncio
import json
import sys
import threading
from inspect import signature
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from vademecum import SearchResult, Tls, VademecumError, aio, connect
from vademecum.v1.search_pb2 import SearchRequest

HANDLE_SCOPES = {
    "memories": ("user_id", "agent_id"),
    "skills": ("user_id", "agent_id"),
    "blocks": ("user_id",),
    "proposals": ("user_id",),
    "inbox": (),
    "key_values": ("run_id",),
    "tools": (),
}


def handle_of(client: Any, command: dict[str, Any]) -> tuple[Any, str]:
    handle, method = command["call"].split(".")
    scope = {name: command["scope"][name] for name in HANDLE_SCOPES[handle]}
    return getattr(client, handle)(**scope), method


def arguments_of(handle: Any, method: str, command: dict[str, Any]) -> dict[str, Any]:
    """Converts the JSON request of a command to keyword arguments for a method of a handle."""
    service = handle._stub.__class__.__module__.removesuffix("_grpc")
    services = sys.modules[service].DESCRIPTOR.services_by_name
    methods = services[handle._stub.__class__.__name__.removesuffix("Stub")].methods_by_name
    descriptor = methods[command["rpc"]].input_type
    request = SearchRequest() if method == "recall" else GetMessageClass(descriptor)()
    ParseDict(command["request"], request)
    required = [it.name for it in signature(getattr(handle, method)).parameters.values() if it.default is it.empty]
    given = [field.name for field, _ in request.ListFields()]
    arguments = {name: getattr(request, name) for name in {*required, *given}}
    if "timeout_ms" in command:
        arguments["timeout"] = command["timeout_ms"] / 1000
    return arguments


def answer_of(result: Any) -> dict[str, Any]:
    if isinstance(result, SearchResult):
        return {"response": {"hits": [MessageToDict(hit) for hit in result.hits], "summary": MessageToDict(result.summary)}}
    if isinstance(result, Message):
        return {"response": MessageToDict(result)}
    return {"response": [MessageToDict(message) for message in result]}


def error_of(error: VademecumError) -> dict[str, Any]:
    fields = [it.field for it in error.violations]
    return {"error": {"code": error.code.name, "reason": error.reason, "fields": fields, "message": error.message}}


def refusal_of(error: ValueError) -> dict[str, Any]:
    """Returns the answer for options that `connect` refuses, or for arguments that a call refuses."""
    return {"error": {"code": "INVALID_ARGUMENT", "message": str(error)}}


def connect_options(options: dict[str, Any]) -> dict[str, Any]:
    files = {name: options[f"{name}_file"] for name in ("ca", "cert", "key") if f"{name}_file" in options}
    return {
        "key": options.get("key"),
        "tls": Tls.from_files(**files) if files else None,
        **({"timeout": options["timeout_ms"] / 1000} if "timeout_ms" in options else {}),
    }


def run_blocking() -> None:
    client = None
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if "open" in command:
                if client is not None:
                    client.close()
                client = connect(command["open"]["address"], **connect_options(command["open"]))
                answer: dict[str, Any] = {"response": {}}
            else:
                answer = answer_of(call_blocking(client, command))
        except VademecumError as error:
            answer = error_of(error)
        except ValueError as error:
            answer = refusal_of(error)
        print(json.dumps({"id": command["id"], **answer}), flush=True)
    if client is not None:
        client.close()


def call_blocking(client: Any, command: dict[str, Any]) -> Any:
    handle, method = handle_of(client, command)
    if "close_after_ms" in command:
        threading.Timer(command["close_after_ms"] / 1000, client.close).start()
    result = getattr(handle, method)(**arguments_of(handle, method, command))
    if "cancel_after_ms" in command:
        threading.Timer(command["cancel_after_ms"] / 1000, result.cancel).start()
    return result.collect() if method == "search" else result if isinstance(result, Message) else list(result)


async def run_asyncio() -> None:
    client = None
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        try:
            if "open" in command:
                if client is not None:
                    await client.close()
                client = aio.connect(command["open"]["address"], **connect_options(command["open"]))
                answer: dict[str, Any] = {"response": {}}
            else:
                answer = answer_of(await call_asyncio(client, command))
        except VademecumError as error:
            answer = error_of(error)
        except ValueError as error:
            answer = refusal_of(error)
        print(json.dumps({"id": command["id"], **answer}), flush=True)
    if client is not None:
        await client.close()


async def call_asyncio(client: Any, command: dict[str, Any]) -> Any:
    handle, method = handle_of(client, command)
    if "close_after_ms" in command:
        loop = asyncio.get_running_loop()
        loop.call_later(command["close_after_ms"] / 1000, lambda: loop.create_task(client.close()))
    result = getattr(handle, method)(**arguments_of(handle, method, command))
    if asyncio.iscoroutine(result):
        return await result
    if "cancel_after_ms" in command:
        asyncio.get_running_loop().call_later(command["cancel_after_ms"] / 1000, result.cancel)
    return await result.collect() if method == "search" else [message async for message in result]


if "--asyncio" in sys.argv:
    asyncio.run(run_asyncio())
else:
    run_blocking()
