"""Do the splits, or what a system was tuned on, know the test queries?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, seen
from rankproof.evaluate import evaluate
from rankproof.measures import Measure
from rankproof.presets import contract as contract_of
from rankproof.splits.contrast import Contrast, contrast_of
from rankproof.splits.find import FINDERS
from rankproof.splits.kinds import KINDS
from rankproof.splits.material import Likeness, Material, families_of, judgments_of, splits_of, test_split_of
from rankproof.splits.near import Progress
from rankproof.splits.result import Found, Leakage
from rankproof.values import Values
from rankproof.words import Words, first_of, query_count

CONFIDENCE = (0.5, 0.9999)


def leakage(  # noqa: PLR0913 - what is looked at, a keyword each
    splits: Any,
    *,
    test: str | None = None,
    families: Any = None,
    corpus: Any = None,
    qrels: Any = None,
    tuned_on: Any = None,
    run: Any = None,
    measures: Iterable[str | Measure] | str = "nDCG@10",
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    confidence: float = 0.95,
    near: float = 0.5,
    near_grams: float = 0.6,
    verbatim: float = 0.8,
    near_by: str = "exact",
    progress: Progress = None,
    **rules: object,
) -> Leakage:
    """Return what the splits, and what a system was tuned on, know of the test queries.

    `splits`: what `split_queries` gave, {name: queries}, or files named by their stem; `test` names the one to keep
    clean (else the one called test, else the last). `families`: a file, or {query_id: family}, else the field `family`.
    `corpus`: texts of documents; `qrels`: judgments, or a list of them; `tuned_on`: a file of judgments, a run or
    queries that a system was tuned on, or a list. With `run` and `qrels` follow the `measures` on clean and on leaked
    test queries, and Welch's interval of their difference.

    Two texts are near where the Jaccard similarity of their words, function words aside, reaches `near`, or that of
    their character pairs (Korean, Chinese, Japanese) `near_grams`; a query is a document's text from `verbatim` on.
    `near_by="minhash"` finds them by MinHash (the extra `leakage`), which misses a few; `progress` is told how many of
    how many texts are compared. Raises InputError, ContractError, MeasureError, MissingPackageError.
    """
    for name, number in (("near", near), ("near_grams", near_grams), ("verbatim", verbatim)):
        _check_share(name, number, 0, 1)
    _check_share("confidence", confidence, *CONFIDENCE)
    given = contract_of(contract, **rules)
    named = splits_of(splits)
    if run is not None and qrels is None:
        raise InputError(Fault("a run is given and no judgments", hint="--qrels FILE, or qrels=… in Python"))
    material = Material(
        splits=named,
        test=test_split_of(named, test),
        family_of=families_of(named, families),
        judgments=None if qrels is None else judgments_of(qrels, given),
        corpus=corpus,
        tuned_on=None if tuned_on is None else list(tuned_on) if isinstance(tuned_on, (list, tuple)) else [tuned_on],
        contract=given,
        likeness=Likeness(near, near_grams, verbatim, near_by),
        progress=progress,
    )
    kinds = {name: _found(name, material) for name in KINDS}
    return Leakage(
        sizes={name: len(queries) for name, queries in named.items()},
        test=material.test,
        test_ids=material.test_ids,
        query_ids=list(dict.fromkeys(node.query.query_id for node in material.nodes)),
        kinds=kinds,
        contrasts=[] if run is None else _contrasts(material, kinds, run, measures, confidence),
        contract=given,
        settings={"near": near, "near_grams": near_grams, "verbatim": verbatim, "near_by": near_by},
        said=_noticed(material),
    )


def _check_share(name: str, given: object, low: float, high: float) -> None:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not low < given <= high:
        raise InputError(Fault(f"{name} cannot be {seen(given)}", expected=f"a number above {low}, up to {high}"))


def _found(name: str, material: Material) -> Found:
    known = FINDERS[name](material)
    if isinstance(known, Words):
        return Found(KINDS[name], (), (), why_not=known)
    touched = {side.id for leak in known.leaks for side in leak.sides if side.place == material.test}
    return Found(KINDS[name], known.leaks, [one for one in material.test_ids if one in touched], known.links)


def _contrasts(
    material: Material,
    kinds: Mapping[str, Found],
    run: Any,
    measures: Iterable[str | Measure] | str,
    confidence: float,
) -> list[Contrast]:
    """Return each measure of the run on clean and on leaked test queries. InputError for several runs."""
    leaked = {query for kind in kinds.values() for query in kind.test_queries}
    tested = set(material.test_ids)
    tests = {query: grades for query, grades in (material.judgments or {}).items() if query in tested}
    if not tests:
        raise InputError(Fault(f"no query of {material.test} has judgments", expected="judgments of the test queries"))
    values = evaluate(tests, run, measures, material.contract)
    if not isinstance(values, Values):
        raise InputError(Fault(f"{len(values)} runs are given", expected="one"))
    return [contrast_of(values, measure, material.test_ids, leaked, confidence) for measure in values.measures]


def _noticed(material: Material) -> list[Words]:
    """Return which queries could not be looked at in full."""
    silent = [node.query.query_id for node in material.nodes if not node.wording.normal]
    known = material.family_of
    lost = [node.query.query_id for node in material.nodes if known and (node.split, node.query.query_id) not in known]
    judged = material.judgments
    unjudged = [] if judged is None else [one for one in material.test_ids if one not in judged]
    return [
        Words(
            f"{query_count(len(found))} {why.en} ({first_of(found)})",
            f"{why.ko}: {len(found)}개 ({first_of(found)})",
        )
        for found, why in (
            (silent, SILENT),
            (lost, Words("in no family", "묶음이 없는 질의")),
            (unjudged, Words(f"of {material.test} without judgments", f"{material.test}의 판정 없는 질의")),
        )
        if found
    ]


SILENT = Words(
    "without a letter or digit, whose texts were not compared", "글자나 숫자가 없어 문장을 비교하지 못한 질의"
)
