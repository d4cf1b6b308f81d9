"""Asking services over HTTP: against a real server in a process of its own that fails as it is told."""

from __future__ import annotations

import html
import json
import logging
import re
import signal
import ssl
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any
from urllib.parse import quote, quote_plus, unquote

import pytest
from conftest import ROOT
from faulty_server import GOOD, Service
from hypothesis import given
from hypothesis import strategies as st
from needed import lacking

from rankproof.engines import EngineError, ask_all, open_engine
from rankproof.engines import asking as asking_module
from rankproof.engines.filling import fill, fill_url
from rankproof.engines.http import HttpEngine, _retry_after
from rankproof.engines.mapping import KEYS, read_mapping
from rankproof.engines.presets import PRESETS
from rankproof.engines.redaction import Redaction
from rankproof.errors import InputError, MissingPackageError, RankproofError
from rankproof.model import Ranking

QUERIES = {f"q{at}": f"text {at}" for at in range(6)}
PLAIN = """
url = "{engine}/search"
hits = "$.hits"
id = "$.id"
score = "$.score"
[body]
q = "{query}"
limit = "{k}"
"""


@pytest.fixture
def engine_of(service: Service, tmp_path: Path) -> Iterator[Callable[..., HttpEngine]]:
    """Open the service by a mapping's text; what is opened is closed at the end."""
    opened = []

    def engine(mapping: str = PLAIN, **options: Any) -> HttpEngine:
        path = tmp_path / f"mapping{len(opened)}.toml"
        path.write_text(mapping)
        found = open_engine(service.url, mapping=path, **options)
        opened.append(found)
        return found

    yield engine
    for one in opened:
        one.close()


def failing(engine: HttpEngine, text: str = "a", k: int = 10) -> EngineError:
    """Ask, and return the error that has to come."""
    with pytest.raises(EngineError) as failed:
        engine.ask(text, k)
    return failed.value


# ---- A request


@given(st.text(), st.integers(1, 1000))
def test_no_query_breaks_the_request(text: str, k: int) -> None:
    """Whatever a query holds, quotes, braces or places, it arrives as it is, and k alone is a number."""
    template = {"{field}": ["{query}", {"n": "{k}"}], "both": "{k}: {query} {not a place}", "${": "{}"}
    values = {"query": text, "k": k, "field": "title"}
    filled = json.loads(json.dumps(fill(template, values)))
    assert filled == {"title": [text, {"n": k}], "both": f"{k}: {text} {{not a place}}", "${": "{}"}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_no_setting_changes_the_address(name: str) -> None:
    """A setting in an address is one part of its path, whatever it holds, and reads back."""
    filled = fill_url("{engine}/{index}/_search", {"index": name}, "http://host/a")
    assert filled.startswith("http://host/a/")
    assert not {"?", "#"} & set(filled)
    assert [unquote(part) for part in filled.split("/")[4:]] == [name, "_search"]


@pytest.mark.parametrize("text", ['"} , {"', "{query} ${HOME} {k}", "a&b=c#d %20+", "농도 계산", "\\", "\n\t", ""])
@pytest.mark.parametrize("part", ["body", "params"])
def test_a_query_arrives_as_it_is(engine_of, service: Service, text: str, part: str) -> None:
    """The server reads the very text that was asked, from a body and from parameters."""
    engine_of(PLAIN.replace("[body]", f"[{part}]")).ask(text, 7)
    (request,) = service.requests
    assert request["method"] == ("POST" if part == "body" else "GET")
    assert request[part] == {"q": text, "limit": 7 if part == "body" else "7"}


def test_a_body_may_be_json(engine_of, service: Service) -> None:
    """A body that is written as JSON is filled as a table is; an empty setting leaves its member out."""
    mapping = (
        PLAIN.partition("[body]")[0]
        + """
body = '{"q": "{query}", "fields": "{fields}", "using": "{using}", "rate": "{rate}", "all": "{all}", "n": 1}'
[settings]
fields = ["a"]
using = ""
rate = 0.5
all = false
"""
    )
    engine_of(mapping, settings={"fields": "title^2, body", "all": "true"}).ask("x", 3)
    body = {"q": "x", "fields": ["title^2", "body"], "rate": 0.5, "all": True, "n": 1}
    assert service.requests[0]["body"] == body


def test_connections_are_reused(engine_of, service: Service) -> None:
    """Queries that are asked one after another share one connection: the server sees them from one port."""
    engine = engine_of()
    for text in "abc":
        engine.ask(text, 1)
    assert len(service.requests) == 3
    assert len({request["port"] for request in service.requests}) == 1


# ---- An answer


def test_hits_become_a_ranking(engine_of, service: Service) -> None:
    """Ids are texts, numbers too; scores are those that came; an empty list is an empty ranking."""
    service.plan(
        {"none": [{"json": {"hits": []}}], "packed": [{**GOOD, "gzip": True}]},
        {"json": {"hits": [{"id": 7, "score": 2}, {"id": "b", "score": 2}, {"id": "c", "score": -0.5}]}},
    )
    engine = engine_of()
    assert engine.ask("a", 10) == Ranking(["7", "b", "c"], [2.0, 2.0, -0.5])
    assert engine.ask("none", 10) == Ranking([], [])
    assert engine.ask("packed", 10) == Ranking(["d1", "d2"], [2.0, 1.0])


def test_distances_change_their_sign(engine_of, service: Service) -> None:
    """Where a smaller score is better, a higher one is after reading; without a score the order given ranks."""
    service.plan(default={"json": {"hits": [{"id": "a", "score": 0.25}, {"id": "b", "score": 3}]}})
    mapping = PLAIN.replace("[body]", 'score-order = "{order}"\n[settings]\norder = "ascending"\n[body]')
    assert engine_of(mapping).ask("x", 2) == Ranking(["a", "b"], [-0.25, -3.0])
    assert failing(engine_of(mapping, settings={"order": "descending"})).fault.doc_id == "b"
    assert engine_of(PLAIN.replace('score = "$.score"', "")).ask("x", 2) == Ranking(["a", "b"], None)


HITS = '{"hits": [%s]}'
MALFORMED = {
    "not JSON": ("<html>busy</html>", "is no JSON"),
    "cut JSON": ('{"hits": [', "is no JSON"),
    "NaN": (HITS % '{"id": "a", "score": NaN}', "is no JSON: it holds NaN"),
    "deep": ("[" * 100_000, "is no JSON"),
    "no hits": ('{"found": 0}', "holds nothing at $.hits"),
    "null hits": ('{"hits": null}', "holds null at $.hits"),
    "one hit": ('{"hits": {"id": "a"}}', "one list of hits"),
    "a list": ("[1]", "holds nothing at $.hits"),
    "a text": ('"{\\"hits\\": []}"', "holds nothing at $.hits"),
    "no id": (HITS % '{"id": "a", "score": 2}, {"score": 1}', "hit 2 holds no id at $.id"),
    "null id": (HITS % '{"id": null, "score": 1}', "hit 1 holds null as its id"),
    "true id": (HITS % '{"id": true, "score": 1}', "hit 1 holds true as its id"),
    "float id": (HITS % '{"id": 1.5, "score": 1}', "hit 1 holds 1.5 as its id"),
    "empty id": (HITS % '{"id": "", "score": 1}', 'hit 1 has the id ""'),
    "text hit": (HITS % '"{}"', "hit 1 holds no id"),
    "text score": (HITS % '{"id": "a", "score": "1"}', 'document a: the score at $.score is "1"'),
    "null score": (HITS % '{"id": "a", "score": null}', "document a: the score at $.score is null"),
    "no score": (HITS % '{"id": "a"}', "document a: there is no score at $.score"),
    "true score": (HITS % '{"id": "a", "score": true}', "document a: the score at $.score is true"),
    "huge score": (HITS % '{"id": "a", "score": 1e999}', "document a: the score Infinity is out of range"),
    "huge whole": (HITS % f'{{"id": "a", "score": {10**400}}}', "is out of range"),
    "rising": (HITS % '{"id": "a", "score": 1}, {"id": "b", "score": 1.5}', "document b: the score of hit 2 is better"),
    "64 bits": (
        HITS % '{"id": "a", "score": 578730123365189753}, {"id": "b", "score": 578730123365189752}',
        "a double cannot tell it",
    ),
}


@pytest.mark.parametrize(("text", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_answers_are_refused(engine_of, service: Service, text: str, message: str) -> None:
    """What is no sound answer ends in one message with the query, the address and what came; it is not asked again."""
    service.plan(default={"text": text})
    with pytest.raises(InputError) as failed:
        ask_all(engine_of(), {"q7": "a"}, 10, backoff=0)
    shown = str(failed.value)
    assert message in shown
    assert f"{service.url}/search: query q7" in shown
    assert f"it begins {repr(text[:200])[:-1]}" in shown
    assert len(service.requests) == 1


def test_an_answer_that_is_no_text_is_refused(engine_of, service: Service) -> None:
    """An answer in another encoding is no JSON, and what came is shown as far as it can be read."""
    service.plan(default={"text": '{"hits": "é"}', "encoding": "latin-1"})
    shown = str(failing(engine_of()))
    assert "is no JSON" in shown
    assert """'{"hits": "\ufffd"}'""" in shown


def test_only_the_beginning_of_an_answer_is_shown(engine_of, service: Service) -> None:
    """Two hundred characters of an answer are enough, on one line."""
    service.plan(default={"status": 400, "text": "a\nb" + "x" * 1000})
    assert f"answers 400: 'a b{'x' * 197}…'" in str(failing(engine_of()))


def test_what_cannot_be_asked_is_said(engine_of, service: Service) -> None:
    """A query that no address can hold fails alone, and is not tried again; so does an answer that is not packed."""
    engine = engine_of(PLAIN.replace("[body]", "[params]"))
    service.plan(default={**GOOD, "headers": {"Content-Encoding": "gzip"}})
    for text in ("long " * 20_000, "\ud800"):
        error = failing(engine, text)
        assert "this cannot be asked" in str(error)
        assert not error.transient
    assert service.requests == []
    assert "cannot be unpacked" in str(failing(engine))


def test_an_environment_that_cannot_be_used_is_said(engine_of, monkeypatch) -> None:
    """A proxy that is none is refused before the first query, and its password is not shown."""
    monkeypatch.setenv("HTTP_PROXY", "gopher://user:hunter2@proxy:70")
    with pytest.raises(InputError, match="the proxy or the certificates") as failed:
        engine_of()
    assert "hunter2" not in str(failed.value)


def test_an_id_is_found_by_its_pattern(engine_of, service: Service) -> None:
    """The group of a pattern is the id; an id that does not match is refused."""
    service.plan({"bad": [{"json": {"hits": [{"id": "x1"}]}}]}, {"json": {"hits": [{"id": "doc:a\nb"}]}})
    engine = engine_of(PLAIN.replace('score = "$.score"', 'id-pattern = "doc:(.+)"'))
    assert list(engine.ask("a", 1).doc_ids) == ["a\nb"]
    assert 'hit 1 has the id "x1"' in str(failing(engine, "bad"))


def test_an_answer_that_is_not_whole_is_asked_again(engine_of, service: Service) -> None:
    """What stands at refuse-if, other than false, 0 or nothing, says that the answer is not whole."""
    whole = {**GOOD["json"], "late": False, "shards": {"failed": 0}}
    service.plan(
        {"a": [{"json": {**whole, "late": True}}, {"json": {**whole, "shards": {"failed": 2}}}, {"json": whole}]}
    )
    engine = engine_of(PLAIN.replace("[body]", 'refuse-if = ["$.late", "$.shards.failed"]\n[body]'))
    asked = ask_all(engine, {"q": "a"}, 10, backoff=0)
    assert list(asked.run.rankings["q"].doc_ids) == ["d1", "d2"]
    assert len(service.requests) == 3


def test_an_endless_answer_is_refused(engine_of, service: Service, monkeypatch) -> None:
    """An answer that is larger than allowed, after unpacking, is not kept."""
    monkeypatch.setattr("rankproof.engines.http.LARGEST_ANSWER", 1 << 20)
    service.plan(default={"text": " " * (1 << 21), "gzip": True})
    assert "longer than 1 MiB" in str(failing(engine_of()))


# ---- Faults on the way


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500, "text": "oops"},
        {"status": 503},
        {"status": 429, "headers": {"Retry-After": "0"}},
        {**GOOD, "cut": 10},
        {**GOOD, "cut": 0},
        {**GOOD, "delay": 1.5},
        {**GOOD, "drip": 0.05},
    ],
    ids=["500", "503", "429", "cut in the body", "cut before it", "slow", "dripping"],
)
def test_transient_faults_are_tried_again(engine_of, service: Service, fault: dict[str, Any]) -> None:
    """A fault that passes costs a retry and no answer; the others are asked once."""
    slow = "delay" in fault or "drip" in fault
    faults = [fault] if slow else [fault, fault]
    service.plan({"text 1": [*faults, GOOD]})
    asked = ask_all(engine_of(timeout=1 if slow else None), QUERIES, 10, backoff=0.001)
    assert list(asked.run.rankings) == list(QUERIES)
    assert {tuple(ranking.doc_ids) for ranking in asked.run.rankings.values()} == {("d1", "d2")}
    assert service.asked() == Counter(QUERIES.values()) + Counter({"text 1": len(faults)})
    assert not asked.errors


def test_what_stays_broken_is_listed(engine_of, service: Service, tmp_path: Path) -> None:
    """Queries that failed for good are named after all others were asked; a second call asks only these again."""
    journal = tmp_path / "run.answers.jsonl"
    bad = {"text 1": [{"status": 500, "text": "down"}] * 3 + [GOOD], "text 4": [{"status": 400, "text": "why?"}, GOOD]}
    service.plan(bad)
    with pytest.raises(InputError) as failed:
        ask_all(engine_of(), QUERIES, 10, retries=2, backoff=0.001, journal=journal)
    assert str(failed.value).splitlines() == [
        "2 of 6 queries failed",
        f"{service.url}/search: query q1: answers 500: 'down' (tried 3 times); expected 200",
        f"{service.url}/search: query q4: answers 400: 'why?'; expected 200",
        "",
        f"hint: run it again: 4 answers in {journal} will not be asked for again",
    ]
    asked = ask_all(engine_of(), QUERIES, 10, journal=journal)
    assert asked.resumed == 4
    assert list(asked.run.rankings) == list(QUERIES)
    once = Counter(QUERIES.values())
    assert service.asked() == once + Counter({"text 1": 3, "text 4": 1})


def test_some_statuses_help_nobody(engine_of, service: Service) -> None:
    """What is not 200 and will not pass is asked once; a key that is unknown ends the asking at the first query."""
    service.plan({"text 0": [{"status": 401}]}, {"status": 204})
    with pytest.raises(InputError, match="answers 401"):
        ask_all(engine_of(), QUERIES, 10, concurrency=1)
    assert len(service.requests) == 1
    service.plan(default={"status": 404, "text": "no such index"})
    with pytest.raises(InputError, match="is the index named rightly"):
        ask_all(engine_of(), {"q": "a"}, 10)
    assert len(service.requests) == 2


def test_a_server_that_is_not_there(engine_of, service: Service, tmp_path: Path, unused_tcp_port: int) -> None:
    """Where nobody listens the fault is transient, and says that no answer came."""
    (tmp_path / "m.toml").write_text(PLAIN)
    engine = open_engine(f"http://127.0.0.1:{unused_tcp_port}", mapping=tmp_path / "m.toml")
    error = failing(engine)
    assert error.transient
    assert "no whole answer came" in str(error)
    engine.close()


@pytest.fixture
def unused_tcp_port() -> int:
    """A port on which nobody listens."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_redirects_stay_on_the_host(engine_of, service: Service, address: str) -> None:
    """A redirect within the host is followed, body and all; to another host it is refused, and nothing goes there."""
    elsewhere = Service(address.replace("127.0.0.1", "localhost"))
    away = {"status": 307, "headers": {"Location": f"{elsewhere.url}/search"}}
    moved = {"status": 307, "headers": {"Location": f"{service.url}/moved"}}
    post = {"status": 302, "headers": {"Location": f"{service.url}/moved"}}
    service.plan({"away": [away], "moved": [moved, GOOD], "post": [post], "round": [moved]})
    engine = engine_of()
    assert list(engine.ask("moved", 5).doc_ids) == ["d1", "d2"]
    assert [(one["path"], one["body"]["q"]) for one in service.requests] == [("/search", "moved"), ("/moved", "moved")]
    assert f"answers 307: redirected to POST {elsewhere.url}/search" in str(failing(engine, "away"))
    assert "redirected to GET" in str(failing(engine, "post"))
    assert "redirects in a row" in str(failing(engine, "round"))
    assert elsewhere.requests == []


def test_certificates_are_checked(tmp_path: Path, service: Service) -> None:
    """A server whose certificate nobody vouches for gets no query, and is not tried again."""
    if not (openssl := which("openssl")):
        lacking("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    import socket

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    seen: list[str] = []

    def serve(listening: socket.socket) -> None:
        plain, _ = listening.accept()
        with plain:
            try:
                with context.wrap_socket(plain, server_side=True) as safe:
                    seen.append(safe.recv(10).decode())
            except (ssl.SSLError, OSError) as error:
                seen.append(type(error).__name__)

    (tmp_path / "m.toml").write_text(PLAIN)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, args=(listening,))
        thread.start()
        engine = open_engine(f"https://localhost:{listening.getsockname()[1]}", mapping=tmp_path / "m.toml")
        error = failing(engine)
        thread.join(30)
        engine.close()
    assert not error.transient
    assert "certificate verify failed" in str(error).lower().replace("_", " ")
    assert seen != ["POST /sear"]


# ---- Waiting


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """How long it would have paused: nobody waits."""
    found: list[float] = []
    monkeypatch.setattr(asking_module._Asking, "_pause", lambda _, seconds: found.append(seconds))
    return found


def test_it_waits_as_long_as_it_is_asked_to(engine_of, service: Service, pauses: list[float]) -> None:
    """Retry-After is the pause, with the jitter on top; one that is too long is no reason to wait."""
    busy = {"status": 429, "headers": {"Retry-After": "7"}}
    service.plan({"a": [busy, busy, GOOD], "b": [{"status": 503, "headers": {"Retry-After": "3600"}}]})
    ask_all(engine_of(), {"q": "a"}, 10, backoff=0)
    assert pauses == [7.0, 7.0]
    with pytest.raises(InputError, match="answers 503"):
        ask_all(engine_of(), {"q": "b"}, 10, backoff=0)
    assert service.asked() == {"a": 3, "b": 1}


def test_pauses_grow_and_differ(engine_of, service: Service, pauses: list[float]) -> None:
    """The n-th pause is random, below the backoff times 2 ** (n - 1)."""
    service.plan(default={"status": 500})
    with pytest.raises(InputError, match="tried 7 times"):
        ask_all(engine_of(), {"q": "a"}, 10, retries=6, backoff=2)
    assert len(pauses) == len(set(pauses)) == 6
    assert all(0 <= pause <= 2 * 2**at for at, pause in enumerate(pauses))


def test_retry_after_is_read_as_its_standard_says() -> None:
    """Retry-After holds seconds or a date; what is neither says nothing."""
    assert _retry_after(None) is None
    assert _retry_after(" 12 ") == 12
    assert _retry_after("soon") is None
    assert _retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert _retry_after("Mon, 01 Jan 2020 00:00:00 +99999999999999999999") is None
    assert _retry_after("Fri, 31 Dec 9999 23:59:59 -2359") is not None
    later = _retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=1000), usegmt=True))
    assert later is not None
    assert 900 < later <= 1000


def test_no_more_than_asked_at_a_time(engine_of, service: Service) -> None:
    """The server never sees more queries at a time than the limit, and does see some at a time."""
    service.plan(default={**GOOD, "delay": 0.05})
    queries = {str(at): str(at) for at in range(12)}
    ask_all(engine_of(), queries, 10, concurrency=3)
    assert 2 <= service.most <= 3
    assert service.asked() == Counter(queries.values())


# ---- Interruption

CHILD = """
import signal, sys
from pathlib import Path
from rankproof.engines import ask_all, open_engine
signal.signal(signal.SIGINT, signal.default_int_handler)
url, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
engine = open_engine(url, mapping=folder / "m.toml")
queries = {f"q{at}": f"text {at}" for at in range(count)}
ask_all(engine, queries, 10, concurrency=3, journal=folder / "run.answers.jsonl")
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_an_interrupted_asking_goes_on_where_it_stopped(service: Service, tmp_path: Path, end: signal.Signals) -> None:
    """Whatever was answered before the end is not asked again, and nothing is lost; at most what was under way is."""
    service.plan(default={**GOOD, "delay": 0.05})
    (tmp_path / "m.toml").write_text(PLAIN)
    journal = tmp_path / "run.answers.jsonl"
    command = [sys.executable, "-c", CHILD, service.url, str(tmp_path), "60"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as child:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 6:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(end)
    lines = journal.read_bytes().splitlines(keepends=True)
    kept = [json.loads(line)["text"] for line in lines[1:] if line.endswith(b"\n")]
    assert 5 <= len(kept) < 60
    if end is signal.SIGINT:
        assert all(line.endswith(b"\n") for line in lines)
        assert service.asked() == Counter(kept)
    service.plan()
    engine = open_engine(service.url, mapping=tmp_path / "m.toml")
    queries = {f"q{at}": f"text {at}" for at in range(60)}
    asked = ask_all(engine, queries, 10, journal=journal)
    engine.close()
    assert asked.resumed == len(kept)
    assert list(asked.run.rankings) == list(queries)
    times = service.asked()
    assert all(times[text] == 1 for text in kept)
    assert set(times) == set(queries.values())
    assert sum(times.values()) <= 60 + 3


def test_another_mapping_does_not_take_the_answers(engine_of, tmp_path: Path) -> None:
    """The address, the mapping and its settings decide the answers; the mapping's name and the patience do not."""
    mapping = PLAIN + '\nfields = "{fields}"\n'
    asked: dict[str, Any] = {"queries": QUERIES, "k": 3, "journal": tmp_path / "j"}
    ask_all(engine_of(mapping, settings={"fields": "a"}, timeout=5), **asked)
    again = ask_all(engine_of(mapping, settings={"fields": "a"}, timeout=6), **asked)
    assert (again.resumed, again.run.name) == (len(QUERIES), "mapping1")
    with pytest.raises(InputError, match=r"engine\.mapping\.settings\.fields was 'a', is 'b'"):
        ask_all(engine_of(mapping, settings={"fields": "b"}), **asked)
    with pytest.raises(InputError, match=r"engine\.mapping\.ascending was False, is True"):
        ask_all(engine_of('score-order = "ascending"\n' + mapping, settings={"fields": "a"}), **asked)


# ---- Secrets

SECRET = 's3cr3t "k&y/+%'  # noqa: S105 - a test's own
WITH_SECRETS = (
    PLAIN
    + """
[headers]
Authorization = "Bearer ${RANKPROOF_TEST_KEY}"
[params]
api_key = "${RANKPROOF_TEST_KEY}"
"""
)


def test_secrets_are_sent_and_stand_nowhere_else(
    engine_of, service: Service, tmp_path: Path, monkeypatch, caplog
) -> None:
    """The server reads the secret; journal, run, settings, logs and messages never hold it, even if it is echoed."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("RANKPROOF_TEST_KEY", SECRET)
    away = {"status": 307, "headers": {"Location": f"http://u:{quote(SECRET, '')}@other.example/?k={quote(SECRET)}"}}
    broken = {"status": 307, "headers": {"Location": f"http://u:{quote(SECRET)}@other.example/"}}
    steps = {"text 1": [{"echo": True, "status": 400}], "text 2": [{"json": {"hits": "x" * 70 + SECRET}}]}
    steps["text 3"] = [away]
    service.plan({**steps, "text 4": [{"text": f"{'x' * 190}{SECRET}"}], "text 5": [broken]})
    engine = engine_of(WITH_SECRETS)
    journal = tmp_path / "run.answers.jsonl"
    with pytest.raises(InputError) as failed:
        ask_all(engine, QUERIES, 10, journal=journal, backoff=0)
    request = service.requests[0]
    assert request["headers"]["Authorization"] == f"Bearer {SECRET}"
    assert request["params"] == {"api_key": SECRET}
    written = [
        str(failed.value),
        repr(failed.value),
        journal.read_text(),
        caplog.text,
        json.dumps(dict(engine.settings)),
    ]
    assert len(failed.value.faults) == 1 + 5
    assert any("HTTP Request" in one.getMessage() for one in caplog.records)
    assert "RANKPROOF_TEST_KEY" in journal.read_text()
    for spelling in (
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET),
        quote_plus(SECRET),
        json.dumps(SECRET)[1:-1],
        "s3cr3t",
    ):
        assert not [text for text in written if spelling in text]


def _percent(text: str) -> str:
    return "".join(f"%{ord(char):02x}" for char in text)


def _inside(text: str) -> str:
    return json.dumps(text)[1:-1]


KEY = "S3cr/et&Key=with+9 Bits"
SPELLINGS = {
    "as PHP writes JSON": _inside(KEY).replace("/", "\\/"),
    "in code points": "".join(f"\\u{ord(char):04x}" for char in KEY),
    "in HTML": html.escape(KEY).replace("/", "&#x2F;"),
    "in decimal entities": "".join(f"&#{ord(char)};" for char in KEY),
    "by names": KEY.replace("&", "&amp;").replace("/", "&sol;").replace("=", "&equals;"),
    "in an address": quote(KEY, safe="").lower(),
    "all in an address": _percent(KEY),
    "twice in an address": quote(quote_plus(KEY), safe=""),
    "JSON in HTML in an address": quote(html.escape(_inside(KEY).replace("/", "\\/"))),
    "in capitals": KEY.upper(),
    "in small letters": KEY.lower(),
    "over two lines": f"{KEY[:9]}\r\n  {KEY[9:]}",
    "over two lines of JSON": f"{KEY[:9]}\\n{KEY[9:]}",
    "over two lines of HTML": f"{KEY[:9]}<br>{KEY[9:]}",
    "its first half": KEY[: len(KEY) // 2 + 1],
    "its last half": KEY[-len(KEY) // 2 :],
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_an_echoed_secret_is_hidden_in_any_spelling(engine_of, service: Service, monkeypatch, spelling: str) -> None:
    """Whatever a service makes of a secret before it echoes it, `***` stands there, and what is around it stays."""
    monkeypatch.setenv("RANKPROOF_TEST_KEY", KEY)
    service.plan(
        {
            "bad": [{"status": 400, "text": f"<i>{spelling}</i> is no key"}],
            "far": [{"text": json.dumps({"hits": "x" * 60 + spelling})}],
            "away": [{"status": 307, "headers": {"Location": f"http://h/?k={quote(spelling, safe='%')}#end"}}],
        }
    )
    engine = engine_of(PLAIN + '[headers]\nAuthorization = "Bearer ${RANKPROOF_TEST_KEY}"')
    assert "answers 400: '<i>***</i> is no key'" in str(failing(engine, "bad"))
    assert 'x***" at $.hits' in str(failing(engine, "far"))
    assert "redirected to POST http://h/?k=***#end" in str(failing(engine, "away"))


TOLD = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="+\\"), min_size=3, max_size=16)
WAYS = (str, html.escape, quote, quote_plus, _percent, _inside, str.swapcase)


@given(TOLD, st.lists(st.sampled_from(WAYS), max_size=3), st.sampled_from(["", "a", "%", "&", "x y", "é"]))
def test_no_secret_is_left(secret: str, ways: list[Callable[[str], str]], around: str) -> None:
    """A secret that was escaped up to three times is hidden, in one piece."""
    spelling = secret
    for way in ways:
        spelling = way(spelling)
    hidden = Redaction([secret])(f"{around}<{spelling}>{around}")
    assert "***" in hidden
    assert secret.casefold() not in hidden.replace("***", "\0").casefold()
    assert len(hidden) <= len(f"{around}<***>{around}")


def test_a_secret_at_the_cut_is_hidden(engine_of, service: Service, monkeypatch) -> None:
    """A key of which a long answer shows the beginning, before it is cut for reading, is hidden as far as it goes."""
    monkeypatch.setenv("RANKPROOF_TEST_KEY", KEY)
    engine = engine_of(PLAIN + '[headers]\nAuthorization = "Bearer ${RANKPROOF_TEST_KEY}"')
    for kept in (4, 5, 6):
        text = f"w{' ' * (12800 - 1 - kept)}{KEY}{'y' * 5000}"
        service.plan(default={"status": 400, "text": text})
        assert "answers 400: 'w ***…'" in str(failing(engine))
    hidden = Redaction([KEY])
    assert hidden("key S3cr%2", is_cut=True) == hidden(r"key S3cr\u00", is_cut=True) == "key ***"
    assert hidden("key S3cr") == "key S3cr"


def test_a_secret_as_a_document_id_is_refused(engine_of, service: Service, tmp_path: Path, monkeypatch) -> None:
    """An answer whose ids hold the secret is not taken: neither the journal nor a message has it."""
    monkeypatch.setenv("RANKPROOF_TEST_KEY", KEY)
    hits = {"hits": [{"id": "a", "score": 2}, {"id": f"doc-{quote(KEY, safe='').lower()}", "score": 1}]}
    service.plan({"text 1": [{"json": hits}]})
    engine, journal = engine_of(PLAIN + '[headers]\nAuthorization = "Bearer ${RANKPROOF_TEST_KEY}"'), tmp_path / "j"
    with pytest.raises(InputError) as failed:
        ask_all(engine, QUERIES, 10, journal=journal)
    assert str(failed.value).splitlines()[1] == (
        f"{service.url}/search: query q1: a document id of the answer holds a secret; expected ids of documents"
    )
    assert "s3cr" not in journal.read_text().lower()
    monkeypatch.setenv("RANKPROOF_TEST_KEY", "d1")
    short = engine_of(PLAIN + '[headers]\nAuthorization = "Bearer ${RANKPROOF_TEST_KEY}"')
    assert "holds a secret" in str(failing(short))
    monkeypatch.setenv("RANKPROOF_TEST_KEY", "d")
    short = engine_of(PLAIN + '[headers]\nAuthorization = "Bearer ${RANKPROOF_TEST_KEY}"')
    assert list(short.ask("x", 2).doc_ids) == ["d1", "d2"]


@pytest.mark.parametrize("value", ["", None, "two\nlines", "schlüssel"])
def test_a_secret_that_cannot_be_sent_is_refused_early(engine_of, service: Service, monkeypatch, value) -> None:
    """A variable that is not set, or that no header can hold, is refused at opening, by its name alone."""
    monkeypatch.delenv("RANKPROOF_TEST_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("RANKPROOF_TEST_KEY", value)
    with pytest.raises(InputError, match="the environment variable RANKPROOF_TEST_KEY") as failed:
        engine_of(WITH_SECRETS)
    assert not value or value not in str(failed.value)


@pytest.mark.parametrize(
    "line",
    [
        'headers = {Authorization = "Bearer abc"}',
        'headers = {X-TYPESENSE-API-KEY = "abc"}',
        'headers = {api-key = "{key}"}',
        'headers = {Cookie = "session=abc; other=${NAME}"}',
        'headers = {x-auth-token = "abc${NAME}"}',
        'params = {key = "abc"}',
        'params = {access_token = "abc"}',
        'headers = {Private-Key = "abc"}',
        'headers = {X-Pass = "{key}"}',
        'headers = {X-Session = "abc"}',
        'params = {sig = "abc"}',
        'params = {sharedKey = "abc"}',
        'params = {pwd = "{key}"}',
        'score-order = "ascending"\nbody = {userPassword = "abc"}',
        'score-order = "ascending"\nbody = {q = [{password = "abc"}]}',
    ],
)
def test_secrets_in_a_mapping_are_refused(engine_of, line: str) -> None:
    """A secret that stands in the mapping itself, or would come from a setting, is refused and not shown."""
    rest = PLAIN.partition("[body]")[0] if "body" in line else PLAIN
    with pytest.raises(InputError, match=r"holds a secret in .* itself") as failed:
        engine_of(f"{line}\n{rest}", settings={"key": "abc"} if "{key}" in line else {})
    assert "abc" not in str(failed.value)
    assert "environment" in str(failed.value)


def test_harmless_names_are_not_refused(engine_of, service: Service) -> None:
    """What is called key, token or author in a body, and keys that only sort, are a search's own."""
    engine_of(PLAIN + 'sort = {key = "price", token = "x", author = "y", authority = "z"}').ask("a", 3)
    engine_of(PLAIN + '[params]\nsort_key = "price"\npartition-key = "7"\ntokens = "2"\ndesign = "x"').ask("a", 3)
    assert [request["params"].get("sort_key") for request in service.requests] == [None, "price"]


def test_what_may_be_a_secret_is_journaled_as_a_hash(engine_of, service: Service, tmp_path: Path) -> None:
    """Of a header's own value, and of a setting that fills one or sounds like a secret, the journal has a hash."""
    mapping = (
        PLAIN + 'user = {password = "{word}"}\nfrom = "{token}"\n[headers]\nX-Tenant = "S3cret 1"\nX-Who = "{who}"'
    )
    asked: dict[str, Any] = {"queries": {"q": "a"}, "k": 3, "journal": tmp_path / "j"}
    settings = {"who": "S3cret 2", "word": "S3cret 3", "token": "S3cret 4"}
    ask_all(engine_of(mapping, settings=settings), **asked)
    assert service.requests[0]["headers"]["X-Tenant"] == "S3cret 1"
    assert service.requests[0]["body"]["user"] == {"password": "S3cret 3"}
    assert "S3cret" not in (tmp_path / "j").read_text()
    assert stat.S_IMODE((tmp_path / "j").stat().st_mode) == 0o600
    assert ask_all(engine_of(mapping, settings=settings), **asked).resumed == 1
    for changed in ({"who": "other"}, {"token": "other"}):
        with pytest.raises(InputError, match=r"settings\.(who|token) was 'sha256:") as failed:
            ask_all(engine_of(mapping, settings={**settings, **changed}), **asked)
        assert "S3cret" not in str(failed.value)


@pytest.mark.parametrize(
    "mapping",
    [
        PLAIN + '[headers]\nX-A = "S3cret"\nx = 1',
        'headers = "Bearer S3cret"\n' + PLAIN,
        'params = ["S3cret"]\n' + PLAIN,
        PLAIN.replace("{engine}", "http://elastic:S3cret@host"),
    ],
)
def test_a_mistake_shows_no_secret(engine_of, mapping: str) -> None:
    """A mapping with a mistake is refused without showing what its headers, parameters and user are."""
    with pytest.raises(InputError, match=r"(headers|params|url) is") as failed:
        engine_of(mapping)
    assert "S3cret" not in str(failed.value)


@pytest.mark.parametrize("key", ['url = "{engine}/${NAME}"', 'id = "$.${NAME}"'])
def test_secrets_have_their_places(engine_of, key: str) -> None:
    """A secret in the address or a path would be recorded, and is refused; so is one in the body."""
    name = key.partition(" ")[0]
    mapping = "\n".join(line for line in PLAIN.splitlines() if not line.startswith(f"{name} "))
    with pytest.raises(InputError, match=f"{name} asks for the secret"):
        engine_of(f"{key}\n{mapping}")
    with pytest.raises(InputError, match="body asks for the secret"):
        engine_of(PLAIN + 'key = "${NAME}"')


@pytest.mark.parametrize("user", ["user:hunter2@", "hunter2@", ":hunter2@"])
def test_a_password_in_the_url_is_refused(tmp_path: Path, user: str) -> None:
    """A user or a password in the engine's URL is refused and not shown."""
    (tmp_path / "m.toml").write_text(PLAIN)
    with pytest.raises(InputError, match="holds a user or a password") as failed:
        open_engine(f"http://{user}127.0.0.1:1", mapping=tmp_path / "m.toml")
    assert "hunter2" not in str(failed.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://elastic:S3cr/et@host:9200",
        "http://elastic:S3cr?et@host:9200",
        "http://elastic:S3cr#et@host:9200",
        "http:/elastic:S3cret@host",
        "http:elastic:S3cret@host",
        "http://elastic:S3cret",
        "htp://elastic:S3cret@host",
        "S3cret@host:9200",
        "elastic:S3cret@host:9200",
        "sqlite3:S3cret@host",
        "postgresql://me:S3c/ret@127.0.0.1:1/db",
        "postgresql:/me:S3cret@127.0.0.1:1/db",
        "postgresql://me:S3cret",
    ],
)
def test_a_password_in_a_mistyped_url_is_not_shown(url: str) -> None:
    """However wrong a URL is, no message shows what may be a password, nor does the error behind it."""
    with pytest.raises(InputError) as failed:
        open_engine(url, mapping="elasticsearch" if url.startswith("http") else None, settings={"index": "a"})
    assert "s3c" not in str(failed.value).lower()
    assert "s3c" not in repr(failed.value.__cause__).lower()


def test_a_url_in_the_place_of_a_mapping_shows_no_password() -> None:
    """Where URL and mapping are mixed up, what stands before the @ is not shown."""
    with pytest.raises(InputError, match=r"there is no mapping '\*\*\*@host'"):
        open_engine("http://host", mapping="http://elastic:S3cret@host")


# ---- Mappings

WRONG = {
    "no TOML": ("= 1", "is not TOML"),
    "no hits": ('id = "$.a"', "has no hits"),
    "unknown key": (PLAIN.replace("hits =", "hit ="), "unknown key 'hit'; expected .*hits.*"),
    "wrong type": ("ok-empty = 1\n" + PLAIN, "ok-empty is 1; expected true or false"),
    "true k": ("max-k = true\n" + PLAIN, "max-k is True"),
    "no path": (PLAIN.replace('"$.hits"', '"hits"'), "hits is 'hits', no JSONPath"),
    "other host": (PLAIN.replace("{engine}/", "http://other/"), "url is 'http://other/search'"),
    "joined host": (PLAIN.replace("{engine}/", "{engine}.evil/"), "url is"),
    "parameters": (PLAIN.replace("/search", "/search?a=b"), "has no parameters"),
    "method": ('method = "DELETE"\n' + PLAIN, "method is 'DELETE'; expected POST"),
    "GET": ('method = "GET"\n' + PLAIN, "since there is a body"),
    "order": ('score-order = "up"\n' + PLAIN, "score-order is 'up'"),
    "pattern": ('id-pattern = "(a)(b)"\n' + PLAIN, "id-pattern is"),
    "broken pattern": ('id-pattern = "("\n' + PLAIN, "id-pattern is"),
    "no time": ("timeout = 0\n" + PLAIN, "timeout is 0"),
    "query in url": (PLAIN.replace("/search", "/{query}"), r"\{query\} stands in url"),
    "engine in body": (PLAIN + 'x = "{engine}"', r"\{engine\} stands in body"),
    "missing setting": (PLAIN + 'x = "{field}"', "the setting field has to be given"),
    "odd setting": (PLAIN + "[settings]\nx = 1979-05-27", "the setting x is"),
    "body": (PLAIN.partition("[body]")[0] + "body = '{'", "the body is no JSON"),
    "vector": (PLAIN + 'x = "{vector}"', r"asks for a \{vector\}"),
    "extends": ('extends = "lucene"', "extends 'lucene'; expected elasticsearch"),
    "header": (PLAIN + '[headers]\nx = "é"', "holds what no header can hold"),
    "headers": (PLAIN + "[headers]\nx = 1", "headers is"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_wrong_mappings_are_refused(engine_of, service: Service, text: str, message: str) -> None:
    """What is wrong with a mapping is said before the first query, with the file's name."""
    with pytest.raises(RankproofError, match=message) as failed:
        engine_of(text)
    assert "mapping0.toml" in str(failed.value)
    assert service.requests == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"siz": "2"}, "there is no setting 'siz'"),
        ({"size": "x"}, "size is 'x'; expected a whole number"),
        ({"on": "1"}, "true or false"),
    ],
)
def test_wrong_settings_are_refused(engine_of, settings: dict[str, str], message: str) -> None:
    """A setting is known, and of its default's type."""
    with pytest.raises(InputError, match=message):
        engine_of(PLAIN + 'n = "{size}"\no = "{on}"\n[settings]\nsize = 3\non = true', settings=settings)


def test_a_mapping_may_extend_a_preset(service: Service, tmp_path: Path, monkeypatch) -> None:
    """Tables are merged with the preset's, other values replace them."""
    monkeypatch.setenv("ES_KEY", "abc")
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "elasticsearch"\nmax-k = 5\n[headers]\nAuthorization = "ApiKey ${ES_KEY}"\n'
        '[body]\npreference = "_local"\n[settings]\nfields = ["title"]\n'
    )
    service.plan(default={"json": {"timed_out": False, "hits": {"hits": [{"_id": "a", "_score": 1.5}]}}})
    engine = open_engine(service.url, mapping=path, settings={"index": "news"})
    assert engine.name == "mine"
    assert engine.ask("x", 5) == Ranking(["a"], [1.5])
    (request,) = service.requests
    assert request["path"] == "/news/_search"
    assert request["headers"]["Authorization"] == "ApiKey abc"
    assert request["body"]["preference"] == "_local"
    assert request["body"]["query"]["multi_match"]["fields"] == ["title"]
    with pytest.raises(InputError, match="gives at most 5"):
        engine.ask("x", 6)
    engine.close()


def test_an_engine_is_found_by_its_scheme(tmp_path: Path, monkeypatch) -> None:
    """A URL without a known scheme, or with what that engine has no use for, is refused with what there is."""
    for url in ("localhost:9200", "ftp://host", "host", ""):
        with pytest.raises(InputError, match="expected sqlite:, postgresql:"):
            open_engine(url)
    for url in ("http://", "http://host:port", "http://host/?a=1", "http://[::1"):
        with pytest.raises(InputError, match="the engine's URL"):
            open_engine(url, mapping="elasticsearch", settings={"index": "a"})
    with pytest.raises(InputError, match="needs a mapping; expected elasticsearch, meilisearch"):
        open_engine("http://host")
    with pytest.raises(InputError, match="there is no mapping 'elastic'"):
        open_engine("http://host", mapping="elastic")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        open_engine("http://host", mapping=tmp_path / "none.toml")
    with pytest.raises(InputError, match="analyzer is given"):
        open_engine("http://host", mapping="elasticsearch", analyzer="words")
    with pytest.raises(InputError, match="mapping is given"):
        open_engine("sqlite:", mapping="elasticsearch")
    with pytest.raises(InputError, match="time-out is"):
        open_engine("http://host", mapping="elasticsearch", timeout=0)
    monkeypatch.setattr("rankproof.engines.postgres.open_postgres", lambda url, *_, **given: (url, given["timeout"]))
    assert open_engine("postgresql://host/db", timeout=3) == ("postgresql://host/db", 3)
    with closing(open_engine("sqlite:", documents={"a": "a cat", "b": "a dog"})) as engine:
        assert list(engine.ask("cat", 3).doc_ids) == ["a"]


def test_packages_that_are_missing_are_named(tmp_path: Path, monkeypatch) -> None:
    """Without the packages of the extra the error says which one, and how to get it."""
    (tmp_path / "m.toml").write_text(PLAIN)
    for module, package in (("httpx", "httpx"), ("jsonpath", "python-jsonpath")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(MissingPackageError, match=rf"needs the package {package}[\s\S]*rankproof\[engines\]"):
                open_engine("http://host", mapping=tmp_path / "m.toml")


# ---- Presets: requests and answers of the shapes that the services document (docs/engines.md names the pages)

SHAPES: dict[str, dict[str, Any]] = {
    "elasticsearch": {
        "settings": {"index": "articles", "fields": "title^2,body"},
        "path": "/articles/_search",
        "body": {
            "size": 2,
            "_source": False,
            "track_total_hits": False,
            "query": {
                "multi_match": {
                    "query": "a cat",
                    "fields": ["title^2", "body"],
                    "type": "best_fields",
                    "lenient": True,
                }
            },
        },
        "answer": {
            "took": 5,
            "timed_out": False,
            "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {
                "max_score": 1.3862942,
                "hits": [
                    {"_index": "articles", "_id": "0", "_score": 1.3862942},
                    {"_index": "articles", "_id": "x-7", "_score": 0.5},
                ],
            },
        },
        "ranking": Ranking(["0", "x-7"], [1.3862942, 0.5]),
        "broken": {"timed_out": True, "_shards": {"failed": 0}, "hits": {"hits": []}},
    },
    "solr": {
        "settings": {"index": "articles", "fields": "title^2 body"},
        "path": "/solr/articles/select",
        "body": {
            "query": "a cat",
            "limit": 2,
            "fields": ["id", "score"],
            "params": {"defType": "edismax", "qf": "title^2 body", "q.op": "OR", "wt": "json"},
        },
        "answer": {
            "responseHeader": {"status": 0, "QTime": 4},
            "response": {
                "numFound": 2,
                "start": 0,
                "maxScore": 2.5,
                "numFoundExact": True,
                "docs": [{"id": "a", "score": 2.5}, {"id": "b", "score": 0.25}],
            },
        },
        "ranking": Ranking(["a", "b"], [2.5, 0.25]),
        "broken": {"responseHeader": {"status": 0, "partialResults": True}, "response": {"docs": []}},
    },
    "meilisearch": {
        "settings": {"index": "movies"},
        "path": "/indexes/movies/search",
        "body": {
            "q": "a cat",
            "limit": 2,
            "attributesToRetrieve": ["id"],
            "showRankingScore": True,
            "matchingStrategy": "last",
        },
        "answer": {
            "hits": [{"id": 155, "_rankingScore": 0.9546}, {"id": 36657, "_rankingScore": 0.8103}],
            "query": "a cat",
            "processingTimeMs": 1,
            "limit": 2,
            "offset": 0,
            "estimatedTotalHits": 2,
        },
        "ranking": Ranking(["155", "36657"], [0.9546, 0.8103]),
    },
    "typesense": {
        "settings": {"index": "companies", "fields": "company_name,about"},
        "environment": {"TYPESENSE_API_KEY": "xyz"},
        "headers": {"X-TYPESENSE-API-KEY": "xyz"},
        "path": "/collections/companies/documents/search",
        "params": {"q": "a cat", "query_by": "company_name,about", "per_page": "2", "include_fields": "id"},
        "answer": {
            "found": 2,
            "out_of": 9,
            "page": 1,
            "request_params": {"collection_name": "companies", "per_page": 2, "q": "a cat"},
            "search_cutoff": False,
            "search_time_ms": 1,
            "hits": [
                {"document": {"id": "124"}, "highlights": [], "text_match": 578730123365189753},
                {"document": {"id": "7"}, "highlights": [], "text_match": 578730123365189752},
            ],
        },
        "ranking": Ranking(["124", "7"], None),
        "broken": {"search_cutoff": True, "hits": []},
    },
    "qdrant": {
        "settings": {"index": "articles", "using": "dense", "payload": "true", "id": "$.payload.doc_id"},
        "path": "/collections/articles/points/query",
        "body": {"query": [5.0, 0.5], "using": "dense", "limit": 2, "with_payload": True},
        "answer": {
            "result": {
                "points": [
                    {"id": 3, "version": 7, "score": 0.75, "payload": {"doc_id": "a"}},
                    {"id": 9, "version": 8, "score": 0.5, "payload": {"doc_id": "b"}},
                ]
            },
            "status": "ok",
            "time": 0.002,
        },
        "ranking": Ranking(["a", "b"], [0.75, 0.5]),
    },
    "qdrant-text": {
        "settings": {"index": "articles", "model": "qdrant/bm25", "order": "ascending"},
        "path": "/collections/articles/points/query",
        "body": {"query": {"text": "a cat", "model": "qdrant/bm25"}, "limit": 2, "with_payload": False},
        "answer": {"result": {"points": [{"id": 3, "score": 0.5}, {"id": 9, "score": 0.75}]}, "status": "ok"},
        "ranking": Ranking(["3", "9"], [-0.5, -0.75]),
    },
    "vespa": {
        "settings": {"schema": "music", "ranking": "bm25"},
        "path": "/search/",
        "body": {
            "yql": "select documentid from music where userQuery()",
            "query": "a cat",
            "type": "weakAnd",
            "hits": 2,
            "ranking": "bm25",
        },
        "answer": {
            "root": {
                "id": "toplevel",
                "relevance": 1.0,
                "fields": {"totalCount": 2},
                "coverage": {"coverage": 100, "documents": 9, "full": True, "nodes": 1, "results": 1, "resultsFull": 1},
                "children": [
                    {"id": "index:m/0/c4", "relevance": 3.5, "fields": {"documentid": "id:ns:music::a::b"}},
                    {"id": "index:m/0/c5", "relevance": 0.25, "fields": {"documentid": "id:ns:music:g=x:c"}},
                ],
            }
        },
        "ranking": Ranking(["a::b", "c"], [3.5, 0.25]),
        "empty": {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}},
        "broken": {"root": {"id": "toplevel", "errors": [{"code": 12, "summary": "Timed out"}]}},
    },
}
SHAPES["opensearch"] = SHAPES["elasticsearch"]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_ask_and_read_as_the_services_document(service: Service, monkeypatch, name: str) -> None:
    """Each preset sends the documented request and reads the documented answer, the empty and the broken one."""
    shape = SHAPES[name]
    for variable, value in shape.get("environment", {}).items():
        monkeypatch.setenv(variable, value)
    rest = {"none": [{"json": shape.get("empty", {})}], "broken": [{"json": shape.get("broken", {})}]}
    service.plan(rest if name != "qdrant" else {}, {"json": shape["answer"]})
    mapping = read_mapping(name, shape["settings"])
    embed = (lambda texts: [[float(len(text)), 0.5] for text in texts]) if mapping.needs_vector else None
    engine = HttpEngine(service.url, mapping, embed=embed)
    assert engine.ask("a cat", 2) == shape["ranking"]
    (request,) = service.requests
    assert request["path"] == shape["path"]
    assert (request["body"], request["params"]) == (shape.get("body"), shape.get("params", {}))
    assert {key: request["headers"].get(key) for key in shape.get("headers", {})} == shape.get("headers", {})
    if "empty" in shape:
        assert engine.ask("none", 2) == Ranking([], [])
    if "broken" in shape:
        assert failing(engine, "broken").transient
    engine.close()


def test_vespa_ids_may_be_a_field_of_ones_own(service: Service) -> None:
    """An id that is no document id of Vespa's is taken whole."""
    hit = {"id": "index:m/0/c4", "relevance": 3.5, "fields": {"number": "TR-7"}}
    service.plan(default={"json": {"root": {"children": [hit]}}})
    engine = HttpEngine(service.url, read_mapping("vespa", {"id": "number"}))
    assert list(engine.ask("x", 2).doc_ids) == ["TR-7"]
    assert service.requests[0]["body"]["yql"] == "select number from sources * where userQuery()"
    assert "ranking" not in service.requests[0]["body"]
    engine.close()


def test_a_vector_that_is_none_is_refused(service: Service) -> None:
    """NaN or infinity in a vector ends the asking before the service sees it; an embedding without use is refused."""
    mapping = read_mapping("qdrant", {"index": "a"})
    for number in (float("nan"), float("inf")):
        engine = HttpEngine(service.url, mapping, embed=lambda _, number=number: [[0.0, number]])
        with pytest.raises(InputError, match="is no vector; expected finite numbers"):
            engine.ask("x", 2)
        engine.close()
    with pytest.raises(InputError, match=r"asks for no \{vector\}"):
        HttpEngine(service.url, read_mapping("elasticsearch", {"index": "a"}), embed=lambda _: [])
    assert service.requests == []


def test_mappings_are_documented() -> None:
    """The page on engines names every key of a mapping, and every preset with its settings, the needed ones in bold."""
    page = (ROOT / "docs" / "engines.md").read_text("utf-8")
    assert [key for key in KEYS if f"| `{key}` |" not in page and f"| `[{key}]` |" not in page] == []
    lines = page.partition("## Presets")[2].splitlines()
    rows = {
        name: line for line in lines if line.startswith("| `") for name in line.split("|")[1].strip(" `").split("`, `")
    }
    assert rows.pop("--mapping")
    assert set(rows) == set(PRESETS)
    rows["qdrant-text"] += rows["qdrant"]
    for name, row in rows.items():
        settings = read_mapping(name, SHAPES[name]["settings"]).settings
        assert [setting for setting in settings if not re.search(rf"\b{setting}\b", row)] == []
        bold = set(re.findall(r"\*\*([a-z-]+)\*\*", row))
        for setting in bold:
            given = {key: "a" for key in bold if key != setting}
            with pytest.raises(InputError, match=f"the setting {setting} has to be given"):
                read_mapping(name, given)
        assert read_mapping(name, dict.fromkeys(bold, "a")).settings.keys() == settings.keys()
