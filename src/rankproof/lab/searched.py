"""What do BM25, LSA and their fusion find in the packaged corpus, or in one that the page gave?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.formats import read_qrels
from rankproof.formats.files import Given
from rankproof.formats.records import id_of, read_records
from rankproof.formats.texts import Text, read_texts
from rankproof.lab.given import content_of, flag_of
from rankproof.lab.places import placing
from rankproof.model import Qrels, Run
from rankproof.presets import contract as contract_of
from rankproof.retrieve import BM25, LSA, fuse
from rankproof.retrieve.lsa import PLAIN_ALONE
from rankproof.splits.groups import declared_families
from rankproof.splits.queries import read_queries
from rankproof.words import Words, query_count

File: TypeAlias = tuple[bytes, str]
"""A file's bytes and its name."""

ROLES: Mapping[str, str] = {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "qrels": "qrels.txt"}
"""What a person may give, and the file of the packaged example that stands in its place."""

METHODS = ("bm25", "lsa", "rrf")
ANALYZER = "hangul-2-3gram-words"
DIMENSIONS = 20
QUICK = 120
"""Of more documents LSA takes the page longer than a few seconds, and is found where it is asked for."""
DEPTH = 1000
"""So many documents of each part the fusion sees, as in `rankproof experiment`."""

LIMITS = (
    Words(
        "One query shows how a value comes about, not how good a search is: for that, see the comparison over all.",
        "질의 하나는 값이 어떻게 나오는지 보여 줄 뿐, 검색이 얼마나 좋은지는 말하지 않습니다. 그것은 전체 질의의 "
        "비교를 보세요.",
    ),
    Words(
        "The authors of rankproof wrote articles, queries and labels; the labels are incomplete, and nobody outside "
        "has reviewed them. An unjudged document counts as not relevant, which need not be true.",
        "문서, 질의, 판정은 모두 rankproof를 만든 사람들이 작성했습니다. 판정은 완전하지 않고 외부 검토도 받지 "
        "않았습니다. 판정이 없는 문서는 적합하지 않은 것으로 세지만, 실제로는 그렇지 않을 수 있습니다.",
    ),
    Words(
        "Nothing was tuned, and no queries were kept apart for a test.",
        "어떤 설정도 튜닝하지 않았고, 시험용 질의를 따로 떼어 두지도 않았습니다.",
    ),
    Words(
        "The articles are simplified and may fall behind the law: look up the source before you rely on one.",
        "문서는 간추린 글이며 개정된 법령과 다를 수 있습니다. 실제로 쓰기 전에 출처를 확인하세요.",
    ),
)
"""What the numbers of the example do not show."""


class Searched(NamedTuple):
    """A corpus with its queries and judgments, and what each method found for the judged queries."""

    files: tuple[File, ...]
    documents: Mapping[str, Text]
    queries: Mapping[str, str]
    family_of: Mapping[str, str] | None  # None where some query has no family
    qrels: Qrels
    runs: Mapping[str, Run]
    contract: Contract
    said: Sequence[Words]  # what a reader should know of the data
    left_out: str | None = None  # why there is no LSA: `slow`, where it can be asked for, or `large`

    def places(self, doc_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the fields `source` and `page` of these documents, where the corpus has them."""
        wanted, corpus = set(doc_ids), self.files[0]
        found: dict[str, dict[str, str]] = {}
        for record in read_records(Given(*corpus)):
            one = id_of(record, corpus[1], "documents")
            if one in wanted:
                fields = record.fields
                found[one] = {name: str(fields[name]) for name in ("source", "page") if fields.get(name) is not None}
        return found


def searched_in(arguments: Mapping[str, Any]) -> Searched:
    """Return what was found in the files of `corpus`, `queries` and `qrels`; in the example where none is given.

    `lsa`: whether LSA and the fusion are found; if not given, they are where there are few documents. InputError where
    only some files are given, and for whatever is wrong with them, with line and column.
    """
    given = {role: content_of(arguments, role, role) for role in ROLES}
    if not any(given.values()):
        return example()
    lsa = flag_of(arguments, "lsa", default=False)
    for role, file in given.items():
        if file is None:
            raise InputError(Fault(f"{role} is missing", hint="a corpus, its queries and their judgments (qrels)"))
    found = tuple(file for file in given.values() if file is not None)
    with placing(*found):
        return searched(found, lsa=lsa)


@cache
def example() -> Searched:
    """Return what was found in the packaged example."""
    return _found(tuple(example_files().values()), lsa=False)


@cache
def example_files() -> Mapping[str, File]:
    """Return the files of the packaged example, by what they are for."""
    folder = files("rankproof") / "example"
    return {role: ((folder / name).read_bytes(), name) for role, name in ROLES.items()}


@lru_cache(maxsize=2)  # what a person gave last, without LSA and with it
def searched(given: tuple[File, ...], *, lsa: bool = False) -> Searched:
    """Return what `_found` finds; what was found last is kept."""
    return _found(given, lsa=lsa)


def _found(given: tuple[File, ...], *, lsa: bool) -> Searched:
    """Return what was found with a corpus, queries and judgments, in this order. InputError for faulty files.

    `lsa`: LSA is found of many documents too, as far as it can be.
    """
    contract = contract_of("teaching")
    documents = read_texts(Given(*given[0]), "documents")
    asked = read_texts(Given(*given[1]), "queries")
    qrels = read_qrels(Given(*given[2]), contract)
    queries = {one: str(text) for one, text in asked.items() if one in qrels}
    if not queries:
        begins = f"queries begin with {next(iter(asked))!r}, judgments with {next(iter(qrels), '')!r}"
        raise InputError(Fault(f"judges none of the queries ({begins})", given[2][1], hint="are the ids the same?"))
    family_of = declared_families(read_queries(Given(*given[1])).items)
    texts = {one: str(text) for one, text in documents.items()}
    left_out = None if lsa or len(texts) <= QUICK else "slow" if len(texts) <= PLAIN_ALONE else "large"
    runs = {"bm25": BM25(texts, analyzer=ANALYZER).search(queries, DEPTH)}
    if left_out is None:
        try:
            runs |= _lsa_and_fusion(texts, queries, runs["bm25"], contract)
        except MissingPackageError:  # the plain road is not tried on so many
            left_out = "large"
    return Searched(
        files=given,
        documents=documents,
        queries=queries,
        family_of=family_of if all(one in family_of for one in qrels) else None,
        qrels=qrels,
        runs=runs,
        contract=contract,
        said=[*_of_data(documents, asked, qrels), *([] if left_out is None else [_WHY[left_out]])],
        left_out=left_out,
    )


def _lsa_and_fusion(
    documents: Mapping[str, str], queries: Mapping[str, str], bm25: Run, contract: Contract
) -> dict[str, Run]:
    """Return what LSA finds, and its fusion with BM25. MissingPackageError for too many documents."""
    lsa = LSA(documents, analyzer=ANALYZER, dimensions=DIMENSIONS).search(queries, DEPTH)
    return {"lsa": lsa, "rrf": fuse([bm25, lsa], "rrf", name="rrf", contract=contract)}


_WHY: Mapping[str, Words] = {
    "slow": Words(
        f"LSA of more than {QUICK} documents takes the page up to minutes, so BM25 stands alone until it is asked for",
        f"문서가 {QUICK}개를 넘으면 이 페이지에서 LSA를 계산하는 데 몇 분까지 걸릴 수 있어, "
        "요청할 때까지 BM25만 보여 줍니다",
    ),
    "large": Words(
        f"LSA of more than {PLAIN_ALONE} documents is too much for this page, so BM25 stands alone; "
        "`rankproof experiment` compares them at the command line",
        f"문서가 {PLAIN_ALONE}개를 넘는 LSA는 이 페이지에서 계산하기에 너무 커서 BM25만 보여 줍니다. "
        "명령줄의 `rankproof experiment`로 비교할 수 있습니다",
    ),
}


def _of_data(documents: Mapping[str, Text], asked: Mapping[str, Text], qrels: Qrels) -> Iterator[Words]:
    """Yield how much there is, and what does not fit together."""
    yield Words(
        f"{len(documents):,} documents, {query_count(len(asked))}, judgments for {query_count(len(qrels))}",
        f"문서 {len(documents):,}개, 질의 {len(asked):,}개, 판정이 있는 질의 {len(qrels):,}개",
    )
    if count := len(asked.keys() - qrels.keys()):
        yield Words(
            f"{query_count(count)} without judgments: left out", f"판정이 없는 질의 {count:,}개는 계산에서 뺐습니다"
        )
    if count := len(qrels.keys() - asked.keys()):
        yield Words(
            f"judgments for {query_count(count)} that the queries do not hold: no method answers them",
            f"질의 파일에 없는 질의 {count:,}개의 판정이 있습니다. 어떤 방법도 이 질의에 답하지 않습니다",
        )
    judged = {doc for grades in qrels.values() for doc in grades}
    if count := len(judged - documents.keys()):
        yield Words(
            f"{count:,} judged documents are not in the corpus: no method can find them",
            f"판정된 문서 {count:,}개가 말뭉치에 없습니다. 어떤 방법도 찾을 수 없습니다",
        )
