"""Do the splits, or what a system was tuned on, know the test queries?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from rankproof.arithmetic import check_confidence
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, seen
from rankproof.evaluate import evaluate
from rankproof.measures import Measure
from rankproof.presets import contract as contract_of
from rankproof.splits.contrast import Contrast, contrast_of
from rankproof.splits.find import FINDERS
from rankproof.splits.leaks import KINDS, Found
from rankproof.splits.material import Likeness, Material, families_of, judgments_of, splits_of, test_split_of, tuned_of
from rankproof.splits.near import OnDone
from rankproof.splits.result import Leakage
from rankproof.values import Values
from rankproof.words import Words, first_of, query_count, same


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
    on_done: OnDone | None = None,
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
    `near_by="minhash"` finds them by MinHash (the extra `leakage`), which misses a few; `on_done` is told how many of
    how many texts are compared. Raises InputError, ContractError, MeasureError, MissingPackageError.
    """
    for name, number in (("near", near), ("near_grams", near_grams), ("verbatim", verbatim)):
        _check_share(name, number)
    check_confidence(confidence, InputError)
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
        tuned_on=None if tuned_on is None else tuned_of(tuned_on),
        contract=given,
        likeness=Likeness(near, near_grams, verbatim, near_by),
        on_done=on_done,
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
        settings=material.likeness._asdict(),
        said=_noticed(material),
    )


def _check_share(name: str, given: object) -> None:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= 1:
        raise InputError(Fault(f"{name} cannot be {seen(given)}", expected="a number above 0, up to 1"))


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


SILENT = Words(
    "without a letter or digit, whose texts were not compared", "글자나 숫자가 없어 문장을 비교하지 못한 질의"
)


def _noticed(material: Material) -> list[Words]:
    """Return which queries could not be looked at in full, and what the files hold that were tuned on."""
    nodes, known, judged = material.nodes, material.family_of, material.judgments
    lost: list[tuple[Words, list[str]]] = [(SILENT, [one.query.query_id for one in nodes if not one.wording.normal])]
    if known:
        alone = [one.query.query_id for one in nodes if (one.split, one.query.query_id) not in known]
        lost.append((Words("in no family", "묶음이 없는 질의"), alone))
    for name, queries in material.splits.items() if judged is not None else ():
        unjudged = [one.query_id for one in queries.items if judged is not None and one.query_id not in judged]
        lost.append((Words(f"of {name} without judgments", f"{name}의 판정 없는 질의"), unjudged))
    said = [
        Words(f"{query_count(len(ids))} {why.en} ({first_of(ids)})", f"{why.ko}: {len(ids)}개 ({first_of(ids)})")
        for why, ids in lost
        if ids
    ]
    return [*said, *(_tuned(material, *one) for one in (material.tuned_on or {}).items())]


def _tuned(material: Material, name: str, ids: AbstractSet[str]) -> Words:
    """Return how many queries were read from a file, so that none read, or none of these splits, does not pass."""
    first, tests = first_of(sorted(ids)), len(ids & {*material.test_ids})
    strange = same("") if ids & {node.query.query_id for node in material.nodes} else STRANGE
    return Words(
        f"{name}: {query_count(len(ids))} tuned on ({first}), {tests} of {material.test}{strange.en}",
        f"{name}: 튜닝에 쓴 질의 {len(ids)}개 ({first}), {material.test}의 질의는 {tests}개{strange.ko}",
    )


STRANGE = Words(
    "; none of them is in any split: are the ids spelled alike?",
    "; 어느 분할에도 없는 질의뿐입니다. ID를 적는 방식이 같은지 확인하세요",
)
