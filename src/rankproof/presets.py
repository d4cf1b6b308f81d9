"""Who else uses which rules, in which version?"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.answers import kebab
from rankproof.contract import SCHEMA, Contract
from rankproof.errors import ContractError, Fault, nearest
from rankproof.rules import known_rule, named_answers


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where a tool departs from its documented rule, or from what is done here: what it gives, what is given here."""

    topic: str
    tool: str
    here: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named contract: whose rules, in which version, where they were read, how they were verified."""

    contract: Contract
    version: str
    source: str
    verified: str
    deviations: tuple[Deviation, ...] = ()

    @property
    def name(self) -> str:
        """Return the preset's name, which is its contract's."""
        return self.contract.name


FORMULAS_DATE = "2026-08-30"
"""When the formulas of rag-ranking-metrics-v2 were published."""

_HOUSE = Contract()
_TREC_EVAL = replace(
    _HOUSE,
    missing_query="skip",
    no_relevant="zero",
    zero_denominator="zero",
    judged_denominator="cutoff",
    summation="sequential",
)
_TREC_EVAL_9 = replace(_TREC_EVAL, comments="none", score_precision="single", recall_level="add-0.9")
_TREC_EVAL_10 = replace(_TREC_EVAL, missing_query="error")

_FRACTIONS = Deviation("fractional grade", "cut to its whole part, in silence", "kept as written")
_TABLE = Deviation("custom gains in nDCG", "prints 0 (both versions)", "the gains of the gain-table")
_DUPLICATES = Deviation("duplicate beyond the depth", "not looked for", "refused, like every duplicate")
_NAN = Deviation("NaN score", "places depend on the order of comparison", "refused")
_RESIDUAL = Deviation(
    "RBP residual", "0 for a missing query and where all retrieved are judged", "by definition 1, and p^n"
)
_RBP = Deviation(
    "RBP gain", "read from uninitialised memory", "what was meant: the grade over the query's highest grade"
)
_TREC_FAULTS = (_FRACTIONS, _TABLE, _DUPLICATES, _NAN)
_TREC_SOURCE = "https://github.com/usnistgov/trec_eval, m_*.c and form_res_rels.c"
_TREC_TEST = "the test outputs that trec_eval ships, every row of a measure that stands here"


_LEFT_OUT = Deviation(
    "missing query with -c -q", "left out of the per-query list, and in the mean", "in both, with its 0"
)


def _complete(name: str) -> Contract:
    base = {"trec_eval-9": _TREC_EVAL_9, "trec_eval-10": _TREC_EVAL_10}[name]
    return replace(base, missing_query="zero", name=f"{name}-complete")


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            _HOUSE,
            "1",
            "this package: the formulas of trec_eval 10 with its faults mended",
            "by hand, by laws over all measures, and against the presets of other tools",
        ),
        Preset(
            replace(
                _HOUSE,
                name="textbook",
                order="position",
                ties="as-given",
                duplicate_document="keep-first",
                no_relevant="zero",
                zero_denominator="zero",
                ideal="retrieved",
            ),
            "1",
            "the measures as courses teach them, over lists and sets",
            "the values of a course chapter, by hand",
            (Deviation("nDCG@5 of grades 3 0 2 1 0", "a course prints 0.8542", "0.930451, by its own formula"),),
        ),
        Preset(
            replace(_HOUSE, name="closed-corpus", gain="exponential", ties="document-id-ascending"),
            "1",
            "a closed corpus with exact search: every document is a candidate, an unjudged one has grade 0",
            "a case of three queries, by hand",
        ),
        Preset(
            replace(
                _HOUSE,
                name="rag-ranking-metrics-v2",
                gain="exponential",
                order="position",
                ties="as-given",
                duplicate_document="keep-first",
                negative_grade="error",
            ),
            f"2, {FORMULAS_DATE}",
            "`rankproof rerank`: before and after reranking",
            "its published sample at K = 1, 3 and 5",
        ),
        Preset(
            replace(_HOUSE, name="teaching", gain="exponential", ties="document-id-ascending"),
            "1",
            "for teaching P@k, R@k, RR@k and nDCG@k over graded labels",
            "by hand",
        ),
        Preset(replace(_TREC_EVAL_9, name="trec_eval-9"), "9.0.8", _TREC_SOURCE, _TREC_TEST, _TREC_FAULTS),
        Preset(_complete("trec_eval-9"), "9.0.8 with -c", _TREC_SOURCE, _TREC_TEST, (*_TREC_FAULTS, _LEFT_OUT)),
        Preset(
            replace(_TREC_EVAL_10, name="trec_eval-10"),
            "10.0",
            _TREC_SOURCE,
            _TREC_TEST,
            (*_TREC_FAULTS, _RBP, _RESIDUAL),
        ),
        Preset(
            _complete("trec_eval-10"),
            "10.0 with -c",
            _TREC_SOURCE,
            _TREC_TEST,
            (*_TREC_FAULTS, _RBP, _RESIDUAL),
        ),
        Preset(
            replace(_TREC_EVAL_9, name="pytrec_eval"),
            "pytrec_eval-terrier 0.5.11 (trec_eval 9.0.8 inside)",
            "https://github.com/terrierteam/pytrec_eval",
            "run beside it on generated inputs, every measure of one query that both have",
            (
                Deviation("fractional grade, NumPy integer", "TypeError", "kept as written"),
                Deviation("query with only negative judgments", "ends the interpreter", "a query without relevant"),
                Deviation("query without any judgment", "left out of the result", "a query without relevant"),
                Deviation("unknown measure", "ends the interpreter", "an error with the nearest names"),
            ),
        ),
    )
}


def contract(of: str | Path | Mapping[str, Any] | Contract = "rankproof", **rules: object) -> Contract:
    """Return a contract: a preset by name, a TOML or JSON file, a dict as `Contract.to_dict` gives it, or itself.

    `rules` change single rules: `contract("trec_eval-10", ties="expected")`. Raises ContractError.
    """
    if isinstance(of, Contract):
        found = of
    elif isinstance(of, Mapping):
        found = _from_dict(of, "contract")
    elif not isinstance(of, (str, Path)):
        expected = "a preset's name, a file, a dict or a Contract"
        raise ContractError(Fault(f"{of!r} is no contract", expected=expected))
    elif str(of) in PRESETS:
        found = PRESETS[str(of)].contract
    elif Path(of).suffix in (".toml", ".json"):
        found = _from_file(Path(of))
    else:
        near = nearest(str(of), PRESETS)
        raise ContractError(
            Fault(f"there is no contract {str(of)!r}", hint=f"nearest: {near}; or a file ending in .toml or .json")
        )
    return found.with_rules(**rules)


def contracts() -> list[Preset]:
    """Return the presets: each a contract with its version, source, verification and known deviations."""
    return list(PRESETS.values())


def read_rules(options: Iterable[str]) -> dict[str, str]:
    """Return the rules of options such as `ties=expected`."""
    found: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise ContractError(Fault(f"{option!r} sets no rule", expected="rule=value, such as ties=expected"))
        if known_rule(name) in found:
            raise ContractError(Fault(f"{kebab(known_rule(name))} is given twice", expected="one answer a rule"))
        found[known_rule(name)] = value.strip()
    return found


def to_toml(given: Contract) -> str:
    """Return a contract as TOML that `contract` reads back."""
    written = given.to_dict()
    lines = [f"{key} = {_toml_value(written[key])}" for key in ("name", "schema")]
    lines.append(f"# fingerprint when written: {given.fingerprint}")
    for table, own in [
        ("rules", written["rules"]),
        *((f"overrides.{_toml_value(k)}", v) for k, v in written["overrides"].items()),
    ]:
        lines += ["", f"[{table}]", *(f"{name} = {_toml_value(value)}" for name, value in own.items())]
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    if value is None:
        return '"none"'  # TOML has no null; the rules read this word
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{json.dumps(key)} = {json.dumps(gain)}' for key, gain in value.items())} }}"
    # A JSON text is a TOML text but for two things: TOML knows no surrogate pairs, and wants DEL escaped.
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return text.encode(errors="replace").decode()


def _from_file(path: Path) -> Contract:
    try:
        text = path.read_text("utf-8-sig")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text, object_pairs_hook=_each_key_once)
    except OSError as error:
        raise ContractError(Fault(f"cannot be read: {error.strerror}", str(path))) from error
    except (ValueError, RecursionError) as error:
        raise ContractError(Fault(f"is not {path.suffix[1:].upper()}: {error}", str(path))) from error
    if not isinstance(data, dict):
        raise ContractError(Fault("is not a table of rules", str(path)))
    return _from_dict(data, str(path))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"a key comes twice among {', '.join(key for key, _ in pairs)}")
    return dict(pairs)


_KEYS = ("preset", "name", "schema", "fingerprint", "rules", "overrides")


def _from_dict(data: Mapping[str, Any], where: str) -> Contract:
    if unknown := [key for key in data if key not in _KEYS]:
        hint = f"rules stand under [rules], such as {kebab(str(unknown[0]))} = …"
        raise ContractError(Fault(f"unknown key {unknown[0]!r}", where, expected=", ".join(_KEYS), hint=hint))
    if data.get("schema", SCHEMA) != SCHEMA:
        raise ContractError(Fault(f"has schema {data['schema']!r}", where, expected=f"schema {SCHEMA}"))
    base, answers, overrides = data.get("preset", "rankproof"), data.get("rules", {}), data.get("overrides", {})
    if not isinstance(base, str) or base not in PRESETS:
        hint = f"nearest: {nearest(str(base), PRESETS)}"
        raise ContractError(Fault(f"there is no preset {base!r}", where, hint=hint))
    if not isinstance(answers, Mapping) or not isinstance(overrides, Mapping):
        raise ContractError(Fault("rules and overrides are tables", where))
    given = PRESETS[base].contract
    try:
        found = replace(
            given,
            **named_answers(answers.items()),
            overrides=tuple({**dict(given.overrides), **overrides}.items()),
            name=str(data.get("name", where)),
        )
    except ContractError as error:
        raise ContractError(*(replace(fault, file=fault.file or where) for fault in error.faults)) from error
    if found.name in PRESETS and PRESETS[found.name].contract != found:
        found = replace(found, name=f"{found.name}, changed in {where}")
    if data.get("fingerprint", found.fingerprint) != found.fingerprint:
        hint = "remove the fingerprint if the change is meant"
        raise ContractError(Fault("the fingerprint is not that of these rules", where, hint=hint))
    return found
