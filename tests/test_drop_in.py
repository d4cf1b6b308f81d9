"""`rankproof trec-eval`: the bytes of trec_eval, on its own test data and, value by value, on generated inputs."""

from __future__ import annotations

import pytest

ALL = ("-m", "all_trec")
PARAMETERS = (
    *("-q", "-miprec_at_recall..10,.20,.25,.75,.50", "-m", "P.5,7,3", "-m", "recall.20,2000"),
    *("-m", "Rprec_mult.5.0,0.2,0.35", "-mutility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75", "-mndcg.1=3,2=9,4=4.5"),
    *("-mndcg_cut.10,20,23.4", "-msuccess.2,5,20"),
)
QUICK_TEST = {
    "out.test": [("qrels.test", "results.test"), ("qrels.test.with-comments", "results.test")],
    "out.comment.test": [("qrels.comment.test", "results.comment.test")],
    "out.test.a": [(*ALL, "qrels.test", "results.test")],
    "out.test.aq": [(*ALL, "-q", "qrels.test", "results.test")],
    "out.test.aqc": [(*ALL, "-q", "-c", "qrels.test", "results.trunc"), (*ALL, "-qc", "qrels.test", "results.trunc")],
    "out.test.aqcM": [(*ALL, "-q", "-c", "-M100", "qrels.test", "results.trunc")],
    "out.test.aql": [(*ALL, "-mrelstring.20", "-q", "-l2", "qrels.rel_level", "results.test")],
    "out.test.prefs": [
        ("-m", "all_prefs", "-q", "-R", "prefs", "prefs.test", "prefs.results.test"),
        ("-m", "all_prefs", "-q", "-R", "prefs", "prefs.comment.test", "prefs.results.test"),
    ],
    "out.test.qrels_prefs": [("-m", "all_prefs", "-q", "-R", "qrels_prefs", "qrels.test", "results.test")],
    "out.test.qrels_jg": [
        ("-m", "qrels_jg", "-q", "-R", "qrels_jg", "qrels.123", "results.test"),
        ("-m", "qrels_jg", "-q", "-R", "qrels_jg", "qrels.comments.123", "results.test"),
    ],
    "out.test.meas_params": [(*PARAMETERS, "qrels.test", "results.test")],
    "out.test.aqZ": [("-q", *ALL, "-Z", "zscores_file", "qrels.test", "results.test")],
}
"""The commands of trec_eval's quick test, by the output that each must give; and one with flags joined."""

WITHOUT_9 = {"out.comment.test", "out.test.aqZ"}
"""Version 9.0.8 has no comments, and its z-scores belong to a file that is not here."""
CASES = [("10.0", output, arguments) for output, commands in QUICK_TEST.items() for arguments in commands] + [
    ("9.0.8", f"out-9.0.8/{output}", arguments)
    for output, commands in QUICK_TEST.items()
    for arguments in commands
    if output not in WITHOUT_9 and not any("comment" in one for one in arguments)
]


@pytest.mark.parametrize(("version", "output", "arguments"), CASES, ids=[f"{o} {a[-2]}" for _, o, a in CASES])
def test_the_outputs_are_the_same(data, in_process, monkeypatch, version: str, output: str, arguments: tuple) -> None:
    """Each command of trec_eval's quick test prints the bytes that it ships for it."""
    folder = data / "trec_eval"
    monkeypatch.chdir(folder)
    done = in_process("trec-eval", "--as", version, *arguments)
    assert done.status == 0, done.err
    assert done.out.splitlines() == (folder / output).read_text().splitlines()
    assert done.out == (folder / output).read_text()
