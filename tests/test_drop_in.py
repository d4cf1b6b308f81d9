"""`rankproof trec-eval`: the bytes of trec_eval, on its own test data and, value by value, on generated inputs."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import Fault
from rankproof.trec_eval.preference_values import COUNTS, SHARES
from rankproof.trec_eval.preferences import Judgment, preferences

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


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Callable[..., None]:
    """Write files into an empty folder, and work there."""
    monkeypatch.chdir(tmp_path)

    def write(**named: str) -> None:
        for name, text in named.items():
            (tmp_path / name).write_text(text, "utf-8")

    return write


# Ranked: x (not listed), a 3, b 0, c 1, d -1, e 12. Listed too: f 1. A second query is judged, but not in the run.
QRELS = "q 0 a 3\nq 0 b 0\nq 0 c 1\nq 0 d -1\nq 0 e 12\nq 0 f 1\nz 0 a 1\nz 0 b 1\n"
RUN = "".join(f"q Q0 {doc} 1 {6 - at} old\n" for at, doc in enumerate("xabcd")) + "q Q0 e 1 1 new\n"


def rows(text: str) -> dict[tuple[str, str], str]:
    """Return the values by measure and query."""
    return {(name.strip(), query): value for name, query, value in (line.split("\t") for line in text.splitlines())}


BY_HAND = {
    ("relstring", "-q"): {("relstring", "q"): "'-301.>'"},
    ("relstring.3", "-q"): {("relstring_3", "q"): "'-30'"},
    ("utility", "-q"): {("utility", "q"): "0.0000", ("utility", "all"): "0.0000"},  # 3 hits, 3 others
    # 2 * 3 - 3 - 0.5 * 1 missed + 0.25 * (100 + 3 - 6 - 4)
    ("utility.2,-1,-0.5,.25", "-N", "100"): {("utility_2,-1,-0.5,.25", "all"): f"{2 * 3 - 3 - 0.5 + 0.25 * 93:.4f}"},
    # of the missing query: two missed, and 98 others
    ("utility.2,-1,-0.5,.25", "-N100", "-qc"): {("utility_2,-1,-0.5,.25", "z"): f"{-0.5 * 2 + 0.25 * 98:.4f}"},
    ("utility.2,-1,-0.5,.25", "-N100", "-c", "--as=9.0.8"): {("utility_2,-1,-0.5,.25", "all"): f"{25.75 / 2:.4f}"},
    ("11pt_avg..75,.25", "-q"): {("11pt_avg_.75,.25", "q"): f"{(1 / 2 + 1 / 2) / 2:.4f}"},
    ("set_F.0.25",): {("set_F_0.25", "all"): f"{1.25 * 0.5 * 0.75 / (0.25 * 0.5 + 0.75):.4f}"},
    # precisions 1/2 + 2/4 + 3/6 = 1.5, of R = 4
    ("yaap",): {("yaap", "all"): f"{log((1 + 1.5) / (1 + 4 - 1.5)):.4f}"},
    ("yaap", "-qc"): {("yaap", "z"): f"{log(1 / 3):.4f}"},
    ("yaap", "-c", "--as=9.0.8"): {("yaap", "all"): f"{log(2.5 / 3.5) / 2:.4f}"},
    ("dcg",): {("dcg", "all"): f"{3 / log2(3) + 1 / log2(5) + 12 / log2(7):.4f}"},
    ("ideal_dcg",): {("ideal_dcg", "all"): f"{12 + 3 / log2(3) + 1 / 2 + 1 / log2(5):.4f}"},
    # grades without a gain of their own keep theirs: 3 and 12
    ("dcg.1=0.5,0=2",): {("dcg_1=0.5,0=2", "all"): f"{3 / log2(3) + 2 / 2 + 0.5 / log2(5) + 12 / log2(7):.4f}"},
    ("ideal_dcg.1=0.5", "-M", "2"): {("ideal_dcg_1=0.5", "all"): f"{12 + 3 / log2(3) + 0.5 / 2 + 0.5 / log2(5):.4f}"},
    ("rbp.p=0.5",): {("rbp_p=0.5", "all"): f"{0.5 * (0.5 * 3 + 0.5**3 + 0.5**5 * 12) / 12:.4f}"},
    ("P.4", "-J"): {("P_4", "all"): "0.7500"},  # a b c e
    ("map", "-M2", "-l3"): {("map", "all"): f"{1 / 2 / 2:.4f}"},
    ("num_q", "-c"): {("num_q", "all"): "2"},
    ("num_nonrel_judged_ret", "-qc"): {("num_nonrel_judged_ret", "z"): "0", ("num_nonrel_judged_ret", "all"): "1"},
    ("gm_map", "-c"): {("gm_map", "all"): f"{exp((log(1.5 / 4) + log(0.00001)) / 2):.4f}"},
    ("rbp_resid", "-qc"): {("rbp_resid", "z"): "0.0000"},  # by definition 1: listed in docs/trec-eval.md
}


@pytest.mark.parametrize(("arguments", "expected"), BY_HAND.items(), ids=[" ".join(one) for one in BY_HAND])
def test_by_hand(files, in_process, arguments: tuple[str, ...], expected: dict) -> None:
    """What no measure of this package stands for, and what flags change, is what the formula gives by hand."""
    files(qrels=QRELS, run=RUN)
    done = in_process("trec-eval", "-m", *arguments, "qrels", "run")
    assert done.status == 0, done.err
    assert rows(done.out).items() >= expected.items()


@pytest.mark.parametrize("version", ["9.0.8", "10.0"])
def test_a_missing_query_is_left_out(files, in_process, version: str) -> None:
    """Without -c the output is that of judgments which lack the queries that the run lacks."""
    files(qrels=QRELS, fewer="".join(line + "\n" for line in QRELS.splitlines() if line[0] == "q"), run=RUN)
    whole, fewer = (
        in_process("trec-eval", "-q", "-m", "all_trec", "--as", version, one, "run") for one in ("qrels", "fewer")
    )
    assert whole.status == fewer.status == 0
    assert whole.out == fewer.out


def test_gains_that_sort_as_no_integers_would(files, in_process) -> None:
    """Known deviation: of a perfect ranking under gains below 1, where trec_eval prints 0, nDCG is 1."""
    files(qrels="q 0 a 1\nq 0 b 2\n", run="q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    done = in_process("trec-eval", "-m", "ndcg.1=0.9,2=0.5", "-mRndcg.1=0.9,2=0.5", "qrels", "run")
    assert [value for (_, query), value in rows(done.out).items() if query == "all"] == ["1.0000", "1.0000"]


def test_no_summary_and_the_order_of_queries(files, in_process) -> None:
    """-n leaves the rows over all queries out; queries come in byte order, the measures' names fill 22 columns."""
    files(qrels="10 0 a 1\n2 0 a 1\n1 0 a 1\n", run="2 Q0 a 1 1 t\n10 Q0 a 1 1 t\n1 Q0 a 1 1 t\n")
    done = in_process("trec-eval", "-nq", "-mmap", "-mnum_q", "-m", "gm_map", "qrels", "run")
    assert done.out == "".join(f"map                   \t{query}\t1.0000\n" for query in ("1", "10", "2"))
    assert in_process("trec-eval", "-n", "qrels", "run").out == ""


def test_the_run_is_named_by_its_last_row(files, in_process) -> None:
    """Of several tags the last row's stands in the row runid."""
    files(qrels=QRELS, run=RUN + "\n# a comment\n")
    assert rows(in_process("trec-eval", "qrels", "run").out)["runid", "all"] == "new"


def test_parameters_without_effect_are_told(files, in_process) -> None:
    """The first parameters of a measure count; later ones, and those of a measure that takes none, are told."""
    files(qrels=QRELS, run=RUN)
    done = in_process("trec-eval", "-mP.2", "-mP.3", "-mmap.7", "-m", "P", "qrels", "run")
    assert [name for name, _ in rows(done.out)] == ["map", "P_2"]
    assert "-m P.3: P has parameters already; the first ones count\n" in done.err
    assert "-m map.7: map takes no parameters; they are left alone\n" in done.err


def test_zscores_by_hand(files, in_process) -> None:
    """(value - mean) / deviation; 0 at a mean without deviation; -1000000 where nothing is known."""
    files(qrels=QRELS, run=RUN, z="q map 0.5 0.25\nq num_rel 4 0\nq num_ret 5 0\n")
    done = in_process(
        "trec-eval", "-q", "-Zz", *(f"-m{one}" for one in ("map", "num_rel", "num_ret", "P.5")), "qrels", "run"
    )
    expected = {"Zmap": (1.5 / 4 - 0.5) / 0.25, "Znum_rel": 0, "Znum_ret": -1000000, "ZP_5": -1000000}
    assert rows(done.out) == {(name, query): f"{v:.4f}" for query in ("q", "all") for name, v in expected.items()}


LEVELS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0, 1, 2]), min_size=1)


@given(groups=st.lists(LEVELS, min_size=1, max_size=3), ranked=st.permutations("abcdefgh"), cut=st.integers(0, 8))
def test_preferences_are_counted_pair_by_pair(groups: list[dict[str, int]], ranked: list[str], cut: int) -> None:
    """The counts and shares over all pairs of documents that a group judged apart, one by one."""
    came = list(ranked[:cut])
    judgments = [Judgment(str(at), "0", doc, level) for at, one in enumerate(groups) for doc, level in one.items()]
    found = preferences(judgments, came, Fault(""))
    judged = [(better, worse) for one in groups for better in one for worse in one if one[better] > one[worse]]

    def fulfilled(better: str, worse: str) -> bool:
        return better in came and (worse not in came or came.index(better) < came.index(worse))

    both = [pair for pair in judged if set(pair) <= set(came)]
    assert COUNTS["prefs_num_prefs_poss"](found) == len(judged)
    assert COUNTS["prefs_num_prefs_ful"](found) == sum(fulfilled(*pair) for pair in judged)
    assert COUNTS["prefs_num_prefs_ful_ret"](found) == sum(fulfilled(*pair) for pair in both)
    for end, counting in (("", judged), ("_ret", both)):
        shares = {}
        for pair in counting:
            shares.setdefault(frozenset(pair), []).append(fulfilled(*pair))
        by_pair = [sum(votes) / len(votes) for votes in shares.values()]
        assert SHARES[f"prefs_pair{end}"](found) == pytest.approx(sum(by_pair) / len(by_pair) if by_pair else 0)


def test_preferences_of_several_subgroups_follow_from_each_other(files, in_process) -> None:
    """A before b in one subgroup, b before c in another: a before c too, which c b a breaks, and a b c fulfils."""
    files(prefs="q g 1 a 2\nq g 1 b 1\nq g 2 b 2\nq g 2 c 1\n", good="", bad="")
    for run, order, expected in (("good", "abc", "1.0000"), ("bad", "cba", "0.0000")):
        files(**{run: "".join(f"q Q0 {doc} 1 {3 - at} t\n" for at, doc in enumerate(order))})
        done = in_process("trec-eval", "-R", "prefs", "-m", "prefs", "prefs", run)
        assert rows(done.out)["prefs_num_prefs_poss", "all"] == "3"
        assert rows(done.out)["prefs_simp", "all"] == expected


CONTRADICTING = {
    "q g 1 a 2\nq g 1 b 1\nq g 2 b 2\nq g 2 a 1\n": "query q, document a: group g: preferred to itself, in a circle",
    "q g 1 a 2\nq g 1 b 1\nq g 2 a 0\n": "query q, document a: group g: judged non-relevant and relevant",
    "q g 1 a 2\nq g 1 a 1\n": "prefs:2: query q, document a: judged twice by group g",
    "q g a 2\n": "prefs:1: has 4 columns; expected 5 columns: query_id group subgroup doc_id level",
    "q g 1 a x\n": "prefs:1: query q, document a: grade 'x'",
    "": "holds no judgments",
}


@pytest.mark.parametrize(("prefs", "message"), CONTRADICTING.items())
def test_wrong_preferences_are_refused(files, in_process, prefs: str, message: str) -> None:
    """What contradicts itself, or is no row, is named with its query, and nothing is printed."""
    files(prefs=prefs, run="q Q0 a 1 1 t\n")
    done = in_process("trec-eval", "-R", "prefs", "-m", "prefs", "prefs", "run")
    assert (done.status, done.out) == (2, "")
    assert message in done.err


WRONG = {
    ("-D", "3"): "No such option: -D",
    ("-R", "xml"): "'xml' is not one of 'qrels', 'qrels_jg', 'prefs', 'qrels_prefs'",
    ("--as", "8.1"): "'8.1' is not one of '9.0.8', '10.0'",
    ("-l0",): "Invalid value for '-l'",
    ("-M0",): "Invalid value for '-M'",
    ("-m", "unj", "--as", "9.0.8"): "trec_eval 9.0.8 has no measure 'unj'",
    ("-m", "mapp"): "trec_eval 10.0 has no measure 'mapp'\n\nhint: nearest: map, ",
    ("-m", "P_5"): "hint: P.5: parameters stand behind a dot",
    ("-m", "map_avgjg"): "map_avgjg cannot be had with -R qrels; expected -R qrels_jg",
    ("-m", "map", "-R", "prefs"): "map cannot be had with -R prefs; expected -R qrels",
    ("-m", "P."): "'P.' has no parameters behind its dot",
    ("-m", "P.0"): "P: cutoff 0; expected whole numbers from 1 on",
    ("-m", "P.5,5"): "P: a parameter is given twice",
    ("-m", "P.x"): "P: parameter 'x'",
    ("-m", "iprec_at_recall.2"): "expected a recall level from 0 to 1",
    ("-m", "utility.1,2"): "utility: 2 parameters; expected four weights",
    ("-m", "ndcg.1"): "ndcg: parameter '1'; expected grade=gain",
    ("-m", "ndcg.1=2,1=3"): "ndcg: 1 is given twice",
    ("-m", "ndcg.x=2"): "ndcg: parameter 'x'",
    ("-m", "ndcg.1=-2"): "ndcg: gain -2; expected gains of 0 or more",
    ("-m", "rbp.1=2"): "rbp: gains are not supported: 1=2",
    ("-Z", "nowhere"): "nowhere: there is no such file",
    ("-Z", "run"): "run:1: is no row of z-scores",
    ("-Z", "run", "-c", "--as", "9.0.8"): "-Z together with -c",
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.items(), ids=[" ".join(one) for one in WRONG])
def test_what_is_wrong_is_named(files, in_process, arguments: tuple[str, ...], message: str) -> None:
    """One message, status 2, nothing on standard output."""
    files(qrels=QRELS, run=RUN)
    done = in_process("trec-eval", *arguments, "qrels", "run")
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_files_that_do_not_fit(files, in_process) -> None:
    """A run of other queries, a result that stands twice, swapped files: each is named, with its line."""
    files(
        qrels=QRELS, other="y Q0 a 1 1 t\n", twice="q Q0 a 1 1 t\nq Q0 a 2 0 t\n", z="q map 1 1\nq map 1 1\n", run=RUN
    )
    for arguments, message in {
        ("qrels", "other"): "other: no query in common with the judgments",
        ("qrels", "twice"): "twice:2: query q, document a: stands twice",
        ("run", "qrels"): "this looks like a run",
        ("-Zz", "qrels", "run"): "z:2: query q: map stands twice",
    }.items():
        done = in_process("trec-eval", *arguments)
        assert (done.status, done.out) == (2, "")
        assert message in done.err
