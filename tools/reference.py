"""Write docs/reference.md from the package itself: commands, measures, contracts, formats.

`make docs` runs it; a test fails while the file says something else than the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import typer

from rankproof.answers import kebab, spell
from rankproof.cli.app import app
from rankproof.contract import differences
from rankproof.experiment.plan import KEYS
from rankproof.formats import FORMATS
from rankproof.formats.columns import NAMES
from rankproof.formats.lab import COLUMNS
from rankproof.formats.packing import PACKINGS
from rankproof.formats.records import IDS, LAYOUTS, TEXTS, TITLES
from rankproof.formats.written import WRITERS
from rankproof.measures import measures
from rankproof.measures.names import TREC_FAMILIES
from rankproof.presets import contract, contracts
from rankproof.report.reference import measure_facts
from rankproof.retrieve import ANALYZERS
from rankproof.rules import rules
from rankproof.systems import KINDS

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference.md"


def reference() -> str:
    """Return the whole page."""
    parts = [
        "# Reference\n\nWritten by `make docs` from the package itself: change it there.",
        "\n".join(_commands()),
        "\n".join(_measures()),
        "\n".join(_contracts()),
        "\n".join(_formats()),
        "\n".join(_collections()),
        "\n".join(_systems()),
    ]
    return "\n\n".join(parts) + "\n"


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(*header: str) -> list[str]:
    return ["", _row(*header), _row(*["---"] * len(header))]


def _commands() -> Iterator[str]:
    yield "## Commands\n\nData goes to stdout, talk to stderr. Exit status: 0, or 2 for a mistake in what was given."
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]  # it is a group
        options = [one for one in command.params if one.param_type_name == "option" and one.name != "help"]
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        usage = " ".join(str(one.metavar) for one in arguments)
        yield f"\n### `rankproof {name} {usage}`\n\n{(command.help or '').strip()}"
        yield from _table("option or argument", "what it is")
        for one in (*arguments, *options):
            spelled = ", ".join(one.opts) if one in options else str(one.metavar)
            choices = f" One of: {', '.join(type(one.default))}." if isinstance(one.default, StrEnum) else ""
            yield _row(f"`{spelled}`", f"{one.help or ''}{choices}")


def _measures() -> Iterator[str]:
    yield (
        "## Measures\n\n"
        "A name is `Symbol(option=value,…)@k`. Options are the measure's own and the rules it reads; beside these, each"
        " takes the rules of placing and of queries, zero-denominator and summation, as in `RR(ties=expected)@10`."
        " `rel` is short for relevant-from."
    )
    for measure in measures():
        yield f"\n### {measure.symbol}\n\n{measure.__doc__}\n"
        yield from (f"- {what}: {answer}" for what, answer in measure_facts(measure))
    yield "\n### Names for several measures\n"
    for family, members in TREC_FAMILIES.items():
        yield f"- `{family}`: {', '.join(members)}"


def _contracts() -> Iterator[str]:
    yield "## Contracts\n\n### Rules\n\nThe first answer in bold is that of the house contract, `rankproof`."
    house = contract("rankproof")
    yield from _table("rule", "question", "answers")
    for name, rule in rules().items():
        answers = "; ".join(
            f"{f'**{choice}**' if choice == getattr(house, name) else choice}: {meaning}"
            for choice, meaning in rule.means.items()
        )
        yield _row(f"`{kebab(name)}`", rule.question, answers or f"**{spell(getattr(house, name))}**; a {rule.kind}")
    yield "\n### Presets\n\nRules in words, known deviations and conformance: [presets.md](presets.md)."
    yield from _table("preset", "version", "fingerprint", "against `rankproof`")
    for preset in contracts():
        gaps = differences(replace(preset.contract, overrides=()), house)
        own = [f"`{kebab(rule)}={spell(answer)}`" for rule, (answer, _) in gaps.items()]
        for on, answers in preset.contract.overrides:
            own.append(f"{on}: " + " ".join(f"`{kebab(rule)}={spell(answer)}`" for rule, answer in answers))
        yield _row(preset.name, preset.version, f"`{preset.contract.fingerprint}`", ", ".join(own))


def _formats() -> Iterator[str]:
    yield (
        "## Formats\n\nThe content decides, not the file's name; `--qrels-format` and `--run-format` force one."
        f" {', '.join(packing.name for packing in PACKINGS)} are unpacked; `-` is standard input."
        " UTF-8, UTF-16 with a byte order mark, and CP949 where a text is no UTF-8."
    )
    yield from _table("format", "what it holds", "written for names that end in")
    for known in FORMATS:
        endings = WRITERS[known.name].endings + (WRITERS["tsv"].endings if known.name == "csv" else ())
        yield _row(known.name, known.says, _names(endings))
    yield "\n### Columns\n\nIn any case, with `_`, `-` or a blank; of groups the first counts, of one there may be one."
    yield from _table("column", "what it may be called")
    for column, groups in NAMES.items():
        yield _row(column, "; else ".join(_names(group) for group in groups))
    yield "\n### Lab files"
    yield from _table("file", "what it holds")
    yield _row(
        "lab JSON", "a list, an object a query: queryId, relevant [{id, grade}], before and after [{id, hasEvidence}]"
    )
    yield _row("lab CSV", f"a row a place: {', '.join(COLUMNS)}")


def _collections() -> Iterator[str]:
    yield (
        "## Queries and documents\n\nThe content decides; gzip is unpacked. The id is the first of the fields "
        f"{_names(IDS['queries'])} (of a document {_names(IDS['documents'])}) that is there, the title "
        f"{' or '.join(f'`{name}`' for name in TITLES)}, "
        f"the text the first of {_names(TEXTS)}; of a topic its title."
    )
    yield from _table("layout", "what it holds")
    for layout in LAYOUTS:
        yield _row(layout.name, layout.says)


def _systems() -> Iterator[str]:
    yield (
        "## Systems\n\nWhat `rankproof search` can be asked for, and what a `[systems.NAME]` of an experiment holds:"
        ' `method = "bm25"`, `run = "a.run"` or `engine = "sqlite:"`, and options. On the command line `weights` is'
        " `--weight`, repeated."
    )
    for kind in KINDS.values():
        yield f"\n### {kind.name}\n\n{kind.says}."
        yield from _table("option", "what it is", "default")
        for name, option in kind.options.items():
            told = option.default not in (None, {})
            yield _row(
                f"`{name}`", option.expected, f"`{option.default}`" if told else "needed" if option.needed else ""
            )
    yield "\n### Analyzers"
    yield from _table("analyzer", "what becomes a token", "extra")
    for name, analyzer in ANALYZERS.items():
        yield _row(f"`{name}`", analyzer.says, f"`{analyzer.extra}`" if analyzer.extra else "")
    yield (
        "\n### Experiments\n\nA TOML file; paths are relative to it. A run is kept under the hash of what decides it:"
        " the system's options, the bytes of its inputs, the depth, and the versions of the packages it needs."
    )
    yield from _table("key", "what it is")
    for key, (_, expected) in KEYS.items():
        yield _row(f"`{key}`", expected)


if __name__ == "__main__":
    TARGET.write_text(reference(), "utf-8")
    print(f"written: {TARGET.name}")
