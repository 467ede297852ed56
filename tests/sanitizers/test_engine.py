"""One session through the sanitizer: order, hold-back, framing, records of turnreel's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters import registry
from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.steps import Call, Say, Think
from turnreel.sanitizers import Clean, KnownSecrets, Profile, Raw, Sanitizer
from turnreel.sanitizers.engine import HELD_CHARACTERS, HELD_RECORDS
from turnreel.sanitizers.shape import shape
from turnreel.wire.units import (
    BodyFraming,
    Json,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    TornUnit,
    Unit,
)

from .conftest import encoded_texts, split

KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"
POLICIES = {
    "agent": registry.policy("claude-stream-json"),
    "provider": registry.policy("anthropic-messages"),
}


def sanitizer(profile: Profile = "fixture", known: KnownSecrets | None = None) -> Sanitizer:
    return Sanitizer(POLICIES, profile, known)


def sse(value: Json, exchange: int = 1, at_us: int = 0) -> Raw:
    assert isinstance(value, dict)
    framing = SseFraming(event=str(value["type"]))
    return Raw(at_us, "provider", "data", JsonUnit(value, framing), exchange)


def answer(*texts: str, index: int = 0, exchange: int = 1) -> Iterator[Raw]:
    """A text block of which the deltas are `texts`."""
    yield sse(provider.block_start(index, Say("")), exchange)
    for text in texts:
        delta: Json = {"type": "text_delta", "text": text}
        yield sse({"type": "content_block_delta", "index": index, "delta": delta}, exchange)
    yield sse(provider.block_stop(index), exchange)


def run(raws: Iterable[Raw], through: Sanitizer | None = None) -> list[Clean]:
    one = through or sanitizer()
    cleans = [clean for raw in raws for clean in one.push(raw)]
    return cleans + one.flush()


def value_of(clean: Clean) -> Json:
    assert isinstance(clean.body, JsonUnit)
    return clean.body.value


def deltas(cleans: Iterable[Clean]) -> list[str]:
    found = []
    for clean in cleans:
        match clean.body:
            case JsonUnit({"delta": {"text": str(text)}}):
                found.append(text)
    return found


def test_a_key_in_deltas_is_one_placeholder_shared_out() -> None:
    cleans = run(answer("use ", KEY[:5], "", KEY[5:20], KEY[20:] + " now"))
    assert "".join(deltas(cleans)) == "use key-1 now"
    assert len(deltas(cleans)) == 5 and deltas(cleans)[2] == ""


def test_one_secret_has_one_placeholder_on_all_tracks() -> None:
    said: Json = {"type": "result", "subtype": "success", "result": f"It is {KEY}."}
    cleans = run([Raw(0, "agent", "out", JsonUnit(said, LineFraming())), *answer(f"{KEY}!")])
    assert value_of(cleans[0])["result"] == "It is key-1."  # type: ignore[index,call-overload]
    assert deltas(cleans) == ["key-1!"]


def test_records_come_out_in_order_one_for_one() -> None:
    raws = [
        Raw(1, "agent", "out", TextUnit("Hello", LineFraming())),
        *answer("some ", "text"),
        Raw(9, "agent", "exit", {"code": 0}),
    ]
    raws = [Raw(at, r.track, r.code, r.body, r.exchange) for at, r in enumerate(raws)]
    cleans = run(raws)
    assert [(c.at_us, c.track, c.code, c.exchange) for c in cleans] == [
        (r.at_us, r.track, r.code, r.exchange) for r in raws
    ]


def test_text_waits_until_it_is_decided_and_what_follows_waits_with_it() -> None:
    one = sanitizer()
    start, delta, stop = answer("a short text")
    assert len(one.push(start)) == 1
    assert one.push(delta) == []
    assert one.push(Raw(0, "agent", "err", TextUnit("x", LineFraming()))) == []
    assert len(one.push(stop)) == 3


@pytest.mark.parametrize(
    "after",
    [
        Raw(0, "provider", "end", {}, 1),
        Raw(0, "provider", "cut", {"by": "upstream", "at": 20}, 1),
        sse(provider.message_start("msg_2")),
        sse(provider.block_start(0, Say(""))),
    ],
)
def test_the_end_of_what_holds_a_block_ends_it(after: Raw) -> None:
    one = sanitizer()
    start, delta, _ = answer("cut at sk-ant-ap")
    one.push(start)
    assert one.push(delta) == []
    assert deltas(one.push(after)) == ["cut at key-1"]


def test_exchanges_do_not_mix() -> None:
    first = list(answer("sk-ant-", "api03-aB3dE5fG7hJ9", exchange=1))
    second = list(answer("sk-", "learn is ", exchange=2))
    mixed = [raw for pair in zip(first, second, strict=True) for raw in pair]
    assert deltas(run(mixed)) == ["key-1", "sk-", "", "learn is "]


def test_more_records_than_the_bound_are_not_held() -> None:
    one = sanitizer()
    start, delta, _ = answer("no end in sight")
    one.push(start), one.push(delta)
    ping = sse(provider.ping())
    counts = [len(one.push(ping)) for _ in range(HELD_RECORDS)]
    assert sum(counts) == HELD_RECORDS + 1
    assert counts[:-1].count(0) >= HELD_RECORDS - 2


@pytest.mark.parametrize("profile", ["fixture", "strict"])
def test_no_more_text_than_the_bound_is_held(profile: Profile) -> None:
    """A block that never ends, in deltas of 32 KB: what waits stays small, nothing is lost."""
    one = sanitizer(profile)
    piece = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQ\n" * 1200
    start, *rest = answer(*[piece] * 400)
    one.push(start)
    held, landed = 0, []
    for raw in rest[:-1]:
        held += len(piece)
        out = one.push(raw)
        held -= len(piece) * len(out)
        landed += deltas(out)
        assert held <= HELD_CHARACTERS + len(piece)
    landed += deltas(one.push(rest[-1]) + one.flush())
    assert len(landed) == 400
    assert "MIIE" not in "".join(landed) and "vQIB" not in "".join(landed)


def test_a_tool_call_that_outgrows_the_bound_lands_as_shape() -> None:
    one = sanitizer()
    one.push(sse(provider.block_start(0, Call("toolu_01AbCd", "TodoWrite", {}))))
    parts = ['{"todos": [{"content": "', *['tell \\"Jane\\" so ' * 700] * 400, '", "status": 7}]}']
    landed = []
    for part in parts:
        delta: Json = {"type": "input_json_delta", "partial_json": part}
        out = one.push(sse({"type": "content_block_delta", "index": 0, "delta": delta}))
        landed += [value_of(c)["delta"]["partial_json"] for c in out]  # type: ignore[index,call-overload]
    out = one.push(sse(provider.block_stop(0))) + one.flush()
    landed += [value_of(c)["delta"]["partial_json"] for c in out[:-1]]  # type: ignore[index,call-overload]
    assert len(landed) == len(parts)
    told = json.loads("".join(landed))
    assert "Jane" not in str(told) and told["todos"][0]["status"] == 0


@pytest.mark.parametrize(
    ("secret", "cut"),
    [(KEY, 16), ("password = hunter2brown", 5), ("--chromatic-key a6n037asxsil", 9)],
)
def test_what_follows_in_a_block_cut_by_the_bound_lands_as_its_shape(secret: str, cut: int) -> None:
    """What stood before the cut may be the word that tells a secret behind it."""
    one = sanitizer()
    start, first, rest, stop = answer(f"my key {secret[:cut]}", f"{secret[cut:]} is out")
    ping = sse(provider.ping())
    raws = [start, first, *[ping] * (HELD_RECORDS + 1), rest, stop]
    landed = "".join(deltas([clean for raw in raws for clean in one.push(raw)] + one.flush()))
    assert landed.startswith("my key ") and landed.endswith(shape(f"{secret[cut:]} is out"))
    assert secret[14:20] not in landed and secret[20:] not in landed


def test_the_report_counts_by_rule() -> None:
    one = sanitizer()
    run([*answer(f"{KEY} at /home/jane"), *answer(f"{KEY}.", index=1)], one)
    assert one.report().replaced == {"anthropic": 2, "home": 1}


def test_hidden_text_is_filler_and_tool_arguments_are_shaped() -> None:
    def block(index: int, what: Think | Call) -> list[Raw]:
        events = [provider.block_start(index, what), *provider.block_deltas(index, what)]
        return [sse(event) for event in [*events, provider.block_stop(index)]]

    call = Call("toolu_01AbCd", "Read", {"file_path": "/home/jane/a.csv", "mine": 12})
    text = str([value_of(c) for c in run([*block(0, Think("I know Jane")), *block(1, call)])])
    assert "Jane" not in text and "jane" not in text and "12" not in text and "mine" not in text
    assert "toolu_000001" in text and "Read" in text and "file_path" in text


def test_torn_units_keep_their_size_and_cause() -> None:
    torn = TornUnit(17, "cut", SseFraming(event="content_block_delta"))
    (clean,) = run([Raw(0, "provider", "data", torn, 1)])
    assert clean.body == torn


@pytest.mark.parametrize(
    ("unit", "landed"),
    [
        (TextUnit("[DONE]", SseFraming()), TextUnit("[XXXX]", SseFraming())),
        (
            TextUnit("Jane", SseFraming("Jane's", "id-Jane", 5, ": Jane {data}\n\n")),
            TextUnit("Xxxx", SseFraming("value-1", "0000001", 5, None)),
        ),
        (
            TextUnit("x", SseFraming(layout="event:{event}\r\ndata: {data}\r\n\r\n")),
            TextUnit("x", SseFraming(layout="event:{event}\r\ndata: {data}\r\n\r\n")),
        ),
        (TextUnit("x", LineFraming("Jane")), TextUnit("x", LineFraming())),
        (JsonUnit(["Jane"], BodyFraming()), JsonUnit(["masked"], BodyFraming())),
    ],
)
def test_what_stands_around_the_data_lands_only_if_it_says_nothing(
    unit: Unit, landed: Unit
) -> None:
    assert [clean.body for clean in run([Raw(0, "provider", "data", unit, 1)])] == [landed]


def test_headers_land_by_allow_list() -> None:
    headers: Json = {
        "content-type": "text/event-stream",
        "Retry-After": "20",
        "request-id": "req_011CQabc",
        "set-cookie": "session=abc",
        "x-organization": "acme",
    }
    (clean,) = run([Raw(0, "provider", "response", {"status": 429, "headers": headers}, 1)])
    assert clean.body == {
        "status": 429,
        "headers": {
            "content-type": "text/event-stream",
            "Retry-After": "20",
            "request-id": "req_00000001",
            "set-cookie": "masked",
            "x-organization": "masked",
        },
    }


def test_a_request_lands_as_its_features() -> None:
    fields: dict[str, Json] = {
        "method": "POST",
        "path": "/v1/messages?beta=true&user=jane",
        "headers": {"x-api-key": KEY},
        "features": {
            "method": "POST",
            "path": "/v1/messages",
            "model": "claude-sonnet-4-5-20250929",
            "stream": True,
            "history": ["user text", "assistant text tool_use"],
            "results": ["toolu_01AbCd"],
            "prompt": "secret",
        },
    }
    (clean,) = run([Raw(0, "provider", "request", fields, 1)])
    assert clean.body == {
        "method": "POST",
        "path": "/v1/messages?beta=true&user=masked",
        "headers": {"x-api-key": "masked"},
        "features": {
            "method": "POST",
            "path": "/v1/messages",
            "model": "claude-sonnet-4-5-20250929",
            "stream": True,
            "history": ["user text", "assistant text tool_use"],
            "results": ["toolu_000001"],
            "prompt": "masked",
        },
    }
    assert list(clean.body) == list(fields)


def test_listed_words_that_tell_a_secret_together_are_none() -> None:
    history: list[Json] = [
        "user text",
        "log in with bob / hunter2hunter",
        "redis-cli --pass letmein",
    ]
    fields: dict[str, Json] = {"features": {"history": history}}
    (clean,) = run([Raw(0, "provider", "request", fields, 1)])
    assert clean.body == {"features": {"history": ["user text", "value-1", "value-2"]}}


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("exit", {"code": 143}),
        ("exit", {"signal": "SIGKILL"}),
        ("signal", {"name": "SIGINT"}),
        ("eof", {"stream": "stdin"}),
        ("cut", {"by": "client", "at": 1204}),
        ("message", {"via": "argv"}),
        ("cancel_requested", {"via": "SIGINT"}),
        ("unreconciled", {}),
        ("closed", {}),
        ("exited", {"code": 1}),
        ("exited", {"killed_by": "SIGTERM"}),
    ],
)
def test_what_the_edge_knows_lands_as_it_is(code: str, fields: dict[str, Json]) -> None:
    (clean,) = run([Raw(0, "host", code, fields)])
    assert clean.body == fields


def test_a_known_value_is_found_anywhere() -> None:
    known = KnownSecrets(secrets=("swordfish99",), user="janedoe", host="lab7")
    one = sanitizer(known=known)
    said: Json = {"type": "result", "subtype": "success", "result": "JaneDoe: sword\\u0066ish99"}
    cleans = run(
        [Raw(0, "agent", "out", JsonUnit(said, LineFraming())), *answer("swordfish99")], one
    )
    assert deltas(cleans) == ["key-1"]
    assert value_of(cleans[0])["result"].startswith("user-1: ")  # type: ignore[index,union-attr,call-overload]


def begin(cwd: str, prompt: str = "hello") -> list[Raw]:
    init: Json = {"type": "system", "subtype": "init", "cwd": cwd}
    asked: Json = {"type": "user", "message": {"role": "user", "content": prompt}}
    return [Raw(0, "agent", "out", JsonUnit(value, LineFraming())) for value in (init, asked)]


@pytest.mark.parametrize(
    "first",
    [
        begin("/home/janedoe/report"),
        begin("C:\\Users\\JaneDoe\\report"),
        begin("/srv", "see file:///Users/janedoe/x"),
    ],
)
def test_whoever_has_a_home_at_the_beginning_is_found_by_name(first: list[Raw]) -> None:
    told = "I am janedoe, at /mnt/c/Users/JaneDoe or -home-janedoe-x; \\u006aanedoe's"
    assert deltas(run([*first, *answer(told)])) == [
        "I am user-1, at /mnt/c/Users/user-1 or -home-user-1-x; user-1's"
    ]


def test_a_name_met_later_is_found_in_its_homes_alone() -> None:
    """What a text becomes depends on the session's beginning and on the text (S6)."""
    later = [*begin("/srv"), *answer("hello"), *begin("/home/janedoe"), *answer("janedoe", index=1)]
    assert deltas(run(later)) == ["hello", "janedoe"]


@pytest.mark.parametrize("name", ["assistant", "user", "workspace", "text"])
def test_a_home_named_like_a_word_of_the_protocol_teaches_nothing(name: str) -> None:
    assert deltas(run([*begin(f"/home/{name}/x"), *answer(f"the {name} said")])) == [
        f"the {name} said"
    ]


def test_read_boundaries_keep_their_share() -> None:
    said: Json = {"type": "result", "subtype": "success", "result": KEY * 4}
    raw = Raw(0, "agent", "out", JsonUnit(said, LineFraming()), None, (10, 60, 20))
    (clean,) = run([raw])
    assert clean.reads is not None and len(clean.reads) == 3
    assert sum(clean.reads) < sum((10, 60, 20)) and all(size >= 0 for size in clean.reads)


def test_strict_shapes_what_the_model_says() -> None:
    cleans = run(answer("The **total** is ", "76."), sanitizer("strict"))
    assert deltas(cleans) == ["Xxx **xxxxx** xx ", "00."]


@pytest.mark.parametrize(
    "texts",
    [
        (KEY, f"{KEY[:-1]}R"),
        ("10.1.2.3", "10.1.2.4"),
        ("sk-proj-aB3dE5fG7hJ9kL1mN2pQ HTTP", "sk-proj-zB3dE5fG7hJ9kL1mN2pQ HTTP"),
    ],
)
def test_what_tells_two_shapes_apart_is_nothing_to_the_gate(texts: tuple[str, str]) -> None:
    one = sanitizer("strict")
    raws = [raw for index, text in enumerate(texts) for raw in answer(text, index=index)]
    assert len(set(deltas(run(raws, one)))) == 2
    assert one.report().gate == {}


def test_only_this_room_makes_clean_records() -> None:
    with pytest.raises(TypeError):
        Clean(object(), 0, "t", "out", {})  # type: ignore[arg-type]


@given(split(encoded_texts))
def test_deltas_add_up_to_the_completed_text_however_they_are_cut(pieces: list[str]) -> None:
    """The same number, and together what the whole text becomes: in one delta, and completed."""
    text = "".join(pieces)
    said: Json = {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}
    completed = Raw(0, "agent", "out", JsonUnit(said, LineFraming()))
    cleans = run(answer(*pieces))
    (whole,) = run([completed])  # alone: beside its deltas it would be remembered
    assert len(deltas(cleans)) == len(pieces)
    block = value_of(whole)["message"]["content"][0]  # type: ignore[index,call-overload]
    assert "".join(deltas(cleans)) == block["text"]  # type: ignore[index,call-overload]


@given(st.lists(split(encoded_texts), max_size=3))
def test_sanitizing_twice_changes_nothing(texts: list[list[str]]) -> None:
    raws = [raw for index, pieces in enumerate(texts) for raw in answer(*pieces, index=index)]
    once = run(raws)
    again = [Raw(c.at_us, c.track, c.code, c.body, c.exchange) for c in once]
    assert [c.body for c in run(again)] == [c.body for c in once]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/messages?api_key=abcdefgh",
        "/v1/models/m:stream?key=AIzaSy&alt=sse",
        "/v1/messages?access_token=hunter2&sig=abc",
        "/openai/deployments/mine/chat/completions?api-version=2024-02-01",
        "https://u:pw@h.example/v1/messages?x",
    ],
)
def test_a_path_twice_sanitized_is_the_same_and_keeps_what_is_public(path: str) -> None:
    raw = Raw(0, "provider", "request", {"method": "POST", "path": path}, 1)
    (once,) = run([raw])
    (twice,) = run([Raw(0, "provider", "request", once.body, 1)])
    assert once.body == twice.body
    assert isinstance(once.body, dict) and "xxx" not in str(once.body["path"])
    assert not any(secret in str(once.body) for secret in ("abcdefgh", "AIza", "hunter2", "pw"))
