"""What do several judges say together, and where do they differ?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.formats import write_qrels
from rankproof.formats.texts import Text, as_texts
from rankproof.formats.whole import check_place
from rankproof.model import Grade, Qrels
from rankproof.pool import telling_judges as telling
from rankproof.pool import writing
from rankproof.pool.agreement import Agreement, Drawing, Grades, between, of_group, of_pair
from rankproof.pool.judgments import KINDS, Item, Judge, Judgments, read_judgments
from rankproof.pool.resolve import check_resolution, resolved
from rankproof.presets import contract as contract_of
from rankproof.tables import Table, Told


class Dispute(NamedTuple):
    """An item on which judges differ."""

    query_id: str
    doc_id: str
    grades: Mapping[str, Grade]  # by judge
    distance: Grade  # between the highest and the lowest grade
    grade: Grade | None  # what it was resolved to; None: undecided


class SameFamily(NamedTuple):
    """A judge's model that is of one family with a reranker: it may like what the reranker likes."""

    judge: str
    model: str
    reranker: str
    family: str


@dataclass(frozen=True, repr=False)
class MergedJudges(Told):
    """One grade an item, how well the judges agree, and where they differ.

    `agreements` holds the groups (all; people and models apart, where kinds are known), `pairs` each two judges,
    `against_people` each model judge beside the people's resolved grade.
    """

    contract: Contract
    judgments: Judgments
    resolve: str
    ties: str | None
    drawing: Drawing
    agreements: Sequence[Agreement]
    pairs: Sequence[Agreement]
    against_people: Sequence[Agreement]
    same_family: Sequence[SameFamily]

    @property
    def judges(self) -> Sequence[Judge]:
        """Return the judges, in the order met."""
        return self.judgments.judges

    @cached_property
    def grades(self) -> Mapping[Item, Grade | None]:
        """Return the one grade of each item; None where it is undecided."""
        return {
            item: resolved(tuple(given.values()), self.resolve, self.ties)
            for item, given in self.judgments.grades.items()
        }

    @cached_property
    def qrels(self) -> Qrels:
        """Return the decided grades as qrels."""
        found: dict[str, dict[str, Grade]] = {}
        for (query, doc), grade in self.grades.items():
            if grade is not None:
                found.setdefault(query, {})[doc] = grade
        return found

    @cached_property
    def undecided(self) -> Sequence[Item]:
        """Return the items that `resolve` leaves open: they are in `disputes`, and not in `qrels`."""
        return [item for item, grade in self.grades.items() if grade is None]

    @cached_property
    def disputes(self) -> Sequence[Dispute]:
        """Return the items on which judges differ, the greatest distance first."""
        found = [
            Dispute(*item, given, max(given.values()) - min(given.values()), self.grades[item])
            for item, given in self.judgments.grades.items()
            if len(set(given.values())) > 1
        ]
        return sorted(found, key=lambda one: -one.distance)

    @cached_property
    def people_undecided(self) -> int:
        """Return how many items that people and models judged are left out beside the models: people are undecided."""
        people, models = (self.judgments.of_kind(kind) for kind in KINDS)
        both = (given for given in self.judgments.grades.values() if any(judge in given for judge in models))
        of_people = ([given[judge] for judge in people if judge in given] for given in both)
        return sum(bool(grades) and resolved(grades, self.resolve, self.ties) is None for grades in of_people)

    @cached_property
    def judged_by(self) -> Mapping[int, int]:
        """Return how many items have one judge, how many two, and so on."""
        sizes = [len(given) for given in self.judgments.grades.values()]
        return {size: sizes.count(size) for size in sorted(set(sizes))}

    def dispute_rows(self) -> list[dict[str, Any]]:
        """Return a row a dispute, for someone to fill in `grade`: distance, proposed grade, grades by judge, texts."""
        return [telling.dispute_row(self, one) for one in self.disputes]

    def write_qrels(self, path: str | Path) -> None:
        """Write the decided grades, whole or not at all: as JSON for a name that ends in .json, else as TREC qrels."""
        write_qrels(self.qrels, path)

    def write_disputes(self, path: str | Path) -> None:
        """Write the disputes to a file whose name ends in .jsonl, .csv or .tsv, whole or not at all."""
        writing.write_rows(telling.dispute_columns(self), self.dispute_rows(), path)

    def write(self, *, qrels: str | Path | None = None, disputes: str | Path | None = None) -> None:
        """Write the decided grades and the disputes, or neither: what cannot be written is found before a file is."""
        for path in (qrels, disputes):
            if path is not None:
                check_place(path)
        if disputes is not None:
            writing.rows_for(disputes, telling.dispute_columns(self), self.dispute_rows())  # for its faults alone
        if qrels is not None:
            self.write_qrels(qrels)
        if disputes is not None:
            self.write_disputes(disputes)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof judges --format json` writes."""
        return telling.as_dict(self)

    def tables(self) -> list[Table]:
        """Return the judges, the groups' coefficients and the pairs'."""
        return list(telling.judges_tables(self))

    def notes(self) -> list[str]:
        """Return how grades were resolved, what was left out, and what the coefficients rest on, as sentences."""
        return list(telling.judges_notes(self))


def merge_judges(  # noqa: PLR0913 - keyword-only settings
    files: Any,
    *,
    resolve: str = "majority",
    ties: str | None = None,
    kinds: Mapping[str, str] | None = None,
    reranker_models: Sequence[str] = (),
    agreement: bool = True,
    queries: Any = None,
    corpus: Any = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 1,
    on_done: Callable[[int, int], None] | None = None,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> MergedJudges:
    """Merge several judges' grades, say how well the judges agree, and list where they differ.

    `files` as for `read_judgments`: paths, or a mapping of judge to file or qrels. `resolve` (majority, mean, max, min,
    median, unanimous) makes one grade of an item's; `ties` (max, min, mean, median) decides what majority and unanimous
    leave open. Raw agreement, Cohen's, Fleiss' kappa and Krippendorff's alpha come with percentile intervals over
    `resamples` draws of whole queries (0: none). `kinds`, by judge, says human or model: then people and models are
    shown apart, and each model beside the people's resolved grade. `reranker_models` are names of models a judge should
    not be a relative of. `queries` and `corpus` are texts by id, for the disputes. `on_done` is told for how many
    groups and pairs of judges, of how many, the agreement is found.

    InputError and ContractError for what cannot be read or is unknown; MissingPackageError without statsmodels and
    krippendorff, unless `agreement` is false: then of agreement only the raw share is found.
    """
    check_resolution(resolve, ties)
    given, drawing = contract_of(contract, **rules), Drawing(confidence, resamples, seed)
    judgments = _with_texts(read_judgments(files, given, kinds), queries, corpus)
    groups, pairs, against = _jobs(judgments, partial(resolved, how=resolve, ties=ties), drawing, kappas=agreement)
    found = _each([*groups, *pairs, *against], on_done)
    ends = len(groups), len(groups) + len(pairs)
    return MergedJudges(
        given,
        judgments,
        resolve,
        ties,
        drawing,
        found[: ends[0]],
        found[ends[0] : ends[1]],
        found[ends[1] :],
        list(_same_families(judgments.judges, reranker_models)),
    )


def _with_texts(judgments: Judgments, queries: Any, corpus: Any) -> Judgments:
    """Return the judgments with the texts of these files, which win over those beside the judgments."""
    items = judgments.grades
    said = {} if queries is None else as_texts(queries, "queries", list(dict.fromkeys(item.query_id for item in items)))
    docs: Mapping[str, Text] = (
        {} if corpus is None else as_texts(corpus, "documents", list({item.doc_id for item in items}))
    )
    texts = {**judgments.query_texts, **{query: str(text) for query, text in said.items()}}
    return Judgments(judgments.judges, items, texts, {**judgments.doc_texts, **docs})


_Job = Callable[[], Agreement]


def _jobs(
    judgments: Judgments, one_grade: Callable[[Sequence[Grade]], Grade | None], drawing: Drawing, *, kappas: bool
) -> tuple[list[_Job], list[_Job], list[_Job]]:
    """Return what finds the agreement of the groups, of the pairs, and of models with people."""
    grades, names = judgments.grades, [judge.name for judge in judgments.judges]
    if len(names) < 2:
        return [], [], []
    group, pair = partial(of_group, drawing=drawing, kappas=kappas), partial(of_pair, drawing=drawing, kappas=kappas)
    groups = {"all": names, **{says: judgments.of_kind(kind) for kind, says in KINDS.items()}}
    wanted = {name: of for name, of in groups.items() if name == "all" or 1 < len(of) < len(names)}
    people, models = (judgments.of_kind(kind) for kind in KINDS)
    beside = partial(_beside_people, grades, _of_people(grades, people, one_grade), drawing=drawing, kappas=kappas)
    return (
        [partial(group, grades, members, name) for name, members in wanted.items()],
        [partial(pair, grades, *two) for two in combinations(names, 2)],
        [partial(beside, model) for model in (models if people else ())],
    )


def _of_people(
    grades: Grades, people: Sequence[str], one_grade: Callable[[Sequence[Grade]], Grade | None]
) -> Mapping[Item, Grade]:
    """Return the people's one grade of each item where it is decided."""
    found: dict[Item, Grade] = {}
    for item, given in grades.items():
        of_people = [given[judge] for judge in people if judge in given]
        grade = one_grade(of_people) if of_people else None
        if grade is not None:
            found[item] = grade
    return found


def _beside_people(
    grades: Grades, of_people: Mapping[Item, Grade], model: str, *, drawing: Drawing, kappas: bool
) -> Agreement:
    """Return how well a model, whatever its name, agrees with the people's one grade."""
    both = [(item.query_id, grade, grades[item][model]) for item, grade in of_people.items() if model in grades[item]]
    return between(both, (KINDS["human"], model), drawing, kappas=kappas)


def _each(jobs: Sequence[_Job], on_done: Callable[[int, int], None] | None) -> list[Agreement]:
    """Return what each job returns, and tell how many are done."""
    found = []
    for done, job in enumerate(jobs, 1):
        found.append(job())
        if on_done is not None:
            on_done(done, len(jobs))
    return found


_WORD = re.compile(r"[a-z]+")


def family(model: str) -> str:
    """Return a model's family: the letters its name begins with, behind the maker's: `qwen` of `Qwen/Qwen3-8B`."""
    found = _WORD.search(model.lower().rpartition("/")[2])
    return found[0] if found else model.lower()


def _same_families(judges: Sequence[Judge], rerankers: Sequence[str]) -> Iterator[SameFamily]:
    for judge in judges:
        named = list(judge.provenance.get("model", {})) or ([judge.name] if judge.kind == "model" else [])
        for model in named:
            for reranker in rerankers:
                if family(model) == family(reranker):
                    yield SameFamily(judge.name, model, reranker, family(model))
