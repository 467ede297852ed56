"""YAML, read as plain values: what vcrpy writes, and what a hostile file tries."""

from __future__ import annotations

import io
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from turnreel.recorder.json_items import BadItems
from turnreel.recorder.vcrpy.yaml_items import yaml_items

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    # PyYAML folds these line ends itself.
    | st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029"), max_size=12
    )
    | st.binary(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(categories=["L", "N"]), max_size=6), inner)
    ),
    max_leaves=10,
)


def items(document: str | bytes) -> list[Any]:
    data = document.encode() if isinstance(document, str) else document
    return list(yaml_items(io.BytesIO(data), "interactions"))


@given(st.lists(VALUES, max_size=4), st.booleans(), st.sampled_from([None, False, True]))
def test_what_yaml_dumps_reads_as_it_was(wanted: list[Any], after: bool, flow: bool | None) -> None:
    document = {"interactions": wanted, "version": 1}
    text = yaml.dump(document, default_flow_style=flow, sort_keys=after, allow_unicode=after)
    assert items(text) == wanted


def test_an_anchor_is_what_it_stands_for() -> None:
    text = "interactions:\n- {a: &a [1, x], b: *a}\n- *a\nversion: 1\n"
    assert items(text) == [{"a": [1, "x"], "b": [1, "x"]}, [1, "x"]]


def test_the_tags_of_text_and_bytes_are_read() -> None:
    text = "interactions: [!!python/unicode 'x', !!binary aGk=, !!str 1, !!python/tuple [1]]"
    assert items(text) == ["x", b"hi", "1", [1]]


LAUGHS = "\n".join(
    [
        "interactions:",
        "- &a0 [" + ", ".join(["ha"] * 10) + "]",
        *(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)),
    ]
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty file"),
        ("interactions: 1\n", "holds no interactions"),
        ("- 1\n", "holds no interactions"),
        ("hello\n", "holds no interactions"),
        ("http_interactions: []\n", "holds no interactions"),
        ("interactions: [\n", "is not YAML"),
        ("interactions: []\n---\nx: 1\n", "more than one document"),
        ("interactions: [!!python/object/apply:os.system [id]]", "!!python/object/apply:os.system"),
        ("interactions: [!!python/object:vcr.request.Request {}]", "is refused"),
        ("interactions: [!!python/name:os.system '']", "is refused"),
        ("x: !!python/object/new:os.system [id]\ninteractions: []", "is refused"),
        ("interactions: [!mine {a: 1}]", "the tag !mine is refused"),
        ("interactions: [!<tag:x,2000:y> 1]", "is refused"),
        ("interactions: [*a]", "an alias"),
        ("interactions: [&a [*a]]", "for itself"),
        ("interactions: [{[1]: 2}]", "a key is no text"),
        ("interactions: [" + "[" * 60, "nests too deep"),
        ("interactions: " + "{a: " * 60, "nests too deep"),
        (LAUGHS, "its aliases expand without end"),
    ],
)
def test_what_is_hostile_or_none_is_refused_in_a_line(text: str, message: str) -> None:
    with pytest.raises(BadItems) as caught:
        items(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 160


def test_bytes_that_are_no_text_are_no_yaml() -> None:
    for data in (b"\xff\xfe\xff", b"interactions: [\xff\xff]", b"interactions: ['\x00']"):
        with pytest.raises(BadItems, match="is not YAML"):
            items(data)


def test_items_come_before_the_rest_was_read() -> None:
    reading = yaml_items(
        io.BytesIO(b"interactions:\n- 1\n- !!python/name:os.x ''\n"), "interactions"
    )
    assert next(reading) == 1
    with pytest.raises(BadItems):
        next(reading)
