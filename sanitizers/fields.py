"""The policy of what the edges record themselves: http heads, process ends, host signals.

These records are objects of turnreel's own making; only what a dialect cannot know stands here.
"""

from __future__ import annotations

from typing import Final

from .policy import Policy, lines

HEADERS: Final = frozenset(
    {
        "content-type", "content-encoding", "content-length", "transfer-encoding", "accept",
        "accept-encoding", "cache-control", "connection", "retry-after", "retry-after-ms",
        "x-should-retry", "anthropic-version", "anthropic-beta", "openai-version",
        "openai-processing-ms", "x-stainless-retry-count", "x-stainless-lang",
        "x-stainless-runtime", "x-stainless-timeout", "x-robots-tag", "vary", "upgrade",
        "anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-input-tokens-limit", "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-output-tokens-limit", "anthropic-ratelimit-output-tokens-remaining",
        "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests",
        "x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-requests",
        "x-ratelimit-reset-tokens",
    }
)  # fmt: skip
"""Headers whose values may land. Others keep their name; their value is masked."""

ID_HEADERS: Final = frozenset(
    {
        "request-id",
        "session-id",
        "thread-id",
        "x-claude-code-session-id",
        "x-client-request-id",
        "x-request-id",
    }
)
"""Headers that carry a native id."""

_SIGNALS: Final = (
    "SIGINT SIGTERM SIGKILL SIGHUP SIGQUIT SIGPIPE SIGABRT SIGSEGV SIGBUS SIGILL SIGFPE SIGALRM"
    " SIGUSR1 SIGUSR2 SIGTSTP SIGSTOP SIGCONT SIGXCPU"
)

FIELDS: Final = Policy(
    dialect="turnreel",
    version=1,
    discriminators={"frame": ()},
    lines=lines(
        f"""
        request  *  method            enum GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT
        request  *  path              url
        request  *  framing           word
        request  *  features          record features
        response *  status            int
        response *  encoding          enum gzip deflate br zstd identity
        response *  framing           word
        response *  made_by           word
        cut      *  by                enum client upstream unknown
        cut      *  at                int
        cut      *  how               words
        cut      *  proxy_status      int
        eof      *  stream            enum stdin stdout stderr
        signal   *  name              enum {_SIGNALS}
        exit     *  code              int
        exit     *  signal            enum {_SIGNALS}
        close    *  code              int
        close    *  by                enum client upstream unknown
        close    *  reason            shape
        open     *  path              url
        gap      *  bytes             int
        gap      *  units             int
        note     *  what              word
        note     *  text              shape
        note     *  count             int

        features *  method            enum GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT
        features *  path              url
        features *  model             name
        features *  stream            bool
        features *  history[]         words
        features *  results[]         id

        message          *  via         word
        message          *  turn        id
        closed           *  turn        id
        reopened         *  turn        id
        cancel_requested *  turn        id
        cancel_requested *  request     id
        cancel_requested *  via         word
        answered         *  turn        id
        answered         *  request     id
        answered         *  resolution  word
        parked           *  turn        id
        parked           *  request     id
        exited           *  turn        id
        exited           *  code        int
        exited           *  killed_by   word
        receipt          *  turn        id
        receipt          *  run         int
        receipt          *  thread      int
        receipt          *  native_turn id
        receipt          *  outcome     word
        receipt          *  text        text
        receipt          *  code        word
        unreconciled     *  turn        id
        orphaned         *  turn        id
        artifact         *  turn        id
        artifact         *  artifact    id
        artifact         *  name        text
        artifact         *  media_type  text
        artifact         *  origin      text
        """
    ),
)
