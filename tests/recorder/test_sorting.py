"""What a host did beside its agent's streams, as a transcript of each case."""

from __future__ import annotations

from typing import Any

from turnreel.recorder.sorting import Sorter

from .conftest import Memory

LISTEN = ("GET", "/v1/runs/run_1/events")
ASK = ("GET", "/v1/runs/run_1")
STOP = ("POST", "/v1/runs/run_1/stop")
CHAT = ("POST", "/v1/chat/completions")
CUT = ("cut", {"by": "upstream"})


class Played:
    """Exchanges told to a sorter; `rows` are what it told on."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.sorter = Sorter(self.memory, "server")

    def begin(self, exchange: int, call: tuple[str, str], status: int | None = 200) -> None:
        self.sorter.request("server", exchange, *call, [], b"")
        if status is not None:
            self.sorter.fact("server", "response", {"status": status, "headers": {}}, exchange)

    def end(self, exchange: int, code: str = "end", fields: dict[str, Any] | None = None) -> None:
        self.sorter.chunk("server", "data", b"{}", exchange)
        self.sorter.over("server", "data", exchange)
        self.sorter.fact("server", code, fields or {}, exchange)

    def whole(self, exchange: int, call: tuple[str, str], status: int = 200) -> None:
        self.begin(exchange, call, status)
        self.end(exchange)

    def host(self) -> list[tuple[str, dict[str, Any]]]:
        self.sorter.finish()
        return [(row[1], row[3]) for row in self.memory.rows if row[0] == "host"]


def test_an_exchange_lands_on_its_surface_under_its_own_number() -> None:
    played = Played()
    played.whole(1, CHAT)
    played.whole(2, ("GET", "/health"))
    played.whole(3, LISTEN)
    rows = [(row[0], row[1], row[2]) for row in played.memory.rows if row[0] != "host"]
    assert rows == [
        (track, code, number)
        for track, number in (("chat", 1), ("runs", 3))
        for code in ("request", "response", "data", "over", "end")
    ]


def test_other_tracks_pass() -> None:
    played = Played()
    played.sorter.request("provider", 1, "POST", "/v1/runs", [], b"")
    played.sorter.chunk("provider", "data", b"x", 1)
    played.sorter.over("provider", "data", 1)
    played.sorter.fact("provider", "cut", {"by": "client"}, 1)
    played.sorter.fact("host", "note", {"what": "x"})
    assert [(row[0], row[1]) for row in played.memory.rows] == [
        ("provider", "request"), ("provider", "data"), ("provider", "over"), ("provider", "cut"),
        ("host", "note"),
    ]  # fmt: skip


def test_a_stream_that_ended_has_no_receipt_to_wait_for() -> None:
    played = Played()
    played.whole(1, CHAT)
    played.begin(2, CHAT)
    played.end(2, *CUT)
    played.whole(3, LISTEN)
    assert played.host() == [
        (code, {"turn": turn})
        for turn in ("1", "2", "run_1")
        for code in ("closed", "unreconciled")
    ]


def test_of_a_run_that_was_cut_a_receipt_may_come_until_the_recording_ends() -> None:
    played = Played()
    played.begin(1, LISTEN)
    played.end(1, *CUT)
    played.whole(2, ASK)
    assert played.host() == [("closed", {"turn": "run_1"}), ("unreconciled", {"turn": "run_1"})]
    codes = [row[1] for row in played.memory.rows]
    assert codes.index("closed") < codes.index("request", 3) < codes.index("unreconciled")


def test_a_host_that_listens_again_has_reopened_the_run() -> None:
    played = Played()
    played.begin(1, LISTEN)
    played.end(1, "cut", {"by": "client"})
    played.whole(2, LISTEN, 404)
    played.begin(3, LISTEN)
    played.end(3)
    assert [code for code, _ in played.host()] == ["closed", "reopened", "closed", "unreconciled"]


def test_two_listeners_are_one_stream() -> None:
    played = Played()
    played.begin(1, LISTEN)
    played.begin(2, LISTEN)
    played.end(1, "cut", {"by": "client"})
    assert played.host() == []
    played.end(2)
    assert [code for code, _ in played.host()] == ["closed", "unreconciled"]


def test_a_run_that_is_only_asked_for_has_no_stream() -> None:
    played = Played()
    played.whole(1, ASK)
    played.whole(2, ASK)
    assert [code for code, _ in played.host()] == ["closed", "unreconciled"]
    listening = Played()
    listening.begin(1, LISTEN)
    listening.whole(2, ASK)
    assert listening.host() == []


def test_a_stop_counts_from_when_it_was_sent() -> None:
    played = Played()
    played.begin(1, LISTEN)
    played.begin(2, STOP, None)
    played.begin(3, ("POST", "/v1/runs/run_1/steer"))
    assert played.host() == [
        ("cancel_requested", {"turn": "run_1", "via": "stop"}),
        ("message", {"turn": "run_1", "via": "steer"}),
    ]
    assert played.memory.rows[2][0] == "host", "before its request"


def test_what_was_refused_or_broken_off_by_our_stopping_closes_nothing() -> None:
    played = Played()
    played.whole(1, CHAT, 401)
    played.whole(2, LISTEN, 404)
    played.begin(3, CHAT)
    played.end(3, "cut", {"by": "unknown"})
    assert played.host() == []
