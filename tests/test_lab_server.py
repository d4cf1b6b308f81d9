"""The lab as files and as a server: what is served and to whom, what is exported, which Python goes into the page."""

from __future__ import annotations

import ast
import gzip
import hashlib
import http.client
import importlib.util
import json
import os
import posixpath
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from browser import ROOT
from lab_site import lab, served, unzipped

import rankproof
from rankproof.errors import InputError
from rankproof.lab import site as site_module
from rankproof.lab.engine import PACKAGE, engine_files, engine_zip
from rankproof.lab.export import export
from rankproof.lab.server import LabServer
from rankproof.lab.site import ENGINE, POLICY, SITE, Site

TEXT = b"text " * 1000
SMALL = Site({"index.html": TEXT, "vendor/x.wasm": TEXT, "a.zip": gzip.compress(TEXT), "t.txt": b"t"}, "1", "2")


@pytest.fixture
def host():
    """A server of four small files."""
    with served(SMALL) as running:
        yield running


def ask(host, path: str = "/", method: str = "GET", *, body: bytes | None = None, **headers: str):
    """Return status, headers and body of one request; `Host` and others as given, underscores for dashes."""
    connection = http.client.HTTPConnection("127.0.0.1", host.server.server_port, timeout=30)
    connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        if value:
            connection.putheader(name.replace("_", "-"), value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def test_only_the_files_of_the_site_can_be_had(host) -> None:
    """The root is the page, a listed file is itself, and any other path, however spelled, is not found."""
    assert ask(host)[::2] == (200, TEXT)
    assert ask(host, "/vendor/x.wasm?v=1")[::2] == (200, TEXT)
    assert ask(host, "/vendor%2Fx.wasm")[0] == 200
    for path in (
        "/../server.py",
        "/vendor/../../server.py",
        "/%2e%2e/server.py",
        "//etc/passwd",
        "/vendor",
        "/%ff",
        "/x",
    ):
        assert ask(host, path)[0] == 404, path


def test_head_is_get_without_the_file(host) -> None:
    """HEAD says what GET says, and sends nothing behind it."""
    status, headers, body = ask(host, method="HEAD")
    assert (status, body) == (200, b"")
    assert {**headers, "Date": ""} == {**ask(host)[1], "Date": ""}


@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1]", "localhost."]
)
def test_other_names_are_refused(host, name: str) -> None:
    """Asked by a name that is not this machine's loopback, the server says that it is the wrong one."""
    assert ask(host, Host=name)[0] == 421


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:1", "127.0.0.1"])
def test_loopback_names_are_taken(host, name: str) -> None:
    """Whatever the port that a browser sees, as behind a tunnel, loopback names are answered."""
    assert ask(host, Host=name)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"])
def test_nothing_is_taken_in(host, method: str) -> None:
    """No method but GET and HEAD is there, and the connection ends with the answer."""
    status, headers, _ = ask(host, method=method, body=TEXT)
    assert (status, headers["Allow"], headers["Connection"]) == (405, "GET, HEAD", "close")


def test_every_answer_carries_the_policy(host) -> None:
    """Found, unchanged, unknown, refused: each answer says the policy, isolates the page, and names no referrer."""
    tag = ask(host)[1]["ETag"]
    asked = [ask(host), ask(host, If_None_Match=tag), ask(host, "/x"), ask(host, method="POST"), ask(host, Host="x")]
    assert [status for status, *_ in asked] == [200, 304, 404, 405, 421]
    for _, headers, _ in asked:
        assert headers["Content-Security-Policy"] == f"{POLICY}; frame-ancestors 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert "Server" not in headers or "Python" not in headers["Server"]


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [("gzip, br", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False), ("br, gzip; q=0.5", True)],
)
def test_packed_where_the_browser_takes_it(host, accepted: str, is_packed: bool) -> None:
    """Packed by gzip where that is accepted, plain where not; unpacked, it is the same."""
    _, headers, body = ask(host, Accept_Encoding=accepted)
    assert (headers.get("Content-Encoding") == "gzip") is is_packed
    assert (len(body) < len(TEXT)) is is_packed
    assert (gzip.decompress(body) if is_packed else body) == TEXT
    assert headers["Vary"] == "Accept-Encoding"


def test_what_does_not_shrink_is_not_packed(host) -> None:
    """What is packed already, or grows by packing, goes as it is."""
    for path in ("/a.zip", "/t.txt"):
        assert "Content-Encoding" not in ask(host, path, Accept_Encoding="gzip")[1]


def test_an_unchanged_file_is_not_sent_again(host) -> None:
    """With the tag of what it has, a browser gets 304 and no body; packed and plain have tags of their own."""
    plain, packed = ask(host)[1]["ETag"], ask(host, Accept_Encoding="gzip")[1]["ETag"]
    assert plain != packed
    assert ask(host, If_None_Match=plain)[::2] == (304, b"")
    assert ask(host, If_None_Match=f'"x", W/{packed}', Accept_Encoding="gzip")[::2] == (304, b"")
    assert ask(host, If_None_Match=packed)[::2] == (200, TEXT)


def test_the_server_is_for_this_machine(host) -> None:
    """It listens on the loopback address, and a port that is taken is refused with a hint."""
    assert host.server.server_address[0] == "127.0.0.1"
    with pytest.raises(InputError, match="--port 0"):
        LabServer(SMALL, host.server.server_port)


# Files


def test_an_export_holds_the_site(tmp_path) -> None:
    """Each file is written as it is; a second export leaves what it has, and takes away what the first had more."""
    listing = {SITE: json.dumps({"files": dict.fromkeys(SMALL.files)}).encode()}
    first = replace(SMALL, files={**SMALL.files, **listing})
    folder = tmp_path / "new" / "lab"
    export(first, folder)
    assert _content(folder) == first.files
    second = replace(first, files={"index.html": b"2", SITE: b'{"files": {"index.html": 1}}'})
    export(second, folder)
    assert _content(folder) == second.files


def _content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "listing", [None, b"", b"[]", b'{"files": 1}', b'{"files": {"index.html": 1}}', b"\xff", b"[" * 9999]
)
def test_a_folder_of_somebody_else_is_left_alone(tmp_path, listing: bytes | None) -> None:
    """A folder that holds anything that no export of ours lists is refused, and stays as it is."""
    (tmp_path / "mine.txt").write_bytes(b"mine")
    if listing is not None:
        (tmp_path / SITE).write_bytes(listing)
    before = _content(tmp_path)
    with pytest.raises(InputError, match="not of an exported lab"):
        export(SMALL, tmp_path)
    assert _content(tmp_path) == before


def test_a_list_deletes_nothing_outside(tmp_path) -> None:
    """A list that names files outside the folder takes none of them away."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / SITE).write_text(json.dumps({"files": {"../outside.txt": 1, str(outside): 1}}))
    export(replace(SMALL, files={**SMALL.files, SITE: b"{}"}), tmp_path / "lab")
    assert outside.read_text() == "mine"


def test_a_file_is_no_folder(tmp_path) -> None:
    """An export to a file, or below one, is refused."""
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError):
            export(SMALL, folder)


# Which Python


def test_the_same_files_make_the_same_engine(tmp_path) -> None:
    """Copied elsewhere, with other times and caches beside, the package packs into the same bytes."""
    copied = tmp_path / "rankproof"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("vendor", "*.pyc"), copy_function=shutil.copyfile)
    (copied / "__pycache__").mkdir(exist_ok=True)
    (copied / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert engine_zip(copied) == engine_zip()


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Path:
    """The engine, unpacked."""
    folder = tmp_path_factory.mktemp("engine")
    unzipped(engine_zip()).extractall(folder)
    return folder


def test_every_module_of_the_engine_imports_alone(engine) -> None:
    """With the engine and the standard library and nothing else, each of its modules imports."""
    names = [".".join(path.relative_to(engine).with_suffix("").parts) for path in sorted(engine.rglob("*.py"))]
    code = f"import importlib\nfor name in {names!r}: importlib.import_module(name.removesuffix('.__init__'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(engine)!r})\n{code}"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert not (engine / "rankproof" / "cli").exists()


def test_the_engine_asks_for_nothing_that_was_left_out(engine) -> None:
    """Whatever a module of the engine imports of this package, at once or late, is in the engine."""
    sources = {path.relative_to(engine): path.read_text("utf-8") for path in engine.rglob("*.py")}
    there = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in sources}
    wanted = {
        (str(path), name)
        for path, source in sources.items()
        if path != Path("rankproof/__init__.py")  # it exports all, each when it is asked for
        for name in _imports(source)
        if name.partition(".")[0] == "rankproof"
    }
    assert [one for one in sorted(wanted) if one[1] not in there] == []


def test_the_engine_holds_the_example(engine) -> None:
    """The packaged example's files go into the page as they are."""
    for path in (PACKAGE / "example").glob("*.*"):
        assert (engine / "rankproof" / "example" / path.name).read_bytes() == path.read_bytes()


def test_the_compiled_standard_library_has_what_the_engine_imports() -> None:
    """Each module of the standard library that a file of the engine imports, wherever, was compiled for the page."""
    kept = set(unzipped(lab().files["vendor/python_stdlib.zip"]).namelist())
    wanted = {name for _, path in engine_files() if path.suffix == ".py" for name in _imports(path.read_text("utf-8"))}
    frozen = {
        "abc",
        "codecs",
        "io",
        "os",
        "stat",
        "zipimport",
        "collections.abc",
        "importlib.util",
        "importlib.machinery",
    }
    absent = [
        name
        for name in sorted(wanted - frozen)
        if name.partition(".")[0] in sys.stdlib_module_names
        and str(getattr(importlib.util.find_spec(name), "origin", "")).endswith(".py")
        and not {f"{name.replace('.', '/')}{end}" for end in (".pyc", "/__init__.pyc")} & kept
    ]
    assert absent == [], "install again: the compiled standard library is older than the engine"


def _imports(source: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


# The whole


def test_the_version_is_of_all_files(monkeypatch, tmp_path) -> None:
    """The list names every file with its size and hash; another byte in one of them makes another version."""
    one = lab()
    listed = json.loads(one.files[SITE])
    assert listed["version"] == one.version
    assert listed["engine"] == one.engine == hashlib.sha256(one.files[ENGINE]).hexdigest()
    assert set(listed["files"]) == set(one.files) - {SITE, "service-worker.mjs", "blank.html"}
    assert all(listed["files"][name]["bytes"] == len(one.files[name]) for name in listed["files"])
    assert f"const VERSION = '{one.version}';".encode() in one.files["service-worker.mjs"]
    assert lab().version == one.version
    shutil.copytree(site_module.PAGE, tmp_path / "page")
    with (tmp_path / "page" / "service-worker.mjs").open("a") as script:
        script.write("//")
    monkeypatch.setattr(site_module, "PAGE", tmp_path / "page")
    assert lab().version != one.version


def test_without_a_service_worker() -> None:
    """Where none is wanted none is there, and the list says so."""
    found = lab(service_worker=False)
    assert "service-worker.mjs" not in found.files
    assert json.loads(found.files[SITE])["service_worker"] is False


def test_the_page_states_the_policy_itself() -> None:
    """On a host that sends no header the page's own policy is the same, and stands before anything that loads."""
    text = (PACKAGE / "lab" / "page" / "index.html").read_text("utf-8")
    stated = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    assert stated in text
    assert text.index(stated) < min(text.index(tag) for tag in ("<link", "<script", "<title"))


def test_the_page_asks_for_its_modules_at_once() -> None:
    """What the page names beforehand is each module that its first script leads to, and no other."""
    files = lab().files
    reached, ahead = set(), ["app.mjs"]
    while ahead:
        name = ahead.pop()
        reached.add(name)
        imported = re.findall(r"^(?:import|export) .*?from '(\..+?)';", files[name].decode(), re.MULTILINE | re.DOTALL)
        found = {posixpath.normpath(posixpath.join(posixpath.dirname(name), one)) for one in imported}
        ahead += found - reached
    named = re.findall(r'<link rel="modulepreload" href="(.+?)">', files["index.html"].decode())
    assert sorted(named) == sorted(reached)


def test_the_lab_names_its_licences() -> None:
    """What ships comes with name, version and licence: Python and Pyodide, lit-html, the chart library."""
    files = lab().files
    texts = files["vendor/LICENSES.txt"].decode() + files["vendor/LICENSES-charts.txt"].decode()
    for name in (
        "pyodide 314.0.7 (MPL-2.0)",
        "lit-html 3.3.3 (BSD-3-Clause)",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
        "vega 6",
    ):
        assert name in texts


# The command


def test_without_its_files_the_command_says_what_to_do(in_process, monkeypatch, tmp_path) -> None:
    """Built without npm, `rankproof lab` ends with status 2 and says what to install."""
    monkeypatch.setattr(site_module, "VENDOR", tmp_path)
    done = in_process("lab", "--no-browser")
    assert done.status == 2
    assert done.out == ""
    assert "Node.js" in done.err


def test_the_command_exports(in_process, tmp_path) -> None:
    """`--export` writes the site, a second time too, and refuses a folder of something else."""
    wanted = {name for name in lab().files if name != "blank.html"}
    for _ in range(2):
        done = in_process("lab", "--export", tmp_path / "out")
        assert (done.status, done.out) == (0, "")
        assert set(_content(tmp_path / "out")) == wanted
    assert in_process("lab", "--export", tmp_path).status == 2
    assert in_process("lab", "--export", tmp_path / "out", "--no-service-worker").status == 0
    assert set(_content(tmp_path / "out")) == wanted - {"service-worker.mjs"}


def test_the_command_serves_until_it_is_interrupted() -> None:
    """It prints the address, answers there, and Ctrl-C ends it quietly with status 130."""
    lab()
    started = subprocess.Popen(
        [sys.executable, "-m", "rankproof", "lab", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    try:
        port = int(started.stdout.readline().strip().removeprefix("http://127.0.0.1:").removesuffix("/"))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/site.json")
        assert json.loads(connection.getresponse().read())["rankproof"] == rankproof.__version__
        connection.close()
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
    finally:
        started.kill()
    assert (started.returncode, out) == (130, "")
    assert err == "Ctrl-C ends it; nothing that you open in the page leaves your browser\n"


def test_a_port_that_is_taken(in_process, host, monkeypatch) -> None:
    """A port that was asked for and is taken ends the command; where none was asked for, another is taken."""
    lab()
    done = in_process("lab", "--no-browser", "--port", str(host.server.server_port))
    assert done.status == 2
    assert "cannot be had" in done.err
    monkeypatch.setattr("rankproof.cli.lab.USUAL_PORT", host.server.server_port)
    monkeypatch.setattr(LabServer, "serve_forever", lambda _: None)
    done = in_process("lab", "--no-browser")
    assert done.status == 0
    assert done.out.startswith("http://127.0.0.1:")
    assert str(host.server.server_port) not in done.out


def test_the_build_makes_the_same_twice(tmp_path) -> None:
    """Two builds of the compiled modules from one engine are equal, byte by byte."""
    if not (ROOT / "node_modules" / "pyodide").is_dir() or not shutil.which("node"):
        from needed import lacking

        lacking("node or node_modules/pyodide is not here: `npm ci --ignore-scripts`")
    (tmp_path / "engine.zip").write_bytes(engine_zip())
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        command = ["node", "tools/lab_stdlib.mjs", str(tmp_path / "engine.zip"), str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, check=True, timeout=120)
        made.append(_content(tmp_path / name))
    assert made[0] == made[1]
    assert set(made[0]) == {"compiled.zip", "pyodide-lock.json", "python_stdlib.zip"}
