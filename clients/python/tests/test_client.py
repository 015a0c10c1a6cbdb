"""Tests of the Python client in addition to the conformance cases: `test_client.py ADDRESS`.

ADDRESS is the address of a real server.
"""

import asyncio
import copy
import os
import pickle
import sys
import unittest
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from unittest import mock

import grpc
from google.protobuf.json_format import MessageToDict
from vademecum import Tls, VademecumError, __version__, aio, connect
from vademecum.memory_provider import get_memory_provider
from vademecum.v1.filter_pb2 import Filter
from vademecum.v1.memory_pb2 import MemoryType

ADDRESS = sys.argv.pop() if len(sys.argv) > 1 else "127.0.0.1:50051"


class ErrorTest(unittest.TestCase):
    def test_an_error_survives_pickling_and_copying(self) -> None:
        with connect(ADDRESS) as client, self.assertRaises(VademecumError) as caught:
            client.memories("error", "agent").add("")
        error = caught.exception
        for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            self.assertEqual(str(twin), str(error))
            self.assertEqual((twin.code, twin.message, twin.reason), (error.code, error.message, "INVALID_FIELD"))
            self.assertEqual([it.field for it in twin.violations], ["content"])


class ArgumentTest(unittest.TestCase):
    def test_connect_does_not_reveal_a_key_that_it_refuses(self) -> None:
        for open_client in (connect, aio.connect):
            with self.assertRaisesRegex(ValueError, "^key: ") as caught:
                open_client(ADDRESS, key="secret\n")
            self.assertNotIn("secret", str(caught.exception))

    def test_connect_refuses_to_send_a_key_in_plaintext_to_another_machine(self) -> None:
        for open_client in (connect, aio.connect):
            for address in ("192.0.2.1:1", "memory.example.com:1", "[2001:db8::1]:1", "localhost.example.com:1"):
                with self.assertRaisesRegex(ValueError, "^address: .*plaintext") as caught:
                    open_client(address, key="secret")
                self.assertNotIn("secret", str(caught.exception))
                open_client(address, key="")
                open_client(address, key="secret", tls=True)
            for address in ("127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1", "LOCALHOST:1"):
                open_client(address, key="secret")

    def test_connect_requires_a_host_and_a_port(self) -> None:
        for open_client in (connect, aio.connect):
            for address in ("localhost", "127.0.0.1:50051\n"):
                with self.assertRaises(ValueError) as caught:
                    open_client(address)
                expected = f'address: is "{address}" and must be a host and port, such as 127.0.0.1:50051'
                self.assertEqual(str(caught.exception), expected)
            for address in ("my_server:50051", "memory.example.com:1", "[2001:db8::1]:1", "[fe80::1%eth0]:1"):
                open_client(address)

    def test_connect_names_the_setting_that_is_not_in_pem_form(self) -> None:
        tls_folder = Path(__file__).parents[2] / "conformance" / "tls"
        certificate, key = ((tls_folder / name).read_bytes() for name in ("client-cert.pem", "client-key.pem"))
        for tls, fault in (
            (Tls(root_certificates=b""), "tls.root_certificates: has no certificate"),
            (Tls(root_certificates=key), "tls.root_certificates: has no certificate"),
            (Tls(certificate_chain=key, private_key=key), "tls.certificate_chain: has no certificate"),
            (Tls(certificate_chain=certificate, private_key=certificate), "tls.private_key: has no private key"),
        ):
            with self.assertRaises(ValueError) as caught:
                connect(ADDRESS, tls=tls)
            self.assertEqual(str(caught.exception), f"{fault} in PEM form")
        commented = "# Főtanúsítvány\n".encode() + certificate
        connect(ADDRESS, tls=Tls(root_certificates=commented, certificate_chain=certificate, private_key=key)).close()

    def test_connect_refuses_a_certificate_without_its_key(self) -> None:
        with self.assertRaisesRegex(ValueError, r"^tls\.private_key: missing"):
            connect(ADDRESS, tls=Tls(certificate_chain=b"chain"))

    def test_connect_names_the_variable_of_an_unreadable_file(self) -> None:
        with mock.patch.dict(os.environ, {"VADEMECUM_TLS_CA": "/does/not/exist"}):
            with self.assertRaisesRegex(ValueError, "^VADEMECUM_TLS_CA: cannot read '/does/not/exist'"):
                connect(ADDRESS)
            connect(ADDRESS, tls=False).close()

    def test_a_text_in_place_of_a_list_is_refused(self) -> None:
        with connect(ADDRESS) as client:
            memories = client.memories("list", "agent")
            manifest: Any = {"tool_id": "t", "version": "1", "memory_access": "all"}
            calls: list[tuple[Callable[[], object], str]] = [
                (lambda: memories.add("x", tags="health"), "^tags: is a text and must be a list, such as \\['health'\\]"),
                (lambda: memories.add("x", tags=["health", 3]), r"^tags\[1\]: is a number and must be a text"),  # type: ignore[list-item]
                (lambda: memories.add("x", embedding="12"), "^embedding: is a text and must be a list"),  # type: ignore[arg-type]
                (lambda: memories.search("x", filter={"tags_any": "health"}), r"^filter\.tags_any: is a text"),
                (lambda: memories.search("x", filter={"memory_types": "semantic"}), r"^filter\.memory_types: is a text"),  # type: ignore[typeddict-item]
                (lambda: client.tools().register(manifest), r"^manifest\.memory_access: is a text"),
            ]
            for call, message in calls:
                with self.assertRaisesRegex(TypeError, message):
                    call()
            self.assertEqual(len(memories.get_all().memories), 0)
            for tags in (["health"], ("health",), {"health"}, iter(["health"])):
                memory_id = memories.add("x", tags=tags).id  # type: ignore[arg-type]
                self.assertEqual(list(memories.get(memory_id).memory.tags), ["health"])

    def test_enums_have_short_names(self) -> None:
        with connect(ADDRESS) as client:
            memories = client.memories("enum", "agent")
            for name in ("semantic", "SEMANTIC", "MEMORY_TYPE_SEMANTIC", MemoryType.MEMORY_TYPE_SEMANTIC):
                memory = memories.get(memories.add("x", memory_type=name).id).memory  # type: ignore[arg-type]
                self.assertEqual(memory.memory_type, MemoryType.MEMORY_TYPE_SEMANTIC)
            self.assertEqual(memories.count(filter={"memory_types": ["semantic"]}).count, 4)
            with self.assertRaisesRegex(ValueError, '^memory_type: is "semantik" and must be one of episodic, semantic, '):
                memories.add("x", memory_type="semantik")  # type: ignore[arg-type]

    def test_an_error_names_the_argument_before_the_call(self) -> None:
        with connect("127.0.0.1:1") as client:
            memories: Any = client.memories("error", "agent")
            for call, message in (
                (lambda: memories.add(3), "content: is a number and must be a text"),
                (lambda: memories.add("x", importance="high"), "importance: is a text and must be a number"),
                (lambda: memories.add("x", restricted="no"), "restricted: is a text and must be True or False"),
                (lambda: memories.add("x", memory_type=2.5), "memory_type: is a number and must be the name of a value"),
                (lambda: memories.add("x", event_time="today"), "event_time: is a text and must be a datetime"),
                (lambda: memories.add("x", metadata="abc"), "metadata: is a text and must be a dictionary or a Struct"),
                (lambda: memories.add("x", metadata={"on": date.today()}), "metadata.on: is a date, which JSON cannot hold"),
                (lambda: memories.search("x", limit=2**40), "limit: Value out of range"),
                (lambda: memories.search("x", filter={"tag_any": []}), "filter.tag_any: is unknown; the fields are metadata, "),
                (lambda: memories.search("x", filter={"time_range": {"start": 1}}), "filter.time_range.start: is a number"),
            ):
                with self.assertRaises((TypeError, ValueError)) as caught:
                    call()
                self.assertTrue(str(caught.exception).startswith(message), caught.exception)

    def test_whole_numbers_that_no_double_holds_are_refused(self) -> None:
        with connect(ADDRESS) as client:
            memories, tools = client.memories("number", "agent"), client.tools()
            number = 2**53 + 1
            namespace: Any = {"user_id": "number", "agent_id": "agent"}
            for call, path in (
                (lambda: memories.add("x", metadata={"ids": [1, {"order": number}]}), "metadata.ids[1].order"),
                (lambda: memories.add("x", metadata={"order": -number}), "metadata.order"),
                (lambda: memories.add("x", metadata={"order": 10**400}), "metadata.order"),
                (lambda: memories.add_trace("w", {"order": number}), "trace_data.order"),
                (lambda: memories.search("x", filter={"metadata": {"order": number}}), "filter.metadata.order"),
                (lambda: memories.search("x", filter=Filter(metadata={"order": number})), "filter.metadata.order"),
                (lambda: tools.dispatch("read", arguments={"order": number}, namespace=namespace), "arguments.order"),
            ):
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertTrue(str(caught.exception).startswith(f"{path}: is "), caught.exception)
                self.assertIn("as texts", str(caught.exception))
            exact = {"largest": 2**53, "huge": 10**20, "power": 2**60, "third": 1e20 / 3, "id": str(number)}
            memory = memories.get(memories.add("x", metadata=exact).id).memory
            self.assertEqual(MessageToDict(memory.metadata), exact)

    def test_a_client_shows_its_address_and_no_key(self) -> None:
        for open_client, name in ((connect, "Client"), (aio.connect, "AsyncClient")):
            self.assertEqual(repr(open_client("127.0.0.1:1")), f"{name}('127.0.0.1:1')")
            self.assertEqual(repr(open_client("127.0.0.1:1", key="secret", tls=True)), f"{name}('127.0.0.1:1', key=..., tls=...)")

    def test_the_package_has_a_version(self) -> None:
        self.assertRegex(__version__, r"^\d+\.\d+\.\d+")

    def test_propose_edit_refuses_two_targets(self) -> None:
        with connect(ADDRESS) as client, self.assertRaisesRegex(ValueError, "block_label.*memory_id"):
            client.memories("target", "agent").propose_edit("a", "b", "c", block_label="profile", memory_id="m")

    def test_a_call_with_an_infinite_timeout_succeeds(self) -> None:
        with connect(ADDRESS, timeout=float("inf")) as client:
            memories = client.memories("infinite", "agent")
            self.assertEqual(len(memories.get_all().memories), 0)
            self.assertEqual(memories.search("x", timeout=float("inf")).collect().hits, [])


class CloseTest(unittest.TestCase):
    def test_a_client_can_be_closed_twice_and_later_calls_are_cancelled(self) -> None:
        client = connect(ADDRESS)
        memories = client.memories("close", "agent")
        client.close()
        client.close()
        for call in (memories.get_all, memories.search):
            with self.assertRaises(VademecumError) as caught:
                call()
            self.assertIs(caught.exception.code, grpc.StatusCode.CANCELLED)


class AsyncCloseTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_client_can_be_closed_twice_and_later_calls_are_cancelled(self) -> None:
        client = aio.connect(ADDRESS)
        memories = client.memories("close", "agent")
        await memories.get_all()
        await client.close()
        await client.close()
        with self.assertRaises(VademecumError) as caught:
            await memories.get_all()
        self.assertIs(caught.exception.code, grpc.StatusCode.CANCELLED)
        with self.assertRaises(VademecumError) as caught:
            memories.search()
        self.assertIs(caught.exception.code, grpc.StatusCode.CANCELLED)

    async def test_closing_a_client_without_calls_is_allowed(self) -> None:
        client = aio.connect(ADDRESS)
        await client.close()
        with self.assertRaises(VademecumError):
            await client.memories("close", "agent").get_all()

    async def test_closing_ends_running_calls_without_cancelling_their_tasks(self) -> None:
        client = aio.connect(ADDRESS)
        memories = client.memories("close", "agent")
        search = memories.search()
        running = asyncio.create_task(memories.get_all())
        collected = asyncio.create_task(search.collect())
        await asyncio.sleep(0)
        await client.close()
        for task in (running, collected):
            with self.assertRaises(VademecumError) as caught:
                await task
            self.assertIs(caught.exception.code, grpc.StatusCode.CANCELLED)

    async def test_a_cancelled_task_stays_cancelled(self) -> None:
        async with aio.connect(ADDRESS) as client:
            memories = client.memories("close", "agent")
            for call in (memories.get_all(), memories.search().collect()):
                task = asyncio.create_task(call)
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task


class MemoryProviderTest(unittest.IsolatedAsyncioTestCase):
    async def test_reset_deletes_nothing_on_a_server_that_does_not_allow_it(self) -> None:
        async with get_memory_provider({"address": ADDRESS}) as provider:
            memory_id = await provider.add("kept", user_id="reset", agent_id="agent")
            with self.assertRaises(VademecumError) as caught:
                await provider.reset()
            self.assertEqual(caught.exception.reason, "RESET_NOT_ALLOWED")
            items = await provider.get_all(user_id="reset", agent_id="agent")
            self.assertEqual([item.id for item in items], [memory_id])


class EventLoopTest(unittest.TestCase):
    def test_connect_for_asyncio_works_before_the_loop_runs(self) -> None:
        client = aio.connect(ADDRESS)
        memories = client.memories("loop", "agent")

        async def use() -> int:
            await memories.add("made before the loop")
            found = await memories.search("loop").collect()
            await client.close()
            return len(found.hits)

        self.assertEqual(asyncio.run(use()), 1)


if __name__ == "__main__":
    unittest.main()
