from __future__ import annotations

from vademecum_langgraph.item_memory import content_of, tags_of


# The JavaScript package has a test with the same tags. So each package finds the items of the
# other.
def test_an_item_has_the_same_tags_as_in_the_javascript_package() -> None:
    assert tags_of(("users", "ada"), "ключ") == ["item:0ecc3d3ef4544a09c5399f606914d62e2ebf40c887f8780a622f2bc6dc9176d1", "ns:users", "ns:users.ada"]
    long = ("x" * 100, "ü" * 20)
    assert tags_of(long, "k")[1:] == [f"ns:{long[0]}", "ns#dcc9b7ab72f88554ae6fc9793568f1e325cec7e2defca566100dc0a3229166de"]


def test_a_text_that_is_too_long_for_a_memory_is_cut_between_characters() -> None:
    assert content_of(("x",), "k", "ü" * 40_000 + "x") == "ü" * 32_768
    assert content_of(("x",), "k", "a" + "🍷" * 20_000) == "a" + "🍷" * 16_383
    assert content_of(("x", "y"), "k", "") == "x/y/k"
