"""Tests of the parts for adapters: `test_adapters.py ADDRESS`, with the address of a real server."""

import asyncio
import sys
import unittest

import grpc
from vademecum import VademecumError, aio, connect
from vademecum.adapters import (
    add_all,
    add_all_async,
    append_all_async,
    check_ids,
    cut_query,
    split_content,
    split_text,
)
from vademecum.types import AddRequestFields, NewTurnFields

ADDRESS = sys.argv.pop() if len(sys.argv) > 1 else "127.0.0.1:50051"


class TextTest(unittest.TestCase):
    def test_a_text_is_split_at_the_limit_and_never_inside_a_character(self) -> None:
        self.assertEqual(split_text("", 4), [])
        self.assertEqual(split_text("abcdef", 4), ["abcd", "ef"])
        self.assertEqual(split_text("a🌰é日", 4), ["a", "🌰", "é", "日"])
        text = "né🌰" * 30_000
        self.assertEqual("".join(split_text(text, 65_536)), text)
        self.assertEqual(split_text("half \ud800", 10), ["half ?"])

    def test_content_has_pieces_of_at_most_64_kib_and_none_of_white_space(self) -> None:
        self.assertEqual(split_content(" \n\ufeff"), [])
        self.assertEqual(split_content("a" * 65_537), ["a" * 65_536, "a"])
        self.assertEqual(split_content("a" * 65_536 + " \n"), ["a" * 65_536])

    def test_a_query_has_at_most_8_kib_and_is_empty_for_white_space(self) -> None:
        self.assertEqual(cut_query("\u00a0\n\ufeff"), "")
        self.assertEqual(cut_query("  nuts "), "nuts")
        self.assertEqual(cut_query("é" * 5000), "é" * 4096)


class IdTest(unittest.TestCase):
    def test_an_id_that_is_missing_or_empty_is_named(self) -> None:
        check_ids(user_id="ada", agent_id="guide")
        for missing in ("", None):
            with self.assertRaisesRegex(ValueError, "^agent_id is missing"):
                check_ids(user_id="ada", agent_id=missing)


class AddTest(unittest.TestCase):
    def test_more_memories_than_one_call_takes_are_stored_in_order(self) -> None:
        added: list[AddRequestFields] = [{"content": f"number {index}"} for index in range(501)]
        added += [{"content": f"{index} " * 20_000, "metadata": {"large": True}} for index in range(20)]
        with connect(ADDRESS) as client:
            memories = client.memories("many", "agent")
            ids = add_all(memories, added)
            stored = memories.get_many([ids[0], ids[500], ids[520]]).memories
            self.assertEqual([it.content for it in stored], [added[it]["content"] for it in (0, 500, 520)])
            self.assertEqual(len(set(ids)), len(added))
            self.assertEqual(add_all(memories, []), [])

    def test_more_turns_than_one_call_takes_are_stored_in_order(self) -> None:
        turns: list[NewTurnFields] = [{"content": f"number {index}"} for index in range(501)]
        turns += [{"content": f"{index} " * 20_000} for index in range(20)]

        async def append() -> None:
            async with aio.connect(ADDRESS) as client:
                await append_all_async(client.threads("turns", "python"), "long", turns)

        asyncio.run(append())
        with connect(ADDRESS) as client:
            stored = client.threads("turns", "python").get_turns("long", limit=1000).turns
            self.assertEqual([it.content for it in stored], [it["content"] for it in turns])

    def test_large_vectors_and_metadata_are_divided_into_several_calls(self) -> None:
        vector = [float(index % 7 + 1) for index in range(1536)]
        metadata = {"list": list(range(400))}
        added: list[AddRequestFields] = [
            {"content": f"number {index}", "embedding": vector, "metadata": metadata} for index in range(60)
        ]
        with connect(ADDRESS) as client:
            self.assertEqual(len(set(add_all(client.memories("vectors", "agent"), added))), 60)

    def test_a_refused_memory_fails_with_its_own_error_and_the_others_are_stored(self) -> None:
        async def add() -> None:
            async with aio.connect(ADDRESS) as client:
                await add_all_async(client.memories("refused", "agent"), [{"content": ""}, {"content": "kept"}])

        with self.assertRaises(VademecumError) as caught:
            asyncio.run(add())
        self.assertIs(caught.exception.code, grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual(caught.exception.reason, "INVALID_FIELD")
        self.assertEqual([it.field for it in caught.exception.violations], ["content"])
        with connect(ADDRESS) as client:
            self.assertEqual([it.content for it in client.memories("refused", "agent").get_all().memories], ["kept"])


if __name__ == "__main__":
    unittest.main()
