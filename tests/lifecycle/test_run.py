"""Transcripts of one run: observations and signals in, events out, read top to bottom."""

from __future__ import annotations

from collections import Counter

import pytest

from turnreel.lifecycle import ledger
from turnreel.lifecycle.book import Arrived, LedgerState
from turnreel.lifecycle.events import AnyEvent, Commentary, Health, RunStarted
from turnreel.lifecycle.observations import (
    AnyObservation,
    Asked,
    AttemptAbandoned,
    AttemptStarted,
    Awoke,
    Began,
    CancelAsked,
    Ended,
    Kept,
    Named,
    Refused,
    Resolved,
    Retracted,
    Said,
    Saying,
    Sourced,
    Stopped,
    ToolMoved,
    Troubled,
    Voided,
)
from turnreel.lifecycle.signals import (
    Answered,
    AnySignal,
    CancelRequested,
    Closed,
    Exited,
    Message,
    Orphaned,
    Parked,
    Produced,
    Reopened,
    Unreconciled,
)

T = "t1"


def play(*script: AnyObservation | AnySignal) -> list[AnyEvent]:
    """The events of a script in which every item arrives alone."""
    return play_counting(*script)[0]


def play_counting(
    *script: AnyObservation | AnySignal,
) -> tuple[list[AnyEvent], Counter[str], LedgerState]:
    state = LedgerState(session="s", agent="test")
    counts: Counter[str] = Counter()
    events: list[AnyEvent] = []
    for number, item in enumerate(script):
        arrived = Arrived(number * 1000, None, "test")
        if isinstance(item, AnyObservation):
            state, told = ledger.observe(state, [item], arrived, counts)
        else:
            state, told = ledger.signal(state, item, arrived, counts)
        events += told
    return events, counts, state


def lines(events: list[AnyEvent]) -> list[str]:
    """Events as a dialogue a person can read; the start and the ids left out."""
    return [line for event in events if (line := _line(event))]


def _line(event: AnyEvent) -> str:
    tag = str(type(event).__struct_config__.tag)
    short = event.id.rsplit(":")[-1]
    assert short == str(event.seq)
    match event:
        case RunStarted():
            return ""
        case Commentary():
            where = f"{event.message_id[-2:]} r{event.revision}@{event.offset}"
            mark = " retracted" if event.retracted else "" if event.done else " …"
            return f"commentary {where} {event.text!r}{mark}"
        case Health():
            return f"health {event.state} {event.code}"
    words = [
        str(getattr(event, name))
        for name in ("activity_id", "request_id", "kind", "name", "state", "resolution")
        if getattr(event, name, None) is not None
    ]
    if event.terminal:
        words += [repr(getattr(event, "text", "")), str(getattr(event, "health", ""))]
        if code := getattr(event, "code", None):
            words.append(code)
    return " ".join([tag, *(w.removeprefix("s.1/") for w in words)])


def said(message: str, text: str, block: int = 0, **more: object) -> Said:
    return Said(turn=T, message=message, block=block, text=text, **more)  # type: ignore[arg-type]


def tool(activity: str, state: str, message: str | None = None) -> ToolMoved:
    return ToolMoved(
        turn=T,
        activity=activity,
        state=state,
        kind="file_read",
        name="Read",
        message=message,  # type: ignore[arg-type]
    )


def attempt(message: str) -> AttemptStarted:
    return AttemptStarted(turn=T, message=message)


BEGIN = (Began(turn=T), Awoke(turn=T))
DONE = Ended(turn=T, ending="completed")


def test_progress_of_a_tool_loop_never_reaches_the_final() -> None:
    events = play(
        *BEGIN,
        said("m", "I'll check a.csv first."),
        tool("x", "started", "m"),
        tool("x", "ok"),
        said("n", "Total is 76."),
        Named(turn=T, text="Total is 76.", extent="tail"),
        DONE,
    )
    assert lines(events) == [
        'commentary m1 r1@0 "I\'ll check a.csv first."',
        "activity a2 file_read Read started",
        "activity a2 file_read Read ok",
        "final 'Total is 76.' healthy",
    ]


def test_text_on_both_sides_of_a_tool_is_two_messages() -> None:
    events = play(
        *BEGIN,
        said("m", "Before."),
        tool("x", "started", "m"),
        said("m", "After.", block=2),
        said("m", " More.", block=3),
        said("n", "Final."),
        DONE,
    )
    assert lines(events) == [
        "commentary m1 r1@0 'Before.'",
        "activity a2 file_read Read started",
        "commentary m3 r1@0 'After.' …",
        "commentary m3 r1@6 ' More.' …",
        "commentary m3 r1@12 ''",
        "activity a2 file_read Read unknown",
        "final 'Final.' healthy",
    ]


def test_blocks_of_one_message_are_one_final() -> None:
    events = play(
        *BEGIN,
        said("m", "Para one.\n"),
        said("m", "Para two.\n", block=1),
        Named(turn=T, text="Para two.", extent="tail"),
        DONE,
    )
    assert lines(events) == ["final 'Para one.\\nPara two.' healthy"]


def test_a_segment_joins_the_final_without_separator() -> None:
    events = play(
        *BEGIN,
        said("m", "Partial text."),
        AttemptAbandoned(turn=T, message="m", from_block=1),
        Kept(turn=T, message="m"),
        said("n", "After retry."),
        DONE,
    )
    assert lines(events) == ["final 'Partial text.After retry.' healthy"]


def test_a_limit_followed_by_another_message_is_a_segment() -> None:
    events = play(
        *BEGIN,
        said("m", "Some text."),
        Stopped(turn=T, message="m", reason="limited"),
        said("n", "Continuation."),
        DONE,
    )
    assert lines(events) == ["final 'Some text.Continuation.' healthy"]


def test_a_segment_with_an_activity_after_it_is_commentary() -> None:
    events = play(*BEGIN, said("m", "Kept."), Kept(turn=T, message="m"), tool("x", "started"), DONE)
    assert lines(events)[0] == "commentary m1 r1@0 'Kept.'"
    assert lines(events)[-1].startswith("failed ")


def test_segments_of_a_failed_run_are_dropped_and_counted() -> None:
    events, counts, _ = play_counting(
        *BEGIN,
        said("m", "Kept."),
        Kept(turn=T, message="m"),
        Ended(turn=T, ending="failed", code="output_truncated"),
    )
    assert lines(events) == [
        "failed 'The answer was cut off by the output limit.' healthy output_truncated"
    ]
    assert counts["text cut_off"] == 1


def test_a_superseded_candidate_is_commentary() -> None:
    events = play(*BEGIN, said("m", "First."), said("n", "Second."), DONE)
    assert lines(events) == ["commentary m1 r1@0 'First.'", "final 'Second.' healthy"]


def test_a_refused_or_voided_text_is_nowhere() -> None:
    for voiding in (
        Voided(turn=T, message="m"),
        Stopped(turn=T, message="m", reason="refused"),
        AttemptAbandoned(turn=T, message="m"),
    ):
        events = play(*BEGIN, said("m", "Gone."), voiding, said("n", "Kept."), DONE)
        assert lines(events) == ["final 'Kept.' healthy"]


def test_the_same_message_id_on_a_retry_replaces_the_text() -> None:
    events = play(
        *BEGIN,
        attempt("m"),
        said("m", "Half"),
        AttemptAbandoned(turn=T, message="m"),
        attempt("m"),
        said("m", "Whole text."),
        DONE,
    )
    assert lines(events) == ["final 'Whole text.' healthy"]


def test_live_commentary_is_published_by_offset_and_closed() -> None:
    def piece(delta: str) -> Saying:
        return Saying(turn=T, message="m", block=0, delta=delta, role="commentary")

    events = play(
        *BEGIN,
        piece("  Look"),
        piece("ing "),
        piece("now"),
        said("m", "  Looking now.", role="commentary", closes=True),
        said("n", "Done."),
        DONE,
    )
    assert lines(events) == [
        "commentary m1 r1@0 'Look' …",
        "commentary m1 r1@4 'ing' …",
        "commentary m1 r1@7 ' now' …",
        "commentary m1 r1@11 '.' …",
        "commentary m1 r1@12 ''",
        "final 'Done.' healthy",
    ]


def test_a_retry_that_re_says_an_unfinished_message_continues_it() -> None:
    events = play(
        *BEGIN,
        attempt("m"),
        Saying(turn=T, message="m", block=0, delta="I will lo", role="commentary"),
        AttemptAbandoned(turn=T, message="m"),
        attempt("n"),
        said("n", "I look now.", role="commentary", closes=True),
        said("o", "Done."),
        DONE,
    )
    assert lines(events)[:-1] == [
        "commentary m1 r1@0 'I will lo' …",
        "commentary m1 r2@0 'I look now.' …",
        "commentary m1 r2@11 ''",
    ]
    assert lines(events)[-1] == "final 'Done.' healthy"


def test_a_finished_message_said_again_by_a_retry_is_shown_once() -> None:
    events = play(
        *BEGIN,
        attempt("m"),
        said("m", "Reading."),
        tool("x", "started", "m"),
        tool("x", "ok"),
        AttemptAbandoned(turn=T, message="m", from_block=2),
        attempt("n"),
        said("n", "Reading."),
        said("o", "Done."),
        DONE,
    )
    assert [line for line in lines(events) if "Reading" in line] == [
        "commentary m1 r1@0 'Reading.'"
    ]


def test_a_retraction_takes_published_text_back() -> None:
    events = play(*BEGIN, said("m", "Oops."), tool("x", "started"), Retracted(turn=T, message="m"))
    assert lines(events)[-1] == "commentary m1 r2@0 '' retracted"


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (Named(turn=T, text="two.", extent="tail"), "final 'One. two.' healthy"),
        (Named(turn=T, text="One.", extent="tail"), "missing_final"),
        (
            Named(turn=T, text="One. two. three.", extent="whole"),
            "final 'One. two. three.' degraded",
        ),
        (Named(turn=T, text="Another.", extent="whole"), "missing_final"),
        (Named(turn=T, text="", extent="tail"), "final 'One. two.' healthy"),
    ],
)
def test_the_named_text_is_cross_checked(named: Named, expected: str) -> None:
    assert expected in lines(play(*BEGIN, said("m", "One. two."), named, DONE))[-1]


def test_a_success_without_text_is_missing_final() -> None:
    events = play(
        *BEGIN,
        said("m", "Interim chatter."),
        tool("x", "started", "m"),
        Named(turn=T, text="", extent="tail"),
        DONE,
    )
    assert lines(events)[-1].endswith("degraded missing_final")


def test_a_success_with_an_artifact_may_be_empty() -> None:
    events = play(*BEGIN, Produced(artifact="f", name="report.pdf"), DONE)
    assert lines(events)[-1] == "final '' healthy"


def test_a_paused_message_is_no_final() -> None:
    events = play(
        *BEGIN, said("m", "Searching."), Stopped(turn=T, message="m", reason="paused"), DONE
    )
    assert "missing_final" in lines(events)[-1]


def test_a_lone_named_text_stands_only_where_the_dialect_says_so() -> None:
    assert lines(play(*BEGIN, Named(turn=T, text="X", extent="whole", alone=True), DONE)) == [
        "final 'X' healthy"
    ]
    assert "missing_final" in lines(play(*BEGIN, Named(turn=T, text="X", extent="tail"), DONE))[-1]


def test_the_record_that_completes_a_run_carries_its_text() -> None:
    events = play(
        *BEGIN,
        said("m", "What the child said."),
        Named(turn=T, text="Its summary.", extent="whole", alone=True),
        Ended(turn=T, ending="completed", confidence="runtime"),
    )
    assert lines(events) == ["final 'Its summary.' healthy"]


def test_a_retry_adds_health_and_the_next_block_recovers_once() -> None:
    events = play(
        *BEGIN,
        Troubled(turn=T, code="rate_limited", attempt=1, will_retry=True),
        Troubled(turn=T, code="provider_unavailable", attempt=2, will_retry=True),
        said("m", "One."),
        said("n", "Two."),
        DONE,
    )
    assert lines(events) == [
        "health degraded rate_limited",
        "health degraded provider_unavailable",
        "health recovered provider_unavailable",
        "commentary m1 r1@0 'One.'",
        "final 'Two.' recovered",
    ]


def test_lasting_trouble_stays_to_the_end() -> None:
    events = play(
        *BEGIN, Troubled(turn=T, code="provider_unavailable", lasting=True), said("m", "A."), DONE
    )
    assert lines(events) == ["health degraded provider_unavailable", "final 'A.' degraded"]


def test_provider_trouble_waits_for_the_run_that_has_its_message() -> None:
    events = play(
        *BEGIN,
        Troubled(turn="", code="provider_unavailable", message="m"),
        Troubled(turn="", code="provider_unavailable", message="nobody's"),
        Troubled(turn="", code="provider_unavailable"),
        attempt("m"),
        attempt("n"),
        said("n", "A."),
        DONE,
    )
    assert lines(events) == [
        "health degraded provider_unavailable",
        "health recovered provider_unavailable",
        "final 'A.' recovered",
    ]


@pytest.mark.parametrize(
    ("script", "terminal"),
    [
        ((Began(turn=T), Closed(), Unreconciled()), "failed startup"),
        ((*BEGIN, Closed(), Unreconciled()), "failed incomplete"),
        ((*BEGIN, Exited(code=0), Unreconciled()), "failed incomplete"),
        ((*BEGIN, CancelRequested(via="SIGINT"), Exited(code=0), Unreconciled()), "cancelled"),
        ((*BEGIN, CancelAsked(turn=T), Closed(), Unreconciled()), "cancelled"),
        ((*BEGIN, Exited(killed_by="SIGKILL"), Unreconciled()), "failed incomplete"),
        ((*BEGIN, Orphaned()), "failed abandoned"),
        ((Began(turn=T), Refused(turn=T)), "failed startup"),
        ((Began(turn=T), Refused(turn=T, code="auth")), "failed auth"),
        ((Began(turn=T), CancelRequested(), Refused(turn=T)), "cancelled"),
        ((*BEGIN, Closed(), Reopened(), said("m", "A."), DONE), "final None"),
        ((*BEGIN, CancelAsked(turn=T), Ended(turn=T, ending="failed", code="auth")), "cancelled"),
        ((*BEGIN, CancelAsked(turn=T), said("m", "A."), DONE), "final None"),
        ((*BEGIN, Ended(turn=T, ending="interrupted")), "cancelled"),
    ],
)
def test_terminals(script: tuple[AnyObservation | AnySignal, ...], terminal: str) -> None:
    last = play(*script)[-1]
    assert last.terminal
    tag = type(last).__struct_config__.tag
    assert f"{tag} {last.code}".startswith(terminal)  # type: ignore[union-attr]


ASK = Asked(turn=T, request="q", kind="approval", prompt="Allow Write?", activity="x")


def test_an_open_gate_at_a_calm_end_needs_input_and_parks() -> None:
    events = play(*BEGIN, tool("x", "started"), ASK, Exited(code=0), Unreconciled())
    assert lines(events) == [
        "activity a1 file_read Read started",
        "input.requested g2 approval",
        "input.resolved g2 approval parked",
        "activity a1 file_read Read unknown",
        "needs_input g2 'Allow Write?' healthy",
    ]
    crashed = play(*BEGIN, ASK, Exited(code=1), Unreconciled())
    assert lines(crashed)[-1].endswith("degraded incomplete")


def test_the_host_parks_a_gate() -> None:
    events = play(*BEGIN, ASK, Parked(request="q"), said("m", "late"), DONE)
    assert lines(events)[-1] == "needs_input g1 'Allow Write?' healthy"


def test_a_deferred_tool_is_a_gate_opened_and_parked() -> None:
    events = play(*BEGIN, tool("x", "started"), Ended(turn=T, ending="asked", deferred="x"))
    assert lines(events) == [
        "activity a1 file_read Read started",
        "input.requested g2 approval",
        "input.resolved g2 approval parked",
        "activity a1 file_read Read unknown",
        "needs_input g2 'Allow Read?' healthy",
    ]


def test_a_question_that_does_not_block_ends_no_run() -> None:
    """G7, T4: it is withdrawn, and the run is what it would be without it."""
    aside = Asked(turn=T, request="q", kind="question", prompt="Name?", blocking=False)
    alone = lines(play(*BEGIN, aside, Exited(code=0), Unreconciled()))
    assert alone[:2] == ["input.requested g1 question", "input.resolved g1 question withdrawn"]
    assert alone[2].endswith("degraded incomplete")
    before = play(*BEGIN, ASK, aside, Exited(code=0), Unreconciled())
    assert lines(before)[-1] == "needs_input g1 'Allow Write?' healthy"
    assert lines(play(*BEGIN, aside, Parked(request="q")))[-1] == "needs_input g1 'Name?' healthy"


def test_the_host_answers_a_gate_outside_the_agents_input() -> None:
    answered = Answered(request="q", resolution="approved")
    events, counts, _ = play_counting(*BEGIN, ASK, answered, answered, Message())
    assert lines(events)[-1] == "input.resolved g1 approval approved"
    assert counts == {"gate approved after approved": 1}


def test_a_cancelled_turn_asks_nothing_any_more() -> None:
    """T7, T9: a tool deferred after the cancel request opens no gate."""
    deferred = Ended(turn=T, ending="asked", deferred="x")
    assert lines(play(*BEGIN, tool("x", "started"), CancelAsked(turn=T), deferred)) == [
        "activity a1 file_read Read started",
        "activity a1 file_read Read cancelled",
        "cancelled 'The turn was cancelled.' healthy",
    ]


def test_a_vendor_error_after_a_cancel_only_adds_health() -> None:
    """T7, O2: a limit adds none."""
    rejected = Ended(turn=T, ending="failed", code="rate_limited")
    assert lines(play(*BEGIN, CancelAsked(turn=T), rejected)) == [
        "health degraded rate_limited",
        "cancelled 'The turn was cancelled.' degraded",
    ]
    limit = Ended(turn=T, ending="failed", code="max_turns")
    assert lines(play(*BEGIN, CancelAsked(turn=T), limit))[-1].endswith("healthy")


def test_what_is_told_again_is_one_source_and_one_artifact() -> None:
    """R1, R2."""
    source = Sourced(turn=T, source="u", title="Title")
    report = Produced(artifact="f", name="report.pdf")
    events, counts, _ = play_counting(*BEGIN, source, report, source, report)
    assert [type(event).__name__ for event in events[1:]] == ["Source", "Artifact"]
    assert counts == {"source told before": 1, "artifact told before": 1}


def test_nobody_settles_a_run_whose_stream_is_open() -> None:
    events, counts, state = play_counting(*BEGIN, Unreconciled())
    assert lines(events) == [] and state.runs[0].phase == "open"
    assert counts == {"run unreconciled while open": 1}


def test_a_denied_gate_declines_its_tool_and_a_second_answer_is_ignored() -> None:
    events, counts, _ = play_counting(
        *BEGIN,
        tool("x", "started"),
        ASK,
        Resolved(turn=T, request="q", resolution="declined"),
        Resolved(turn=T, request="q", resolution="approved"),
        tool("x", "failed"),
        said("m", "Fine."),
        DONE,
    )
    assert lines(events)[1:] == [
        "input.requested g2 approval",
        "input.resolved g2 approval declined",
        "activity a1 file_read Read declined",
        "final 'Fine.' healthy",
    ]
    assert counts["gate approved after declined"] == 1


def test_a_gate_whose_tool_ends_unanswered_expires() -> None:
    events = play(*BEGIN, tool("x", "started"), ASK, tool("x", "failed"))
    assert lines(events)[2:] == [
        "input.resolved g2 approval expired",
        "activity a1 file_read Read declined",
    ]


def test_a_cancel_closes_what_is_open() -> None:
    events = play(
        *BEGIN,
        tool("x", "started"),
        tool("y", "started"),
        ASK,
        CancelAsked(turn=T),
        tool("x", "failed"),
        Ended(turn=T, ending="interrupted"),
    )
    assert lines(events)[2:] == [
        "input.requested g3 approval",
        "input.resolved g3 approval withdrawn",
        "activity a1 file_read Read cancelled",
        "activity a2 file_read Read cancelled",
        "cancelled 'The turn was cancelled.' healthy",
    ]


def test_an_unknown_close_is_settled_once() -> None:
    events = play(
        *BEGIN, tool("x", "started"), tool("x", "unknown"), tool("x", "ok"), tool("x", "failed")
    )
    assert [line.split()[-1] for line in lines(events)] == ["started", "unknown", "ok"]


def test_after_the_terminal_only_health_follows() -> None:
    events, counts, _ = play_counting(
        *BEGIN, said("m", "A."), DONE, said("n", "late"), DONE, Exited(code=1), Unreconciled()
    )
    assert lines(events) == ["final 'A.' healthy", "health degraded unknown"]
    assert counts["late said"] == counts["late ended"] == 1


def test_runs_of_one_thread_are_numbered_and_linked() -> None:
    events = play(
        Began(turn="a"),
        Began(turn="c", parent="a"),
        Ended(turn="a", ending="interrupted"),
        Began(turn="b", caused_by="a"),
        Began(turn="a"),
    )
    started = [e for e in events if isinstance(e, RunStarted)]
    assert [(e.run_id, e.parent_run_id, e.caused_by) for e in started] == [
        ("s.1", None, None),
        ("s.2", "s.1", None),
        ("s.3", None, "s.1"),
    ]
    assert started[0].thread_id == started[2].thread_id != started[1].thread_id
