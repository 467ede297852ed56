"""One array of a long document, item by item, wherever the reads end."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.recorder import json_items as module
from turnreel.recorder.json_items import BadItems, json_items

PATH = ("log", "entries")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)


class Dripping(io.BytesIO):
    """A file whose reads are short."""

    def __init__(self, data: bytes, step: int) -> None:
        super().__init__(data)
        self.step = step

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.step if size is None or size < 0 else min(size, self.step))


def items(document: bytes, step: int = 1 << 20) -> list[Any]:
    return list(json_items(Dripping(document, step), PATH))


@given(st.lists(VALUES, max_size=5), VALUES, st.integers(1, 9), st.sampled_from([None, 1]))
def test_items_are_those_of_the_whole_document(
    wanted: list[Any], beside: Any, step: int, indent: int | None
) -> None:
    document = {
        "x": beside,
        "log": {"a": {"entries": [beside]}, "entries": wanted, "b": beside},
        "y": {"log": {"entries": [1]}},
    }
    source = json.dumps(document, indent=indent, ensure_ascii=indent is None).encode()
    assert items(source, step) == wanted


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"", "an empty file"),
        (b" \n", "an empty file"),
        (b"[1]", "is no JSON object"),
        (b"hello", "is no JSON object"),
        (b"{} {}", "is no JSON object"),
        (b'{"log":{}}', "holds no log.entries"),
        (b'{"log":[{"entries":[1]}]}', "holds no log.entries"),
        (b'{"log":{"entries":[{"a":1},{"b"', "ends in the middle of item 2: it was cut off"),
        (b'{"log":{"entries":[1],"z":"', "ends in the middle: it was cut off"),
        (b'{"log":{"entries":[1,]}}', "item 2 is not JSON"),
        (b'{"log":{"entries":[1 2]}}', "item 1 is not JSON"),
        (b'{"log":{"entries":[[1}]}}', "a bracket closes what is not open"),
        (b'{"log":{"entries":[' + b"[" * 5000, "nests too deep"),
        (b'{"log":' + b"[" * 5000, "nests too deep"),
    ],
)
def test_what_is_no_such_document_is_said_in_a_line(document: bytes, message: str) -> None:
    for step in (1, 7, 1 << 20):
        with pytest.raises(BadItems) as caught:
            items(document, step)
        assert message in str(caught.value)


def test_every_truncation_is_seen() -> None:
    document = json.dumps({"log": {"entries": [{"a": 'x"\\'}, [1, "]"]], "b": 1}}).encode()
    for size in range(len(document)):
        with pytest.raises(BadItems):
            items(document[:size], 3)


def test_a_byte_order_mark_is_read_over() -> None:
    assert items(b'\xef\xbb\xbf{"log":{"entries":[1]}}') == [1]


def test_an_item_has_a_longest_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ITEM_LIMIT", 1 << 20)
    document = b'{"log":{"entries":["' + b"x" * (2 << 20) + b'"]}}'
    with pytest.raises(BadItems, match="item 1 is longer than 1 MiB"):
        items(document, 4096)
