"""`rankproof split`, `variants` and `leakage`: splits of queries, and what they know of the test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.comparing import ConfidenceOption, SeedOption
from rankproof.cli.options import (
    ContractOption,
    FormatOption,
    MeasureOption,
    OutputFormat,
    OutputOption,
    ReportOption,
    RuleOption,
)

if TYPE_CHECKING:
    from rankproof.formats import Source
    from rankproof.splits import Leakage

_Queries = Annotated[
    str, typer.Argument(metavar="QUERIES", help="Queries: JSON lines, CSV, TREC topics or Parquet; - for stdin.")
]
_By = Annotated[
    str, typer.Option("--by", help="What stays together: family, source, time, or hash (each query by itself).")
]
_Ratios = Annotated[str, typer.Option("--ratios", help="How much each split is to hold.")]
_Names = Annotated[
    str | None, typer.Option("--names", help="What the splits are called.", show_default="train,dev,test")
]
_Field = Annotated[
    str | None, typer.Option("--field", metavar="NAME", help="The field to split by, if not named as --by is.")
]
_Families = Annotated[
    str | None,
    typer.Option("--families", metavar="FILE", help="Families of queries, `query_id family` a line or JSON."),
]
_Quota = Annotated[
    bool,
    typer.Option("--quota", help="Keep the ratios exactly, in groups: queries that are added can then move others."),
]
_Folder = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write each split there too, as NAME.jsonl.")
]


def split(
    queries: _Queries,
    by: _By = "family",
    ratios: _Ratios = "60/20/20",
    names: _Names = None,
    seed: SeedOption = 1,
    field: _Field = None,
    families: _Families = None,
    quota: _Quota = False,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: _Folder = None,
) -> None:
    """Split queries into train, dev and test, groups whole. By hash, queries that are added never move earlier ones."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import say, show
    from rankproof.formats import Source
    from rankproof.record import record
    from rankproof.splits import split_queries, write_split
    from rankproof.splits.assign import names_of, shares_of
    from rankproof.splits.split import TIDY_SPLIT, paths_of, split_rows

    one_stdin(queries, families or "")
    if output is not None:
        paths = paths_of(output, names_of(names, len(shares_of(ratios))))
        check_outputs([queries, families], *paths, makes_folder=True)
    sources = {"queries": Source(queries), **({} if families is None else {"clusters": Source(families)})}
    found = split_queries(
        sources["queries"],
        by=by,
        ratios=ratios,
        names=names,
        seed=seed,
        field=field,
        families=sources.get("clusters"),
        quota=quota,
    )
    if output is not None:
        say(*(f"written to {path}" for path in write_split(found, output)))
    show(
        format,
        None,
        content=lambda: {**record("split", list(sources.items())), **found.to_dict()},
        rows=lambda: (TIDY_SPLIT, split_rows(found)),
        tables=found.tables,
        notes=found.notes(),
    )


_Count = Annotated[int, typer.Option("-n", help="How many variants of each query.")]
_Language = Annotated[
    str | None,
    typer.Option("--language", help="Whose words are appended: ko or en.", show_default="ko for a query with Hangul"),
]


def variants(
    queries: _Queries, n: _Count = 3, seed: SeedOption = 1, language: _Language = None, output: OutputOption = None
) -> None:
    """Print each query with variants of it, a word appended to each: to see what a split by rows does to a family."""
    from rankproof.cli.inputs import check_outputs
    from rankproof.cli.output import emit
    from rankproof.splits import variants as varied
    from rankproof.splits.split import json_line

    check_outputs([queries], output)
    emit("".join(json_line(one) for one in varied(queries, n, seed, language)), output)


_Splits = Annotated[
    list[str],
    typer.Argument(metavar="SPLIT...", help="Files of queries; NAME=FILE names a split, else the file's name does."),
]
_Test = Annotated[
    str | None,
    typer.Option("--test", metavar="NAME", help="The split to keep clean.", show_default="test, else the last"),
]
_Corpus = Annotated[str | None, typer.Option("--corpus", metavar="FILE", help="Documents: is a query the text of one?")]
_Qrels = Annotated[
    list[str] | None, typer.Option("--qrels", metavar="QRELS", help="Judgments of the queries; may be repeated.")
]
_TunedOn = Annotated[
    list[str] | None,
    typer.Option("--tuned-on", metavar="FILE", help="Judgments, a run or queries that were tuned on; may be repeated."),
]
_Run = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Measure it on the clean and on the leaked test queries.")
]
_FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="KIND,...", help="End with status 1 if there is a leak of these kinds, or any."),
]
_Near = Annotated[float, typer.Option("--near", help="Texts that share so much of their words are near.")]
_NearGrams = Annotated[
    float, typer.Option("--near-grams", help="The same for pairs of characters: Korean, Chinese, Japanese.")
]
_Verbatim = Annotated[
    float, typer.Option("--verbatim", help="A query that shares so much with a document is its text.")
]
_NearBy = Annotated[
    str,
    typer.Option("--near-by", help="exact, or minhash (needs datasketch; may miss some): how near texts are found."),
]
_Examples = Annotated[int, typer.Option("--examples", min=0, help="How many leaks of each kind are shown.")]
_WriteFamilies = Annotated[
    Path | None,
    typer.Option("--write-families", metavar="FILE", help="Write which queries belong together, for `split`."),
]
_Join = Annotated[
    str | None,
    typer.Option(
        "--join",
        metavar="KIND,...",
        help="What joins them.",
        show_default="family,same-text,near-text,shared-document",
    ),
]


def leakage(
    splits: _Splits,
    test: _Test = None,
    families: _Families = None,
    corpus: _Corpus = None,
    qrels: _Qrels = None,
    tuned_on: _TunedOn = None,
    run: _Run = None,
    measure: MeasureOption = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    confidence: ConfidenceOption = 0.95,
    near: _Near = 0.5,
    near_grams: _NearGrams = 0.6,
    verbatim: _Verbatim = 0.8,
    near_by: _NearBy = "exact",
    fail_on: _FailOn = None,
    write_families: _WriteFamilies = None,
    join: _Join = None,
    examples: _Examples = 3,
    report: ReportOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Audit splits: do they, or what was tuned on, know the test queries? With --fail-on, status 1 if so."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import say, show
    from rankproof.cli.progress import counting
    from rankproof.errors import Fault, InputError
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report
    from rankproof.splits import leakage as audit
    from rankproof.splits.leaks import LINKS, kinds_in
    from rankproof.splits.result import TIDY_LEAKAGE, leakage_rows

    if report is not None:
        check_ending(report)
    kinds_in(fail_on or ())
    kinds_in(join or (), LINKS)
    if join is not None and write_families is None:
        raise InputError(Fault("--join says what joins families", expected="--write-families FILE beside it"))
    named = _named(splits)
    others = {"clusters": families, "corpus": corpus, "run": run}
    single = {role: Source(path) for role, path in others.items() if path is not None}
    judged, tuned = [Source(path) for path in qrels or ()], [Source(path) for path in tuned_on or ()]
    inputs = [("split", source) for source in named.values()]
    inputs += [*(("qrels", one) for one in judged), *(("tuned-on", one) for one in tuned), *single.items()]
    paths = [source.path for _, source in inputs]
    one_stdin(*paths)
    check_outputs(paths, output, report, write_families)
    with counting("comparing") as on_done:
        found = audit(
            named,
            test=test,
            families=single.get("clusters"),
            corpus=single.get("corpus"),
            qrels=judged or None,
            tuned_on=tuned or None,
            run=single.get("run"),
            measures=measure or "nDCG@10",
            contract=contract,
            confidence=confidence,
            near=near,
            near_grams=near_grams,
            verbatim=verbatim,
            near_by=near_by,
            on_done=on_done,
            **read_rules(rule or ()),
        )
    failed = fail_on is not None and found.fails(fail_on)
    made_by = record("leakage", inputs)
    if write_families is not None:
        _write_families(found, write_families, join)
    if report is not None:
        write_report(found, report, made_by=made_by)
        say(f"report written to {report}")
    show(
        format,
        output,
        content=lambda: {**made_by, **found.to_dict()},
        rows=lambda: (TIDY_LEAKAGE, leakage_rows(found)),
        tables=lambda: found.tables(examples=examples),
        notes=found.notes(),
    )
    if failed:
        raise typer.Exit(1)


def _named(given: Sequence[str]) -> dict[str, Source]:
    """Return the file of each split by name. InputError for two of one name."""
    from rankproof.errors import Fault, InputError
    from rankproof.formats import Source

    found: dict[str, Source] = {}
    for one in given:
        name, equals, path = one.partition("=")
        source = Source(path) if equals and not Path(one).exists() else Source(one)
        name = name if source.path != one else source.stem
        if name in found:
            hint = "NAME=FILE names a split"
            raise InputError(Fault(f"two splits are called {name}", one, expected="a name for each", hint=hint))
        found[name] = source
    return found


def _write_families(found: Leakage, path: Path, join: str | None) -> None:
    from rankproof.cli.output import say
    from rankproof.formats.whole import write_whole
    from rankproof.splits.result import group_note
    from rankproof.splits.split import json_line

    groups = found.families() if join is None else found.families(join)
    write_whole(path, "".join(json_line({"_id": query, "family": group}) for query, group in groups.items()))
    say(f"families written to {path}: {group_note(list(groups.values()))}")
