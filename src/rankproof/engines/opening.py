"""Which engine does a URL name?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.engines.engine import Engine
from rankproof.engines.presets import PRESETS
from rankproof.errors import Fault, InputError

if TYPE_CHECKING:
    from rankproof.engines.corpus import Documents
    from rankproof.engines.embedding import Embedded
    from rankproof.retrieve.text import Analyzer

_OVER_HTTP = ("http", "https")


@dataclass(frozen=True)
class _Wanted:
    """All that an engine may be opened with; each kind takes its part, and refuses what it has no use for."""

    url: str
    documents: Documents | None
    mapping: str | Path | None
    settings: Mapping[str, str]
    timeout: float | None
    analyzer: str | Analyzer | None
    embed: Embedded | None
    document_embed: Embedded | None


def open_engine(  # noqa: PLR0913 - each has a default that serves
    url: str,
    *,
    documents: Documents | None = None,
    mapping: str | Path | None = None,
    settings: Mapping[str, str] | None = None,
    timeout: float | None = None,
    analyzer: str | Analyzer | None = None,
    embed: Embedded | None = None,
    document_embed: Embedded | None = None,
) -> Engine:
    """Return the engine that a URL names by its scheme: `sqlite:`, `postgresql://`, `http://` or `https://`.

    `documents`, texts by id or a function that reads them, are for engines that build an index; `mapping`, a preset's
    name or a TOML file, for those over HTTP; `embed` makes the vectors of queries, `document_embed` (if not given, the
    same) those of documents, where a table of them is built; `timeout` is in seconds. InputError for what is wrong or
    of no use there, MissingPackageError without the engine's package.
    """
    scheme = _scheme(url)
    if scheme not in ENGINES:
        named = "the engine's URL" if "@" in url else f"{scheme}:"  # a mistyped one may begin with a password
        message = f"{named} names no engine" if scheme else "the engine's URL has no scheme"
        raise InputError(Fault(message, expected=", ".join(f"{known}:" for known in ENGINES)))
    if timeout is not None and not 0 < timeout < float("inf"):
        raise InputError(Fault(f"the time-out is {timeout!r}", expected="seconds, more than 0"))
    wanted = _Wanted(url, documents, mapping, settings or {}, timeout, analyzer, embed, document_embed)
    return ENGINES[scheme](wanted)


def _scheme(url: str) -> str:
    return url.partition(":")[0].lower() if ":" in url else ""


def name_of(url: str, mapping: str | None = None) -> str:
    """Return what a run of an engine is called: by its mapping, or by the scheme of its URL."""
    scheme = _scheme(url)
    if scheme in _OVER_HTTP and mapping is not None and (mapping in PRESETS or mapping.endswith(".toml")):
        return Path(mapping).stem if mapping.endswith(".toml") else mapping
    return {"postgres": "postgresql"}.get(scheme, scheme) if scheme in ENGINES else "engine"


def files_of(url: str) -> list[Path]:
    """Return the files that the engine of a URL searches, which no output may replace."""
    if _scheme(url) != "sqlite":
        return []
    from rankproof.engines.sqlite import path_of  # noqa: PLC0415 - only the engine that is asked for is loaded

    path = path_of(url)
    parts = ("", "-wal", "-shm", "-journal")  # SQLite's own, beside a database
    return [] if path is None else [path.with_name(f"{path.name}{part}") for part in parts]


def has_own_index(url: str) -> bool:
    """Return whether the engine of a URL has an index of its own, and can make no use of documents."""
    return _scheme(url) in _OVER_HTTP


def _refuse(wanted: _Wanted, **reasons: str) -> None:
    """Refuse what was given and would be ignored."""
    for name, reason in reasons.items():
        if getattr(wanted, name) is not None:
            raise InputError(Fault(f"{name} is given, and {reason}", expected=f"no {name}"))


def _sqlite(wanted: _Wanted) -> Engine:
    from rankproof.engines.sqlite import open_sqlite  # noqa: PLC0415 - only the engine that is asked for is loaded

    by_words = "SQLite's search is by words"
    _refuse(wanted, mapping="a mapping is for engines over HTTP", embed=by_words, document_embed=by_words)
    return open_sqlite(
        wanted.url, wanted.documents, analyzer=wanted.analyzer, settings=wanted.settings, timeout=wanted.timeout
    )


def _postgres(wanted: _Wanted) -> Engine:
    from rankproof.engines.postgres import open_postgres  # noqa: PLC0415 - the same

    _refuse(wanted, mapping="a mapping is for engines over HTTP")
    return open_postgres(
        wanted.url,
        wanted.documents,
        analyzer=wanted.analyzer,
        settings=wanted.settings,
        embed=wanted.embed,
        document_embed=wanted.document_embed,
        timeout=wanted.timeout,
    )


def _http(wanted: _Wanted) -> Engine:
    from rankproof.engines.http import HttpEngine  # noqa: PLC0415 - the same
    from rankproof.engines.mapping import read_mapping  # noqa: PLC0415 - the same

    _refuse(wanted, analyzer="a service over HTTP has its own")
    if wanted.mapping is None:
        expected = f"{', '.join(PRESETS)}, or a TOML file"
        raise InputError(Fault("an engine over HTTP needs a mapping", expected=expected, hint="--mapping NAME"))
    mapping = read_mapping(wanted.mapping, wanted.settings)
    return HttpEngine(wanted.url, mapping, timeout=wanted.timeout, embed=wanted.embed)


ENGINES: Mapping[str, Callable[[_Wanted], Engine]] = {
    "sqlite": _sqlite,
    "postgresql": _postgres,
    "postgres": _postgres,
    "http": _http,
    "https": _http,
}
"""How the engine of each scheme is opened."""
