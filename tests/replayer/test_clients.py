"""Whose request it is, and what each client gets of one cassette or of many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.replayer.streams import tape
from turnreel.adapters.registry import provider
from turnreel.replayer.client import Fetched, fetch
from turnreel.replayer.clients import CLIENT_HEADER, REMEMBERED, Clients, client_of
from turnreel.replayer.errors import ReplayError
from turnreel.replayer.journal import KEPT, Journal
from turnreel.replayer.plan import make_plan
from turnreel.replayer.report import Missed, Report
from turnreel.replayer.server import Server, serving
from turnreel.wire.units import Json

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/messages"
AT_ONCE = make_plan(pacing="max")


def body(*roles: str, model: str = "m") -> bytes:
    messages = [{"role": role, "content": "words"} for role in roles]
    return msgspec.json.encode({"model": model, "stream": True, "messages": messages})


def features(*roles: str, model: str = "m") -> Json:
    return provider("anthropic-messages").features("POST", PATH, body(*roles, model=model))


async def asked(server: Server, said: bytes, headers: Mapping[str, str] | None = None) -> Fetched:
    return await fetch(server.url, PATH, body=said, headers=headers)


def word(got: Fetched) -> bytes:
    """The one word of an answer."""
    for part in got.body.split(b'"text_delta","text":"')[1:]:
        return part.partition(b'"')[0]
    return str(got.status).encode()


def retried(recording: Recording) -> None:
    """A step that was asked for twice."""
    recording.answer(1, ["one"], features=features("user"))
    recording.answer(2, ["two"], features=features("user"))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({}, {}, True),
        ({"x-api-key": "k"}, {"x-api-key": "k"}, True),
        ({"x-api-key": "k"}, {"x-api-key": "l"}, False),
        ({"x-api-key": "k"}, {"authorization": "k"}, False),
        ({"x-api-key": "k", "session-id": "s"}, {"session-id": "s"}, True),
        ({"x-claude-code-session-id": "a"}, {"x-claude-code-session-id": "b"}, False),
        ({CLIENT_HEADER: "w1", "session-id": "a"}, {CLIENT_HEADER: "w1"}, True),
    ],
)
def test_clients_are_told_by_what_they_say(
    left: dict[str, str], right: dict[str, str], same: bool
) -> None:
    assert (client_of(left) == client_of(right)) is same


def test_a_key_tells_nothing_of_a_credential() -> None:
    assert b"secret" not in client_of({"authorization": "Bearer secret"})


def test_a_crowd_of_clients_is_bounded() -> None:
    clients: Clients[list[int]] = Clients(list)
    first = clients.of({"x-api-key": "first"})
    for n in range(REMEMBERED):
        clients.of({"x-api-key": str(n)})
    again = clients.of({"x-api-key": "first"})
    assert (first[0], again[0]) == (1, REMEMBERED + 2)
    assert first[1] is not again[1]


def test_each_client_goes_through_the_recording_on_its_own(recording: Recording) -> None:
    retried(recording)

    async def run() -> list[bytes]:
        async with serving(recording.tape(), AT_ONCE) as server:
            keys = ["a", "b", "a", "b", "a"]
            got = [await asked(server, body("user"), {"x-api-key": key}) for key in keys]
            assert [one.client for one in server.report().served] == [1, 2, 1, 2, 1]
            return [word(one) for one in got]

    assert asyncio.run(run()) == [b"one", b"one", b"two", b"two", b"two"]


def test_requests_of_one_client_at_once_get_each_their_own(recording: Recording) -> None:
    """Subagents ask beside the main loop, under the same session."""
    recording.answer(1, ["main"], features=features("user"))
    recording.answer(2, ["sub"], features=features("user", model="small"))
    recording.answer(3, ["sub two"], features=features("user", model="small"))

    async def run() -> list[bytes]:
        async with serving(recording.tape(), AT_ONCE) as server:
            said = [body("user", model="small"), body("user"), body("user", model="small")]
            session = {"x-claude-code-session-id": "s"}
            return [
                word(g) for g in await asyncio.gather(*(asked(server, b, session) for b in said))
            ]

    got = asyncio.run(run())
    assert got[1] == b"main"
    assert sorted(got[::2]) == [b"sub", b"sub two"]


def test_many_cassettes_answer_each_its_own_conversation(
    new_recording: type[Recording], tmp_path: Path
) -> None:
    paths = []
    for name in ("a", "b"):
        one = new_recording()
        one.answer(1, [f"{name}1"], features=features("user"))
        one.answer(2, [f"{name}2"], features=features(*("user", "assistant") * (len(paths) + 1)))
        one.answer(3, [f"{name}3"], features=features("user"))
        paths.append(one.write(tmp_path / f"{name}.cassette.jsonl"))

    async def run() -> list[bytes]:
        async with serving(paths, AT_ONCE) as server:
            steps = [
                body("user"),
                body(*("user", "assistant") * 2),  # only the second has this one
                body("user"),  # and is stayed with
                body("user"),
                body("user"),
            ]
            got = [await asked(server, step) for step in steps]
            report = server.report()
            assert report.cassette == "2 cassettes"
            assert [one.cassette for one in report.served][:2] == [path.name for path in paths]
            return [word(one) for one in got]

    assert asyncio.run(run()) == [b"a1", b"b2", b"b1", b"b3", b"b3"]


def test_cassettes_of_different_dialects_are_served_beside_each_other(
    recording: Recording,
) -> None:
    recording.answer(1, ["claude"], features=features("user"))

    async def run() -> list[Any]:
        async with serving([recording.tape(), tape("openai-chat")], AT_ONCE) as server:
            paths = (PATH, "/v1/chat/completions", "/v1/responses", "/nowhere")
            return [await fetch(server.url, path, body=body("user")) for path in paths]

    claude, chat, responses, nowhere = asyncio.run(run())
    assert word(claude) == b"claude"
    assert b"chat.completion.chunk" in chat.body
    assert (responses.status, nowhere.status) == (400, 400)
    assert b'"type":"invalid_request_error","code":null' in responses.body
    assert nowhere.body.startswith(b'{"type":"error","error":{"type":"invalid_request_error"')


def test_cassettes_without_a_provider_do_not_matter_beside_others(
    new_recording: type[Recording],
) -> None:
    with_one, without = new_recording(), new_recording()
    with_one.answer(1, ["x"])
    without.line({"type": "result"})

    async def run() -> bytes:
        async with serving([without.tape(), with_one.tape()], AT_ONCE) as server:
            return word(await asked(server, body("user")))

    assert asyncio.run(run()) == b"x"
    with pytest.raises(ReplayError, match="holds no provider"):
        asyncio.run(_serve_nothing([without.tape()]))
    with pytest.raises(ReplayError, match="nothing was named"):
        asyncio.run(_serve_nothing([]))


async def _serve_nothing(tapes: list[Any]) -> None:
    async with serving(tapes):
        raise AssertionError("there is nothing to serve")


def test_an_agent_that_goes_on_behind_a_cut_gets_the_step_again_and_the_steps_behind_it(
    recording: Recording,
) -> None:
    recording.answer(1, ["one", "more"], features=features("user"))
    recording.answer(2, ["two"], features=features("user", "assistant", "user"))
    recording.answer(3, ["three"], features=features(*["user", "assistant"] * 2, "user"))
    kept = ["assistant", "user"]

    async def run() -> list[bytes]:
        async with serving(recording.tape(), make_plan(["cut:clean@event=4,exchange=1"])) as server:
            got = [
                await asked(server, body("user")),
                await asked(server, body("user", *kept, "assistant")),
                await asked(server, body("user", *kept, "assistant", *kept)),
                await asked(server, body("user", *kept, "assistant", *kept, *kept)),
                await asked(server, body("user")),
            ]
            assert [one.ended for one in got] == ["short", *["complete"] * 4]
            return [word(one) for one in got]

    assert asyncio.run(run()) == [b"one", b"one", b"two", b"three", b"one"]


def test_only_what_a_fault_spoilt_is_gone_on_with(recording: Recording) -> None:
    recording.answer(1, ["one"], features=features("user"))

    async def run() -> list[int]:
        async with serving(recording.tape(), AT_ONCE) as server:
            said = [body("user"), body("user", "assistant", "user")]
            return [(await asked(server, one)).status for one in said]

    assert asyncio.run(run()) == [200, 400]


def test_the_journal_of_a_long_run_is_bounded(recording: Recording) -> None:
    recording.answer(1, ["x"], features=features("user"))
    asking = KEPT + 5

    async def run() -> None:
        async with serving(recording.tape(), AT_ONCE) as server:
            for _ in range(asking):
                await asked(server, body("user", model="other"))
            report = server.report()
            assert (report.requests, report.missed) == (asking, asking)
            assert (len(report.served), len(report.misses)) == (KEPT, KEPT)
            assert report.misses[-1].request == asking
            answered, told = report.lines()
            assert answered == f"answered 0 of {asking} requests from test.cassette.jsonl"
            assert told.startswith(f"miss: {asking} requests, 1 to {asking}: nearest is exchange 1")

    asyncio.run(run())


def missed(reasons: Iterable[str], nearest: int = 1) -> Report:
    journal = Journal()
    for reason in reasons:
        journal.missed(Missed(journal.begin(), reason, nearest, "a.cassette.jsonl"))
    return journal.report("a.cassette.jsonl", 0, ())


def test_misses_of_one_reason_are_told_once() -> None:
    """In the order of their first; what is nearest to another recording is another miss."""
    report = missed(["the model", "the path", "the model", "the model"])
    assert [(one.count, one.first, one.last, one.reason) for one in report.alike] == [
        (3, 1, 4, "the model"),
        (1, 2, 2, "the path"),
    ]
    assert list(report.lines())[1:] == [
        "miss: 3 requests, 1 to 4: the model",
        "miss: request 2: the path",
    ]
    journal = Journal()
    for nearest in (1, 2, 1):
        journal.missed(Missed(journal.begin(), "the model", nearest))
    alike = journal.report("", 0, ()).alike
    assert [(one.nearest, one.count) for one in alike] == [(1, 2), (2, 1)]


def test_reasons_are_kept_so_far_and_the_rest_counted() -> None:
    report = missed([*(f"reason {n}" for n in range(KEPT + 2)), "reason 0"])
    assert (len(report.alike), report.missed) == (KEPT, KEPT + 3)
    assert report.alike[0].count == 2
    assert list(report.lines())[-1] == "miss: 2 for other reasons, which are not kept"


def test_a_reset_journal_has_no_misses() -> None:
    journal = Journal()
    journal.missed(Missed(journal.begin(), "the model", 1))
    journal.forget()
    report = journal.report("", 0, ())
    assert (report.missed, report.misses, report.alike) == (0, (), ())
