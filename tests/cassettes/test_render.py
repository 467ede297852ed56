"""A record in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cassettes.making import FIXTURES
from turnreel.cassettes import Record, open_cassette
from turnreel.cassettes.render import printable, render

FULL = """\
#1 +0.000s host message via=argv
#2 +0.001s agent in user "xxxxx xxx"
#3 +0.002s agent eof stream=stdin
#4 +0.005s agent out system/init
#5 +0.008s agent err "warn: slow start"
#6 +0.020s provider request[1] method=POST path=/v1/messages headers={…} features={…}
#7 +0.040s provider response[1] status=200 headers={…} encoding=gzip
#8 +0.041s provider data[1] message_start msg_1
#9 +0.042s provider data[1] ping
#10 +0.043s provider data[1] " keep-alive"
#11 +0.044s provider data[1] content_block_delta/text_delta "Grüße"
#12 +0.045s provider data[1] torn: cut, 37 bytes
#13 +0.045s provider cut[1] by=unknown at=412
#14 +0.060s provider request[2] method=POST path=/v1/messages headers={…} features={…}
#15 +0.061s provider response[2] status=529 headers={…}
#16 +0.062s provider data[2] error/overloaded_error
#17 +0.063s provider end[2]
#18 +0.070s host gap bytes=65536 reason=never stalled
#19 +0.080s agent out assistant/text msg_1 "I'll check the report."
#20 +0.090s agent signal name=SIGINT
#21 +0.091s agent out torn: json, 12 bytes
#22 +0.092s agent out torn: cut, 50 bytes
#23 +0.095s agent exit code=130
#24 +0.095s host unreconciled
#25 +0.096s host note text=recorded by hand
"""


def test_every_code_in_a_line() -> None:
    shown = "".join(f"{render(r)}\n" for r in open_cassette(FIXTURES / "full.cassette.jsonl"))
    assert shown == FULL


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"id": "r1", "method": "turn/start", "params": [{"type": "text", "text": "hi"}]},
         'turn/start/text r1 "hi"'),
        ({"type": "assistant", "message": {"content": [
            {"type": "text", "text": "a"}, {"type": "tool_use", "id": "toolu_0123456789"}]}},
         'assistant/text+tool_use toolu_0… "a"'),
        ([1, 2, 3], ""),
        ({}, ""),
    ],
)  # fmt: skip
def test_words_come_from_the_json(data: object, line: str) -> None:
    assert (
        render(Record(12, 412_000, "agent", "out", data)) == f"#12 +0.412s agent out {line}".strip()
    )


def test_control_characters_never_reach_the_terminal() -> None:
    evil = "\x1b[2J\x07\r\n\u202e\x9b\u2028"
    line = render(Record(1, 0, f"a{evil}", f"o{evil}", {"type": evil, "text": evil}))
    assert line.isprintable()
    assert "\\x1b[2J" in line


@given(text=st.text())
def test_whatever_is_printed_is_printable(text: str) -> None:
    assert printable(text).isprintable()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "subtype", "id", "text", "content", "x"]), inner)
    ),
    max_leaves=20,
)


@given(
    code=st.sampled_from(["out", "data", "exit", "new"]),
    data=values,
    extra=st.dictionaries(st.sampled_from(["n", "kind", "torn", "sse"]), values),
    width=st.integers(20, 200),
)
def test_any_record_is_one_printable_line_of_bounded_width(
    code: str, data: object, extra: dict[str, object], width: int
) -> None:
    line = render(Record(1, 0, "agent", code, data, extra), width)
    assert line.isprintable() and len(line) <= width
