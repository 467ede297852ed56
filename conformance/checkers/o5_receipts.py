"""O5: a receipt settles a run whose transport ended."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from turnreel.adapters.base import Edge
from turnreel.conformance.watching import AnyTerminal, Native, Watch
from turnreel.lifecycle.events import Final
from turnreel.lifecycle.observations import Receipted
from turnreel.lifecycle.signals import Closed, Exited, Receipt, Reopened


class Checker(Watch):
    """A receipt settles a run whose transport ended."""

    clause = "O5"
    sentence = (
        "A receipt ends the run that it names, after that one's stream ended, and its text or "
        "digest is the final's."
    )
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        if self.native is None:
            return
        receipts = [a.signal for a in self.native.arrivals_of(terminal) if isinstance(a, Edge)]
        told = [one for one in receipts if isinstance(one, Receipt)]
        kept = [o for o in self.native.observed_at(terminal) if isinstance(o, Receipted)]
        if not told and not kept:
            return
        if not _stream_ended(terminal, self.native):
            yield "a receipt ended a run whose stream stands"
        if any(one.run_id != terminal.run_id for one in told):
            yield "a receipt of another run ended this one"
        if not isinstance(terminal, Final):
            return
        if any(one.text_digest != _digest(one.text or terminal.text) for one in told):
            yield "the receipt's digest is not that of the final"
        texts = [*(one.text for one in told), *(one.text for one in kept)]
        if not all((text or "").strip() in terminal.text for text in texts):
            yield "the receipt's text is not in the final"


def _stream_ended(terminal: AnyTerminal, native: Native) -> bool:
    """Whether the last that was heard of the stream, before this, is its end."""
    at = min((ref.index for ref in terminal.evidence), default=0)
    heard = [
        arrival.signal
        for number, arrival in native.arrivals.items()
        if number < at and isinstance(arrival, Edge)
    ]
    news = [signal for signal in heard if isinstance(signal, Closed | Exited | Reopened)]
    return bool(news) and not isinstance(news[-1], Reopened)


def _digest(text: str) -> str:
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()
