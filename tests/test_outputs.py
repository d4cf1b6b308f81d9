"""What is refused before an input is read: outputs that could not be written, whatever the command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rankproof.errors import InputError
from rankproof.formats.whole import check_place, write_whole

COMMANDS: dict[str, tuple[str, ...]] = {
    "evaluate": ("qrels", "run"),
    "explain": ("RR", "qrels", "run", "--query", "q"),
    "compare": ("qrels", "a", "b"),
    "leaderboard": ("qrels", "a", "b"),
    "diff": ("qrels", "a", "b"),
    "gate": ("qrels", "a", "b", "--require", "RR>=0"),
    "rerank": ("qrels", "a", "b"),
    "similarity": ("a", "b"),
    "check": ("a",),
    "tune": ("qrels", "a", "b", "--tune-on", "t", "--test-on", "u"),
    "fuse": ("a", "b"),
    "search": ("corpus", "queries"),
    "interleave": ("a", "b"),
    "pool": ("a", "b", "--format", "csv"),
    "judges": ("a", "b"),
    "variants": ("queries",),
    "leakage": ("train=a", "test=b"),
    "closed-corpus": ("fixture",),
}
"""Every command that reads files and writes one, but for `experiment`, whose file says which others it reads."""

REPORTS = ("compare", "leaderboard", "gate", "rerank", "leakage")
PLACES = {
    "none/x": "none/x: cannot be written: its folder is not there",
    "file/x": "file/x: cannot be written: its folder is not there",
    "folder": "folder: is a folder, not a file",
}


@pytest.fixture
def places(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_is_looked_at_before_the_inputs(places, in_process, command: str) -> None:
    """Where neither the inputs nor a place for the output is there, the place is what is told."""
    for place, says in PLACES.items():
        done = in_process(command, *COMMANDS[command], "-o", place)
        assert (done.status, done.out, done.err) == (2, "", f"error: {says}\n")


@pytest.mark.parametrize("command", REPORTS)
def test_a_report_is_looked_at_too(places, in_process, command: str) -> None:
    """A report has to have a place as an output has."""
    done = in_process(command, *COMMANDS[command], "--report", "none/x.html")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: none/x.html: cannot be written: its folder is not there\n"


@pytest.mark.parametrize("makes_folder", [False, True])
def test_what_passes_can_be_written(places, makes_folder: bool) -> None:
    """A new file, an old one, a link to a place, and a device pass, and are written."""
    Path("link").symlink_to("folder/new")
    for place in ("new", "file", "link", "/dev/null", str(places / "folder" / "x")):
        check_place(place, makes_folder=makes_folder)
        write_whole(place, "text")
    assert Path("folder/new").read_text() == "text"


def test_a_folder_may_be_made() -> None:
    """With `makes_folder` folders that are not there are no fault, and a file in their way is one."""
    check_place("none/of/these/x", makes_folder=True)
    with pytest.raises(InputError, match="its folder is not there"):
        check_place(f"{__file__}/of/these/x", makes_folder=True)


def test_a_name_that_no_system_takes() -> None:
    """A zero byte, and a name that is too long, are faults and no crash."""
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(InputError, match="cannot be written"):
            check_place(name)


def test_a_folder_that_is_closed(places, monkeypatch) -> None:
    """A folder that nothing may be put into is told, though the file is there: it is replaced, not changed."""
    asked = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != places / "folder" and asked(path, mode))
    (places / "folder" / "x").touch()
    with pytest.raises(InputError, match="nothing may be put into its folder"):
        check_place(places / "folder" / "x")
    check_place(places / "x")
