"""How does the contract order the rows of a table? By whole numbers, the greater the better; in any order of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults

UNDECIDED = "undecided"
"""The column that says, with roll-up = first, where chunks of different scores share the lowest position."""

LOWEST = -(2**63)
"""The key of NaN: below that of every number."""

_POSITION = "position= (--position) names a column that numbers each query's rows: a table has no order of its own"

_OR_ERROR = "; or --rule duplicate-document=error, where no document should stand twice"


class RowRules(NamedTuple):
    """What counting asks of a contract: tables are counted alike under contracts that agree in it."""

    order: str  # score, rank or position
    single: bool  # scores are compared as 32-bit floats
    nan_is_refused: bool
    drops_non_positive: bool
    drops_own: bool
    mark: str  # the column that parts equal keys: doc_id or position
    greater_wins: bool  # whether the greater mark goes first
    apart: bool  # no two rows of a query may have one key
    first_chunk: bool  # rows were rolled up by their positions

    @property
    def columns(self) -> list[str]:
        """Return the columns that are read, beside the ids."""
        read = {self.order, self.mark} - {"doc_id"}
        read |= {"score"} if self.drops_non_positive else set()
        return sorted(read | {"position", UNDECIDED} if self.first_chunk else read)


def row_rules(contract: Contract, columns: Collection[str]) -> RowRules:
    """Return how a contract orders the rows of a table with these columns.

    ContractError for what such a table cannot answer: a rule about the order given, say, without a position.
    """
    order = _order(contract, columns)
    _check(contract, order, columns)
    apart = order == "rank" != contract.order
    by_position = order == "position" or (contract.ties in ("as-given", "unspecified") and not apart)
    return RowRules(
        order=order,
        single=order == "score" and contract.score_precision == "single",
        nan_is_refused=order == "score" and contract.nan_score == "error",
        drops_non_positive=contract.non_positive_score == "drop" and "score" in columns,
        drops_own=contract.own_document == "remove",
        mark="position" if by_position else "doc_id",
        greater_wins=not by_position and contract.ties != "document-id-ascending",
        apart=apart,
        first_chunk=contract.roll_up == "first",
    )


def _order(contract: Contract, columns: Collection[str]) -> str:
    """Return the column that orders rows: without scores the order given, which the ranks say, or the position."""
    if contract.order != "score" or "score" in columns:
        return contract.order
    return "rank" if "rank" in columns else "position"


def _check(contract: Contract, order: str, columns: Collection[str]) -> None:
    faults = Faults(ContractError)
    for fault in _refused(contract, order, columns):
        faults.add(fault)
    faults.raise_any()


def _refused(contract: Contract, order: str, columns: Collection[str]) -> Iterator[Fault]:
    """Yield what cannot be answered here."""
    if order == "rank" and "rank" not in columns:
        hint = "--rule order=score, or order=position with a column for the position"
        yield Fault("has no rank column to order by", about="run", hint=hint)
    if contract.roll_up != "none" and (contract.order == "rank" or "score" not in columns):
        message = f"roll-up = {contract.roll_up} of a table goes by scores"
        yield Fault(message, about="run", hint="roll it up beforehand, or order by score")
    if "position" in columns:
        return
    rules = {
        "order": (contract.order, ("position",)),
        "ties": (contract.ties, ("as-given", "unspecified") if order == contract.order != "position" else ()),
        "duplicate-document": (contract.duplicate_document, ("keep-first", "keep-last")),
        "roll-up": (contract.roll_up, ("first",)),
    }
    for rule, (answer, asking) in rules.items():
        if answer in asking:
            hint = _POSITION + (_OR_ERROR if rule == "duplicate-document" else "")
            yield Fault(f"{rule} = {answer} asks for the order of the rows", column="position", hint=hint)


class Rows(NamedTuple):
    """The rows of a batch, or of a table, in order: parallel arrays."""

    keys: Any  # int64; the greater the better
    kept: Any  # whether a row is one of the ranking; None: all are
    nan: Any  # whether the score, or rank, is NaN


def rows_of(batch: Any, rules: RowRules) -> Rows:
    """Return keys and what is taken out beforehand of an Arrow batch or table; a null counts as NaN, or as 0."""
    import numpy as np  # noqa: PLC0415 - loaded where it counts
    import pyarrow.compute as pc  # noqa: PLC0415

    nan = np.zeros(batch.num_rows, bool)
    if rules.order == "position":
        keys = -_whole(batch.column("position"))
    else:
        values = _floats(batch.column(rules.order))
        if rules.single:
            with np.errstate(over="ignore"):  # beyond single precision is infinite, as in C
                values = values.astype(np.float32).astype(np.float64)
        nan = np.isnan(values)
        keys = ordered(-values if rules.order == "rank" else values)
    kept = None
    if rules.drops_non_positive:
        kept = ~(_floats(batch.column("score")) <= 0)  # NaN is kept: it is refused, or comes last
    if rules.drops_own:
        own = pc.fill_null(pc.equal(batch.column("doc_id"), batch.column("query_id")), fill_value=False)
        others = ~np.asarray(own)
        kept = others if kept is None else kept & others
    return Rows(keys, kept, nan)


def ordered(values: Any) -> Any:
    """Return 64-bit integers in the order of floats: equal for 0.0 and -0.0, LOWEST for NaN."""
    import numpy as np  # noqa: PLC0415

    bits = (values + 0.0).view(np.int64)  # -0.0 + 0.0 is 0.0
    keys = np.where(bits >= 0, bits, bits ^ np.int64(2**63 - 1))
    keys[np.isnan(values)] = LOWEST
    return keys


def positions(batch: Any) -> Any:
    """Return the column position as 64-bit integers."""
    return _whole(batch.column("position"))


def _whole(column: Any) -> Any:
    import numpy as np  # noqa: PLC0415

    return np.asarray(column.fill_null(0), dtype=np.int64)


def _floats(column: Any) -> Any:
    import numpy as np  # noqa: PLC0415

    return np.asarray(column, dtype=np.float64) if column.null_count == 0 else column.fill_null(np.nan).to_numpy()
