"""Where does what a system was made with know the test queries? One function a kind of leak."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rankproof.splits.leaks import Leak, Side
from rankproof.splits.material import Document, Material, Node
from rankproof.splits.near import Index, Wording, near_pairs, wording_of
from rankproof.words import Words

CORPUS = "corpus"
"""The place of a document, beside the names of splits and files."""


class Known(NamedTuple):
    """What one kind found: leaks, and which queries belong together, within a split too."""

    leaks: Sequence[Leak]
    links: Sequence[Sequence[str]] = ()  # query ids of one intent


Finder: TypeAlias = Callable[[Material], Known | Words]
"""Words say why there was nothing to look at."""

ONE_SPLIT = Words("only one split holds queries", "질의가 있는 분할이 하나뿐입니다")
NO_FAMILIES = Words(
    "no query has a family: a field `family`, or --families FILE",
    "묶음이 적힌 질의가 없습니다. `family` 필드나 --families FILE이 필요합니다",
)
NO_JUDGMENTS = Words("no judgments are given: --qrels FILE", "판정이 없습니다. --qrels FILE이 필요합니다")
NONE_JUDGED = Words("no query of the splits has judgments", "분할에 판정된 질의가 없습니다")
NO_CORPUS = Words("no documents are given: --corpus FILE", "문서가 없습니다. --corpus FILE이 필요합니다")
NOT_TUNED = Words(
    "no file is given that was tuned on: --tuned-on FILE", "튜닝에 쓴 파일이 없습니다. --tuned-on FILE이 필요합니다"
)


def same_id(given: Material) -> Known | Words:
    """Find query ids that stand in two splits."""
    return _shared(given, ((node.query.query_id, node) for node in given.nodes), of_itself=True)


def family(given: Material) -> Known | Words:
    """Find families that stand in two splits."""
    if not given.family_of:
        return NO_FAMILIES
    of_node = ((given.family_of.get((node.split, node.query.query_id)), node) for node in given.nodes)
    return _shared(given, ((named, node) for named, node in of_node if named is not None))


def same_text(given: Material) -> Known | Words:
    """Find texts that stand in two splits, but for case, white space and punctuation."""
    return _shared(given, ((node.wording.normal, node) for node in given.nodes if node.wording.normal), of_itself=True)


def shared_document(given: Material) -> Known | Words:
    """Find documents that are relevant for queries of two splits."""
    if given.judgments is None:
        return NO_JUDGMENTS
    if not any(node.query.query_id in given.judgments for node in given.nodes):
        return NONE_JUDGED
    rel = given.contract.relevant_from
    return _shared(
        given,
        (
            (doc, node)
            for node in given.nodes
            for doc, grade in given.judgments.get(node.query.query_id, {}).items()
            if grade >= rel
        ),
    )


def _shared(given: Material, keyed: Iterable[tuple[str, Node]], *, of_itself: bool = False) -> Known | Words:
    """Return what nodes of two splits share; those that share it within one split are linked too.

    Families and judgments go by query id: what one id shares with itself says no more than that it is in two splits.
    """
    if given.alone:
        return ONE_SPLIT
    holding: dict[str, list[Node]] = {}
    for key, node in keyed:
        holding.setdefault(key, []).append(node)
    leaks = [
        Leak(key, [_side(node) for node in nodes])
        for key, nodes in holding.items()
        if len({node.split for node in nodes}) > 1 and (of_itself or len({node.query.query_id for node in nodes}) > 1)
    ]
    links = [[node.query.query_id for node in nodes] for nodes in holding.values() if len(nodes) > 1]
    return Known(leaks, links)


def near_text(given: Material) -> Known | Words:
    """Find texts of two splits that are worded almost alike; equal ones are another kind."""
    if given.alone:
        return ONE_SPLIT
    of_form: dict[str, list[Node]] = {}
    for node in given.nodes:
        if node.wording.normal:
            of_form.setdefault(node.wording.normal, []).append(node)
    forms = list(of_form.values())

    def of_train(node: Node) -> bool:
        return node.split != given.test

    like = given.likeness
    leaks: list[Leak] = []
    links: list[list[str]] = []
    for pair in near_pairs(
        [nodes[0].wording for nodes in forms], like.near, like.near_grams, like.near_by, given.on_done
    ):
        ones, others = forms[pair.second], forms[pair.first]
        links.append([node.query.query_id for node in (*ones, *others)])
        leaks += [
            Leak(pair.by, [_side(node) for node in sorted((one, other), key=of_train)], pair.similarity)
            for one in ones
            for other in others
            if one.split != other.split
        ]
    return Known(leaks, links)


def document_text(given: Material) -> Known | Words:
    """Find test queries that are the title or the text of a document, but for a few words."""
    if given.corpus is None:
        return NO_CORPUS
    tests = [node for node in given.nodes if node.split == given.test and node.wording.normal]
    alike = _Verbatim([node.wording for node in tests], given.likeness.verbatim)
    best: dict[tuple[int, str], tuple[float, Document]] = {}
    for document in given.documents():
        for at, similarity in alike.of(document.text):
            if similarity > best.get((at, document.doc_id), (0.0, document))[0]:
                best[at, document.doc_id] = similarity, document
    return Known(
        [
            Leak(document.part, [_side(tests[at]), Side(CORPUS, doc, document.text)], similarity)
            for (at, doc), (similarity, document) in sorted(best.items())
        ]
    )


MOST_LONGER = 20
"""A text so many times as long as the longest query, in characters, is not looked into: it says more than a query."""


class _Verbatim:
    """The test queries, and which of them a document's text is."""

    def __init__(self, wordings: Sequence[Wording], threshold: float) -> None:
        self._longest = MOST_LONGER * max((len(wording.normal) for wording in wordings), default=0)
        self._normal: dict[str, list[int]] = {}
        for at, wording in enumerate(wordings):
            self._normal.setdefault(wording.normal, []).append(at)
        self._indexes = [
            (Index([wording.words for wording in wordings], threshold), "words"),
            (Index([wording.grams for wording in wordings], threshold), "grams"),
        ]

    def of(self, text: str) -> Iterator[tuple[int, float]]:
        """Yield the places of the queries that a text is, or nearly is, and how near; a place may come twice."""
        if len(text) > self._longest:
            return
        wording = wording_of(text)
        same = self._normal.get(wording.normal, [])
        yield from ((at, 1.0) for at in same)
        for index, features in self._indexes:
            yield from ((at, near) for at, near in index.like(getattr(wording, features)) if at not in same)


def tuning(given: Material) -> Known | Words:
    """Find test queries in files that were tuned on."""
    if given.tuned_on is None:
        return NOT_TUNED
    tests = [node for node in given.nodes if node.split == given.test]
    return Known(
        [
            Leak(name, [_side(node), Side(name, node.query.query_id, None)])
            for name, ids in given.tuned_on.items()
            for node in tests
            if node.query.query_id in ids
        ]
    )


def _side(node: Node) -> Side:
    return Side(node.split, node.query.query_id, node.query.text)


FINDERS: Mapping[str, Finder] = {
    "same-id": same_id,
    "family": family,
    "same-text": same_text,
    "near-text": near_text,
    "shared-document": shared_document,
    "document-text": document_text,
    "tuning": tuning,
}
"""Who finds each kind."""
