"""The engine in a real browser: it starts, answers as here, sends nothing, and lives through being stopped."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from lab_site import BLANK, START_ENGINE, blank, engine_of, hosted, lab, served

import rankproof
from rankproof.lab.api import call
from rankproof.lab.engine import PACKAGE
from rankproof.lab.site import ENGINE, POLICY

MEGABYTE = 1_000_000
SAMPLE = {"text": (PACKAGE / "example" / "lab.json").read_text("utf-8"), "k": 3}
LISTS = {"a": "a\nb\nc\nd", "b": "b\nc\nd\na", "grades": "c 1", "k": 4}
CALLS = [
    *(("about", {}), ("sample", {}), ("lab", {}), ("no such call", {"text": "한글 \U0001f600"})),
    *(("lab", {**SAMPLE, "statistics": False}), ("query", {**SAMPLE, "query": "q-1"})),
    ("explain", {**SAMPLE, "query": "q-1", "measure": "nDCG@3"}),
    *(("lab_csv", SAMPLE), ("interleaving", LISTS), ("interleaving_plan", LISTS), ("closed_corpus", {})),
    ("contracts", {"grades": "0 3 ? 2 0 1", "missed": "3 1", "measure": "nDCG@5", "reference": "rankproof", "k": 5}),
]
"""One of each tab that no other test asks of both; those of the teaching tabs are in test_lab_teaching."""

ASK = "([name, given]) => engine.call(name, given).then(JSON.stringify)"


@contextmanager
def at(where: str, found, folder, policy: str = POLICY):
    """Serve a site from rankproof's server, or from a host of files that sends no header of ours."""
    files = {**found.files, BLANK: blank(policy)}
    with (
        served(replace(found, files=files), policy=policy)
        if where == "loopback"
        else hosted(replace(found, files=files), folder) as host
    ):
        yield host


@pytest.mark.parametrize("where", ["site", "static_site"])
def test_it_answers_as_here(request, engine_page, where: str) -> None:
    """From our server and from any host, a call is answered as on this machine; the start tells its steps."""
    host = request.getfixturevalue(where)
    shown = engine_page(host)
    assert shown.info["rankproof"] == rankproof.__version__
    assert shown.info["sha256"] == lab().engine
    for name, given in CALLS:
        assert json.loads(shown.evaluate(ASK, [name, given])) == json.loads(call(name, json.dumps(given))), name
    told = shown.evaluate("told")
    assert list(dict.fromkeys(one["stage"] for one in told)) == ["loading", "starting", "importing", "ready"]
    loading = [one["loaded"] for one in told if one["stage"] == "loading"]
    assert loading == sorted(loading)
    assert loading[0] == 0
    assert 0 < loading[-1] < told[0]["total"]
    assert told[0]["total"] > 10 * MEGABYTE
    assert shown.said == []


def test_answers_are_the_same_bytes(engine_page, site) -> None:
    """The text that the engine in the page answers with is, byte by byte, the text that it answers with here."""
    shown = engine_page(site)
    given = json.dumps({"text": json.loads(call("sample", "{}"))["result"]["json"], "k": 3})
    text = shown.evaluate(
        """([name, given]) => new Promise((done) => {
            const parse = JSON.parse;
            JSON.parse = (text) => { JSON.parse = parse; done(text); return parse(text); };
            engine.call(name, parse(given));
        })""",
        ["lab", given],
    )
    assert without_versions(text) == without_versions(call("lab", given))
    assert json.loads(text)["ok"] is True


def without_versions(text: str) -> str:
    """Return an answer without what says which machine it was made on."""
    answer = json.loads(text)
    for name in ("arguments", "machine", "time", "versions"):
        answer.get("result", {}).get("data", {}).pop(name, None)
    return json.dumps(answer, ensure_ascii=False)


# Nothing leaves

WORKER = b"""onmessage = async ({ data }) => {
    const told = [];
    await fetch(data).then(() => told.push('fetch'), () => {});
    await import(`${data}.mjs`).then(() => told.push('import'), () => {});
    await new Promise((done) => {
        const socket = new WebSocket(data.replace('http', 'ws'));
        socket.onopen = socket.onclose = socket.onerror = done;
    });
    postMessage(told);
};"""

TRY = """async (url) => {
    const { workerOf } = await import('./engine.mjs');
    const worker = workerOf(new URL('./leak.mjs', location.href));
    const inWorker = new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
    worker.postMessage(url + '?worker');
    await fetch(url + '?page').catch(() => {});
    navigator.sendBeacon(url + '?beacon', 'x');
    document.body.append(Object.assign(new Image(), { src: url + '?image' }));
    document.body.append(Object.assign(document.createElement('script'), { src: url + '?script' }));
    await inWorker;
    await new Promise((done) => setTimeout(done, 500));
}"""


@pytest.fixture
def elsewhere():
    """Another origin that would take anything: which requests came there."""
    with served(replace(lab(), files={"leak": b"", "leak.mjs": b""})) as host:
        yield host


def leaks(lab_page, where, elsewhere, tmp_path, policy: str) -> set[str]:
    """Return how a page and its worker under a policy reached another origin."""
    with at(where, lab(more={"leak.mjs": WORKER}), tmp_path, policy) as host:
        shown = lab_page(f"{host.url}{BLANK}")
        shown.evaluate(TRY, f"{elsewhere.url}leak")
    return {path for _, path, _ in elsewhere.requests}


@pytest.mark.parametrize("where", ["loopback", "static"])
def test_nothing_reaches_another_origin(lab_page, elsewhere, tmp_path, where: str) -> None:
    """Whatever code in the page or its worker tries, no request arrives elsewhere."""
    assert leaks(lab_page, where, elsewhere, tmp_path, POLICY) == set()


@pytest.mark.parametrize("where", ["loopback", "static"])
def test_a_weaker_policy_would_be_seen(lab_page, elsewhere, tmp_path, where: str) -> None:
    """The same trial under a policy that allows connections finds the requests: the test above can fail."""
    weaker = POLICY.replace("connect-src 'self'", "connect-src *")
    found = leaks(lab_page, where, elsewhere, tmp_path, weaker)
    assert {"/leak?page", "/leak?worker", "/leak?beacon"} <= found


def test_a_worker_by_its_url_would_escape(lab_page, elsewhere, tmp_path) -> None:
    """On a host that sends no policy, a worker made from a URL does reach elsewhere: so ours is made from a blob."""
    with at("static", lab(more={"leak.mjs": WORKER}), tmp_path) as host:
        shown = lab_page(f"{host.url}{BLANK}")
        shown.evaluate(
            """(url) => new Promise((done) => {
                const worker = new Worker('./leak.mjs', { type: 'module' });
                worker.onmessage = done;
                worker.postMessage(url);
            })""",
            f"{elsewhere.url}leak",
        )
    assert any(path == "/leak" for _, path, _ in elsewhere.requests)


@pytest.mark.parametrize("where", ["site", "static_site"])
def test_after_the_start_nothing_is_asked_for(request, engine_page, elsewhere, where: str) -> None:
    """In the worker nothing that reaches out is left, and calls make no request at all, not even to the host."""
    host = request.getfixturevalue(where)
    shown = engine_page(host)
    worker = shown.workers[0]
    names = (
        "fetch",
        "XMLHttpRequest",
        "WebSocket",
        "EventSource",
        "WebTransport",
        "importScripts",
        "caches",
        "indexedDB",
    )
    left = "(names) => names.filter((name) => typeof globalThis[name] !== 'undefined')"
    assert worker.evaluate(left, [*names, "Worker", "BroadcastChannel"]) == []
    assert worker.evaluate("Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch") is None
    loads = "(url) => import(url).then(() => 'loaded', () => 'refused')"
    assert worker.evaluate(loads, f"{elsewhere.url}leak.mjs") == "refused"
    shown.wait_for_timeout(300)
    before = list(host.requests)
    for name, given in CALLS:
        shown.evaluate(ASK, [name, given])
    assert host.requests == before
    assert elsewhere.requests == []


# What a visit costs


def visit(lab_page, host, context=None, **options):
    """Open the lab itself until its engine is ready and its service worker, where there is one, has kept the files."""
    shown = lab_page(f"{host.url}{BLANK}", context=context, **options)
    shown.info = shown.evaluate(START_ENGINE)
    if options.get("service_workers") == "allow":
        shown.evaluate("navigator.serviceWorker.ready.then(() => true)")
    shown.evaluate("import('./vendor/vega.mjs').then(() => import('./vendor/lit-html.mjs'))")
    for name in page_files():
        shown.evaluate("(name) => fetch(name).then((one) => one.arrayBuffer())", name)
    return shown


def page_files() -> list[str]:
    """The files that the page itself asks for, beside the engine's."""
    return [
        name for name in lab().files if "/" not in name.removeprefix("tabs/") and not name.endswith((".zip", ".json"))
    ]


@pytest.mark.parametrize("service_workers", ["block", "allow"])
def test_what_goes_over_the_wire(lab_page, service_workers: str) -> None:
    """A first visit costs at most 7 MB, the service worker's share included; a later one at most 50 KB."""
    with served(lab()) as host:
        first = visit(lab_page, host, service_workers=service_workers)
        settled(host)
        sizes = [host.sent]
        host.sent = 0
        later = visit(lab_page, host, context=first.context)
        settled(host)
        sizes.append(host.sent)
        print(f"service workers {service_workers}: {sizes[0] / 1e6:.3f} MB, then {sizes[1] / 1e3:.1f} KB")
        assert later.info["sha256"] == first.info["sha256"]
    assert 3 * MEGABYTE < sizes[0] <= 7 * MEGABYTE
    assert sizes[1] <= 50_000


def settled(host) -> None:
    """Wait until nothing has been sent for a second."""
    sent = -1
    while host.sent != sent:
        sent = host.sent
        time.sleep(1)


@pytest.mark.parametrize("where", ["loopback", "static"])
def test_offline_after_the_first_visit(lab_page, tmp_path, where: str) -> None:
    """With the host gone, a visited lab opens, starts and answers."""
    found = lab()
    with at(where, found, tmp_path) as host:
        shown = lab_page(host.url, service_workers="allow")
        shown.evaluate("navigator.serviceWorker.ready.then(() => true)")
    shown.goto(host.url)
    assert shown.locator("h1").count() > 0
    shown.evaluate(START_ENGINE)
    assert json.loads(shown.evaluate(ASK, ["sample", {}])) == json.loads(call("sample", "{}"))


def test_a_new_version_is_there_at_once(lab_page, tmp_path) -> None:
    """Once the host has another version, or no service worker, the next visit gets it, and nothing of the old one."""
    old = lab()
    page = old.files["index.html"]
    with served(old) as host:
        port = host.server.server_port
        shown = lab_page(host.url, service_workers="allow")
        shown.evaluate("navigator.serviceWorker.ready.then(() => true)")
    versions = [("new", lab()), ("without", lab(service_worker=False))]
    for word, site in versions:
        listed = json.loads(site.files["site.json"]) | {"version": word}
        changed = {
            "index.html": page.replace(b"<title>", f"<title>{word} ".encode()),
            "site.json": json.dumps(listed).encode(),
        }
        with served(replace(site, files={**site.files, **changed, "app.mjs": b""}), port) as host:
            shown.goto(host.url)
            assert shown.title().startswith(f"{word} ")
            shown.goto(host.url)
            assert shown.title().startswith(f"{word} ")
            assert shown.evaluate("fetch('app.mjs').then((one) => one.text())") == ""
    assert shown.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert shown.evaluate("caches.keys()") == []


# Stopped, crashed, missing

STAND_IN = """
import json, os

def call(name, arguments):
    if name == "sleep":
        while True:
            pass
    if name == "abort":
        os.abort()
    if name == "deep":
        f = lambda: f()
        return f()
    return json.dumps({"ok": True, "result": json.loads(arguments)})
"""


@pytest.fixture(scope="module")
def stand_in():
    """A site whose engine does what a call asks, be it harmful; its own sources differ from what was compiled."""
    with served(lab(service_worker=False, more={ENGINE: engine_of(STAND_IN)})) as host:
        yield host


ENDS = "(calls) => Promise.all(calls.map((one) => one.then((answer) => answer.result, (error) => error.kind)))"
"""What calls end with: a result, or the kind of an error."""


def test_changed_sources_are_compiled_again(engine_page, stand_in) -> None:
    """What was compiled from other sources than the engine's is not run: page and library cannot drift apart."""
    shown = engine_page(stand_in)
    assert shown.evaluate("engine.call('echo', [1, 'é한']).then((answer) => answer.result)") == [1, "é한"]


def test_a_call_can_be_cancelled(engine_page, stand_in) -> None:
    """A call that runs for ever is stopped by its signal; those behind it are answered by the next worker, in order."""
    shown = engine_page(stand_in)
    found = shown.evaluate(f"""async () => {{
        const stop = new AbortController(), drop = new AbortController(), order = [];
        const note = (call) => call.finally(() => order.push(order.length));
        const calls = [
            engine.call('sleep', {{}}, {{ signal: stop.signal }}),
            engine.call('echo', 'dropped', {{ signal: drop.signal }}),
            note(engine.call('echo', 1)),
            note(engine.call('echo', 2)),
            engine.call('echo', 3, {{ signal: AbortSignal.abort() }}),
        ];
        setTimeout(() => drop.abort(), 50);
        setTimeout(() => stop.abort(), 200);
        return ({ENDS})(calls);
    }}""")
    assert found == ["cancelled", "cancelled", 1, 2, "cancelled"]


def test_stop_ends_what_runs_alone(engine_page, stand_in) -> None:
    """What runs is stopped; what waits, of other tabs, is answered by the new worker."""
    shown = engine_page(stand_in)
    found = shown.evaluate(f"""() => {{
        const calls = [engine.call('sleep', {{}}), engine.call('echo', 1)];
        setTimeout(() => engine.stop(), 100);
        return ({ENDS})(calls);
    }}""")
    assert found == ["cancelled", 1]


def test_a_restart_drops_what_waits(engine_page, stand_in) -> None:
    """After a restart no old call is answered, and new ones are."""
    shown = engine_page(stand_in)
    found = shown.evaluate(f"""async () => {{
        const calls = [engine.call('sleep'), engine.call('echo', 1)];
        const info = await engine.restart();
        calls.push(engine.call('echo', info.python.length > 0));
        return ({ENDS})(calls);
    }}""")
    assert found == ["cancelled", "cancelled", True]


def test_a_crash_is_told_and_the_engine_starts_again(engine_page, stand_in) -> None:
    """An interpreter that ends takes only its own call with it; an error of Python's ends nothing but the call."""
    shown = engine_page(stand_in)
    found = shown.evaluate(f"""() => ({ENDS})([
        engine.call('abort'), engine.call('echo', 1), engine.call('deep'), engine.call('echo', 2),
    ])""")
    assert found == ["crashed", 1, "crashed", 2]
    assert shown.evaluate("told.filter((one) => one.stage === 'ready').length") >= 2


def test_a_worker_that_breaks_between_calls_starts_again(engine_page, stand_in) -> None:
    """An error outside any call restarts the worker too."""
    shown = engine_page(stand_in)
    shown.workers[0].evaluate("() => { setTimeout(() => { throw new Error('broken'); }); }")
    shown.evaluate("""async () => {
        const starts = () => told.filter((one) => one.stage === 'ready').length;
        while (starts() < 2) await new Promise((done) => setTimeout(done, 50));
    }""")
    assert shown.evaluate("engine.call('echo', 1).then((answer) => answer.result)") == 1


@pytest.mark.parametrize(
    "name", [ENGINE, "vendor/python_stdlib.zip", "vendor/pyodide.asm.wasm", "worker.mjs", "site.json"]
)
def test_a_start_that_fails_says_so(engine_page, name: str) -> None:
    """Where a file is missing or broken, waiting for the engine ends with an error, and so does each call."""
    found = lab(service_worker=False)
    broken = {ENGINE: engine_of("broken(")} if name == ENGINE else {}
    files = {one: data for one, data in {**found.files, **broken}.items() if one != name or broken}
    with served(replace(found, files=files)) as host:
        shown = engine_page(host)
        assert shown.info["error"] == "failed"
        assert shown.evaluate("told.at(-1).stage") == "failed"
        assert shown.evaluate("told.at(-1).message") != ""
        late = "engine.call('about').then(() => 'answered', (error) => error.kind)"
        assert shown.evaluate(late) == "failed"
