"""The vendors' own clients against a served recording: they stream it, retry as their rules say,
and raise their own errors where a connection breaks.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.replayer.streams import SAID, tape
from turnreel.replayer.plan import make_plan
from turnreel.replayer.report import Report
from turnreel.replayer.server import Server, serving

anthropic = pytest.importorskip("anthropic", reason="the extra sdk-tests is not installed")
openai = pytest.importorskip("openai", reason="the extra sdk-tests is not installed")

RETRY_AFTER_S = 1
BROKEN = {
    "clean": {"APIConnectionError", "RemoteProtocolError"},
    "reset": {"APIConnectionError", "ReadError"},
}
"""What a stream's end before its time is called: by the SDK, or by the HTTP library below it, which
comes under several names.
"""


class Served:
    """A server in a thread of its own: the clients block."""

    def __init__(self, dialect: str, *specs: str) -> None:
        self._tape = tape(dialect)
        self._plan = make_plan(specs, pacing="max")
        self._up = threading.Event()
        self._server: Server | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def report(self) -> Report:
        assert self._server is not None
        return self._server.report()

    @contextmanager
    def running(self) -> Iterator[str]:
        self._thread.start()
        self._up.wait()
        assert self._server is not None
        try:
            yield self._server.url
        finally:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._error = error

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with serving(self._tape, self._plan) as self._server:
            self._up.set()
            await self._stop.wait()


def messages(url: str, **options: Any) -> str:
    """The text of a streamed message."""
    with anthropic.Anthropic(api_key="none", base_url=url, **options) as client:
        asking: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [USER]}
        with client.messages.stream(**asking) as stream:
            return "".join(stream.text_stream)


def responses(url: str, **options: Any) -> str:
    with openai.OpenAI(api_key="none", base_url=f"{url}/v1", **options) as client:
        stream = client.responses.create(model="m", input="words", stream=True)
        return "".join(e.delta for e in stream if e.type == "response.output_text.delta")


def chat(url: str, **options: Any) -> str:
    with openai.OpenAI(api_key="none", base_url=f"{url}/v1", **options) as client:
        asking: dict[str, Any] = {"model": "m", "messages": [USER], "stream": True}
        with client.chat.completions.create(**asking) as stream:
            chunks = [chunk.choices[0].delta.content for chunk in stream if chunk.choices]
            return "".join(text for text in chunks if text)


USER = {"role": "user", "content": "words"}
CLIENTS: dict[str, tuple[str, Callable[..., str], Any]] = {
    "anthropic": ("anthropic-messages", messages, anthropic),
    "openai responses": ("openai-responses", responses, openai),
    "openai chat": ("openai-chat", chat, openai),
}
every_client = pytest.mark.parametrize(
    ("dialect", "asking", "vendor"), CLIENTS.values(), ids=CLIENTS
)


@every_client
def test_it_streams(dialect: str, asking: Callable[..., str], vendor: Any) -> None:
    server = Served(dialect)
    with server.running() as url:
        assert asking(url) == SAID
    assert [one.ended for one in server.report().served] == ["complete"]


@every_client
def test_it_retries_as_often_and_as_late_as_it_is_told(
    dialect: str, asking: Callable[..., str], vendor: Any
) -> None:
    server = Served(dialect, f"status:429,times=2,retry-after={RETRY_AFTER_S}")
    with server.running() as url:
        begun = time.monotonic()
        assert asking(url, max_retries=2) == SAID
        waited = time.monotonic() - begun
    assert [one.status for one in server.report().served] == [429, 429, 200]
    assert waited >= 2 * RETRY_AFTER_S * 0.75  # less its jitter


@every_client
def test_it_gives_up_when_its_retries_are_spent(
    dialect: str, asking: Callable[..., str], vendor: Any
) -> None:
    server = Served(dialect, "status:429,times=2,retry-after=0")
    with server.running() as url, pytest.raises(vendor.RateLimitError) as caught:
        asking(url, max_retries=1)
    assert caught.value.status_code == 429
    assert len(server.report().served) == 2


@every_client
def test_a_refused_connection_is_retried_and_then_its_connection_error(
    dialect: str, asking: Callable[..., str], vendor: Any
) -> None:
    server = Served(dialect, "refuse,times=2")
    with server.running() as url:
        with pytest.raises(vendor.APIConnectionError):
            asking(url, max_retries=1)
        assert asking(url, max_retries=0) == SAID
    assert [one.ended for one in server.report().served] == ["cut reset"] * 2 + ["complete"]


@every_client
@pytest.mark.parametrize("how", ["reset", "clean"])
def test_a_cut_is_its_connection_error(
    dialect: str, asking: Callable[..., str], vendor: Any, how: str
) -> None:
    """In the middle of a stream nobody retries: what was heard is not taken back."""
    server = Served(dialect, f"cut:{how}@event=3")
    with server.running() as url, pytest.raises(Exception) as caught:
        asking(url, max_retries=2)
    assert type(caught.value).__name__ in BROKEN[how], repr(caught.value)
    assert [one.ended for one in server.report().served] == [f"cut {how}"]


@every_client
def test_a_miss_is_not_retried_and_says_what_differs(
    dialect: str, asking: Callable[..., str], vendor: Any
) -> None:
    server = Served(dialect)
    with server.running() as url, pytest.raises(vendor.APIStatusError) as caught:
        asking(f"{url}/elsewhere", max_retries=2)
    assert caught.value.status_code == 400
    assert "was not recorded" in str(caught.value)
    assert len(server.report().served) == 1
