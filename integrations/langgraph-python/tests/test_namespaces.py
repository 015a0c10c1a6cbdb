from __future__ import annotations

from typing import Any

import pytest
from vademecum_langgraph import VademecumStore

NAMESPACES = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("b", "a", "f"),
    ("users", "123"),
    ("users", "456", "settings"),
]


@pytest.fixture
def tree(store: VademecumStore) -> VademecumStore:
    for number, namespace in enumerate(NAMESPACES):
        store.put(namespace, "one", {"number": number})
        store.put(namespace, "two", {"number": number})
    return store


def expected_under(*prefix: str) -> list[tuple[str, ...]]:
    return [it for it in NAMESPACES if it[: len(prefix)] == prefix]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, NAMESPACES),
        ({"prefix": ("a", "b")}, expected_under("a", "b")),
        ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("users", "*")}, expected_under("users")),
        ({"prefix": ("*", "a")}, [("b", "a", "f")]),
        ({"prefix": ("x",)}, []),
        ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]),
        ({"suffix": ("b", "*")}, [("a", "b", "c"), ("a", "b", "f")]),
        ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"max_depth": 1}, [("a",), ("b",), ("users",)]),
        ({"max_depth": 1, "offset": 1, "limit": 1}, [("b",)]),
        ({"limit": 3}, NAMESPACES[:3]),
        ({"limit": 3, "offset": 6}, NAMESPACES[6:]),
        ({"prefix": ("a", "b", "c", "too", "long")}, []),
    ],
)
def test_list_namespaces_returns_the_matching_namespaces(tree: VademecumStore, options: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    assert tree.list_namespaces(**options) == sorted(expected)


def test_deleting_the_last_item_removes_its_namespace(tree: VademecumStore) -> None:
    tree.delete(("users", "123"), "one")
    assert ("users", "123") in tree.list_namespaces()
    tree.delete(("users", "123"), "two")
    assert ("users", "123") not in tree.list_namespaces()
