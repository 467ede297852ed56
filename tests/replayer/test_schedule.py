"""Schedules: pure, seeded, byte for byte what was recorded, and faults exactly where told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.replayer.faults import Pacing, Plan
from turnreel.replayer.plan import make_plan
from turnreel.replayer.schedule import arrange, schedule
from turnreel.replayer.script import AgentScript, Exchange
from turnreel.replayer.steps import (
    Await,
    Break,
    Close,
    End,
    Head,
    Hold,
    Linger,
    Quit,
    Schedule,
    Send,
    render,
)

if TYPE_CHECKING:
    from conftest import Recording


@pytest.fixture
def exchange(recording: Recording) -> Exchange:
    recording.answer(1)
    return recording.tape().provider().exchanges[0]


@pytest.fixture
def agent(recording: Recording) -> AgentScript:
    recording.line({"type": "user", "uuid": "u"}, "in")
    recording.line({"type": "system", "subtype": "init"})
    recording.line("warning", "err", kind="text")
    recording.line({"type": "assistant"})
    recording.line({"type": "result"})
    recording.line({"stream": "stdin"}, "eof")
    recording.line({"code": 3}, "exit")
    return recording.tape().agent_script()


def planned(script: Exchange | AgentScript, *specs: str, seed: int = 0) -> Schedule:
    return schedule(script, make_plan(specs, seed=seed))


def recorded(exchange: Exchange) -> bytes:
    return b"".join(event.data for event in exchange.events)


def test_without_faults_the_recording_is_played(exchange: Exchange) -> None:
    made = planned(exchange)
    assert made.body == recorded(exchange)
    assert made.faults == frozenset()
    head, *_, end = made.steps
    assert head == Head(
        1000, 200, (("content-type", "text/event-stream"), ("request-id", "req_1")), "chunked"
    )
    assert end == End(10_000)
    assert [step.at_us for step in made.steps] == [1000 * (n + 1) for n in range(10)]


words = st.lists(st.text(min_size=1), max_size=6)
specs = st.lists(
    st.sampled_from(
        [
            "status:529",
            "cut:clean@event=random",
            "cut:reset@byte=random",
            "cut:clean@event=4",
            "duplicate@event=random",
            "duplicate@event=2",
        ]
    ),
    max_size=4,
    unique=True,
)


@given(words, specs, st.integers(), st.floats(0, 10))
def test_equal_plans_give_equal_schedules(
    new_recording: type[Recording], said: list[str], faults: list[str], seed: int, factor: float
) -> None:
    recording = new_recording()
    recording.answer(1, said)
    exchange = recording.tape().provider().exchanges[0]
    plan = Plan(make_plan(faults).faults, seed, Pacing(factor))
    made = schedule(exchange, plan)
    assert made == schedule(exchange, plan)
    assert list(made.steps) == sorted(made.steps, key=lambda step: step.at_us)
    assert made.faults <= set(range(len(faults)))
    calm = schedule(exchange, Plan(plan.faults, seed, Pacing(factor)), armed=())
    assert calm.body == recorded(exchange)
    if not any("status" in fault or "duplicate" in fault for fault in faults):
        assert recorded(exchange).startswith(made.body)


@given(st.integers())
def test_chance_is_the_seeds(new_recording: type[Recording], seed: int) -> None:
    recording = new_recording()
    recording.answer(1, ["word "] * 200)
    exchange = recording.tape().provider().exchanges[0]
    bodies = {
        len(planned(exchange, "cut:clean@byte=random", seed=seed + other).body)
        for other in range(8)
    }
    assert len(bodies) > 1


@pytest.mark.parametrize("event", range(9))
def test_a_cut_at_an_event_comes_when_it_was_delivered_whole(
    exchange: Exchange, event: int
) -> None:
    made = planned(exchange, f"cut:clean@event={event}")
    assert made.body == b"".join(one.data for one in exchange.events[:event])
    assert made.steps[-1] == Break(made.steps[-2].at_us, "clean", (0,))
    assert isinstance(made.steps[0], Head)


def test_a_cut_at_a_byte_is_exact_everywhere(exchange: Exchange) -> None:
    body = recorded(exchange)
    for byte in range(len(body) + 1):
        made = planned(exchange, f"cut:reset@byte={byte}")
        assert made.body == body[:byte]
        assert made.steps[-1] == Break(made.steps[-2].at_us, "reset", (0,))


def test_a_place_that_the_recording_does_not_reach_changes_nothing(exchange: Exchange) -> None:
    beyond = exchange.size + 1
    made = planned(exchange, "cut:clean@event=9", f"cut:clean@byte={beyond}", "duplicate@event=0")
    assert made == planned(exchange)


def test_the_earliest_ending_wins_and_the_others_do_not_fire(exchange: Exchange) -> None:
    made = planned(exchange, "cut:clean@event=5", "cut:reset@event=2", "duplicate@event=6")
    assert made.faults == {1}
    assert made.body == b"".join(one.data for one in exchange.events[:2])


def test_a_duplicate_comes_right_behind_its_event(exchange: Exchange) -> None:
    made = planned(exchange, "duplicate@event=3", "cut:clean@event=3")
    one, two, three = (event.data for event in exchange.events[:3])
    assert made.body == one + two + three + three
    assert made.faults == {0, 1}


def test_a_status_answers_in_the_providers_shape(exchange: Exchange) -> None:
    made = planned(exchange, "status:429,retry-after=7")
    head, send, end = made.steps
    assert head == Head(
        0, 429, (("content-type", "application/json"), ("retry-after", "7")), "length",
        len(made.body), (0,),
    )  # fmt: skip
    assert made.body.startswith(b'{"type":"error","error":{"type":"rate_limit_error"')
    assert isinstance(send, Send) and end == End(0)


def test_an_exchange_can_be_named(exchange: Exchange) -> None:
    assert planned(exchange, "status:500,exchange=2") == planned(exchange)
    assert planned(exchange, "status:500,exchange=1").faults == {0}


def test_only_armed_faults_are_scheduled(exchange: Exchange) -> None:
    plan = make_plan(["status:500", "duplicate@event=1", "cut:clean@event=2"])
    assert schedule(exchange, plan, {1, 2}).faults == {1, 2}
    assert schedule(exchange, plan, ()).faults == frozenset()


@pytest.mark.parametrize(("factor", "last"), [(0.0, 0), (0.5, 5_000), (3.0, 30_000)])
def test_pacing_multiplies_recorded_time(exchange: Exchange, factor: float, last: int) -> None:
    assert schedule(exchange, Plan(pacing=Pacing(factor))).steps[-1] == End(last)


def test_what_was_cut_is_played_cut(recording: Recording) -> None:
    recording.request(1)
    recording.response(1)
    recording.opening(1, ["Half"])
    recording.note("provider", "cut", {"by": "upstream", "at": 0}, n=1)
    recording.request(2)
    recording.note("provider", "cut", {"by": "client", "at": 0}, n=2)
    recording.request(3)
    cut, left, open_ = recording.tape().provider().exchanges
    assert planned(cut).steps[-1] == Break(6000, "clean")
    assert isinstance(planned(cut).steps[0], Head)
    assert planned(left).steps == (Linger(1000),)
    assert planned(open_).steps == (Linger(0),)
    assert planned(left, "cut:reset@event=0").steps == (Break(0, "reset", (0,)),)


def test_a_whole_body_has_its_length_and_a_cut_one_does_not(recording: Recording) -> None:
    for n in (1, 2):
        recording.request(n)
        recording.response(n, 400, content_length="3", transfer_encoding="chunked", server="x")
        recording.note("provider", "data", {"type": "error"}, n=n)
    recording.note("provider", "end", {}, n=1)
    whole, torn = recording.tape().provider().exchanges
    json = (("content-type", "application/json"),)
    assert planned(whole).steps[0] == Head(1000, 400, json, "length", 16)
    head = planned(torn).steps[0]
    assert isinstance(head, Head) and head.framing == "chunked"


def test_socket_reads_are_kept_where_they_add_up(recording: Recording) -> None:
    recording.request(1)
    recording.response(1)
    size = len(b'event: ping\ndata: {"type":"ping"}\n\n')
    recording.event(1, {"type": "ping"}, reads=[5, size - 5])
    recording.event(1, {"type": "ping"}, reads=[5, size])
    _, kept, dropped, _ = planned(recording.tape().provider().exchanges[0]).steps
    assert isinstance(kept, Send) and kept.slices == (5, size - 5)
    assert isinstance(dropped, Send) and dropped.slices == ()


def test_an_agent_is_played_with_what_its_host_did_as_gates(agent: AgentScript) -> None:
    made = planned(agent)
    kinds = [type(step) for step in made.steps]
    assert kinds == [Await, Send, Send, Send, Send, Await, Quit]
    assert [getattr(step, "stream", "") for step in made.steps[1:5]] == [
        "stdout", "stderr", "stdout", "stdout",
    ]  # fmt: skip
    assert made.steps[-1] == Quit(7000, 3)
    assert made.body.count(b"\n") == 3


def test_a_closed_stdin_gates_only_agents_that_are_spoken_to(recording: Recording) -> None:
    recording.line({"stream": "stdin"}, "eof")
    recording.line({"type": "result"})
    kinds = [type(step) for step in planned(recording.tape().agent_script()).steps]
    assert kinds == [Send, Linger]


@pytest.mark.parametrize(
    ("spec", "lines", "end"),
    [
        ("exit:2@event=0", 0, Quit(0, 2, None, (0,))),
        ("exit:2@event=1", 1, Quit(2000, 2, None, (0,))),
        ("kill@event=2", 2, Quit(4000, None, "SIGKILL", (0,))),
        ("exit:7@event=3", 3, Quit(5000, 7, None, (0,))),
    ],
)
def test_a_process_ends_where_told(agent: AgentScript, spec: str, lines: int, end: Quit) -> None:
    made = planned(agent, spec)
    assert made.body.count(b"\n") == lines
    assert made.steps[-1] == end


def test_a_cut_agent_ends_as_recorded_at_once(agent: AgentScript) -> None:
    made = planned(agent, "cut:clean@byte=20")
    assert len(made.body) == 20
    assert made.steps[-2:] == (Break(2000, "clean", (0,)), Quit(2000, 3))


@pytest.mark.parametrize("ending", ["exit:1@event=2", "kill@event=2"])
def test_a_cancel_is_waited_for_before_an_ending_at_the_same_place(
    agent: AgentScript, ending: str
) -> None:
    made = planned(agent, ending, "cancel:rest@event=2")
    assert made.steps[-2] == Hold(4000, "rest", (1,))
    assert isinstance(made.steps[-1], Quit)


def test_a_cancel_behind_the_ending_does_not_come(agent: AgentScript) -> None:
    assert planned(agent, "exit:1@event=1", "cancel@event=2").faults == {0}


def test_a_dry_run_says_what_would_happen_and_no_content(exchange: Exchange) -> None:
    plan = make_plan(["duplicate@event=1", "cut:reset@byte=200"])
    assert list(render(schedule(exchange, plan), plan)) == [
        "    +0.001s  head 200 text/event-stream",
        "    +0.002s  event 1  message_start  127 B",
        "    +0.002s  part  message_start  73 B  <- duplicate@event=1",
        "    +0.002s  cut reset after 200 B  <- cut:reset@byte=200",
    ]


def test_a_dry_run_of_an_agent(agent: AgentScript) -> None:
    plan = make_plan(["cancel@event=2", "exit:2@event=3"])
    assert list(render(schedule(agent, plan), plan)) == [
        "    +0.001s  waits for input user",
        "    +0.002s  event 1  system/init  35 B",
        "    +0.003s  stderr  text  8 B",
        "    +0.004s  event 2  assistant  21 B",
        "    +0.004s  waits for SIGINT or SIGTERM, then stop  <- cancel@event=2",
        "    +0.005s  event 3  result  18 B",
        "    +0.005s  exit 2  <- exit:2@event=3",
    ]


def test_only_a_websocket_is_closed_with_a_code(exchange: Exchange) -> None:
    plan = make_plan(["close:1011@event=3"])
    assert arrange(exchange, plan).misfits == {0: "is no WebSocket"}
    socket = msgspec.structs.replace(exchange, carrier="websocket")
    made = planned(socket, "close:1011@event=3")
    assert made.body == b"".join(one.data for one in exchange.events[:3])
    assert made.steps[-1] == Close(made.steps[-2].at_us, 1011, (0,))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("drop@type=mesage_delta", "has no mesage_delta; closest: message_delta (1)"),
        ("drop@type=content_block_delta,nth=3",
         "has 2 of type content_block_delta, the last is event 5"),
        ("cut:clean@time=99", "lasts 0.010 s"),
        ("exit:0@event=terminal-9", "has 7 events before its terminal"),
        ("late@event=terminal", "has event 8 at its terminal, not before it"),
        ("reorder,by=9@event=2", "has 6 events behind event 2"),
        ("changed-id@event=8", "gives out no id in event 8"),
        ("drip:1@event=99", "has 8 events, 762 bytes"),
    ],
)  # fmt: skip
def test_a_fault_without_a_place_says_what_is_closest(
    exchange: Exchange, spec: str, reason: str
) -> None:
    [told] = arrange(exchange, make_plan([spec])).misfits.values()
    assert told.startswith(reason)


def test_a_time_is_the_recordings_at_any_pace(exchange: Exchange) -> None:
    plan = make_plan(["cut:clean@time=0.0045"])
    bodies = {schedule(exchange, Plan(plan.faults, 0, Pacing(factor))).body for factor in (0, 1, 9)}
    assert bodies == {b"".join(one.data for one in exchange.events[:3])}


def test_what_a_carrier_does_not_have_is_said(exchange: Exchange, recording: Recording) -> None:
    socket = msgspec.structs.replace(exchange, carrier="websocket")
    told = arrange(socket, make_plan(["reslice:7"])).misfits
    assert told == {0: "is a WebSocket, whose messages are whole"}
    recording.request(2)
    recording.response(2, 400)
    recording.note("provider", "data", {"type": "error"}, n=2)
    recording.note("provider", "end", {}, n=2)
    whole = recording.tape().provider().exchanges[1]
    plan = make_plan(["cut:chunk@event=1", "cut:clean@byte=3"])
    made = arrange(whole, plan)
    assert made.misfits == {0: "has a body without chunks; use clean"}
    assert made.schedule.body == b'{"t'
