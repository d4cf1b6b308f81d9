"""`rankproof fuse`: one run of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rankproof.cli.options import ContractOption, RuleOption

_Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Two or more rankings of the same queries.")]
_Output = Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run to write, as TREC; - is stdout.")]
_Method = Annotated[str, typer.Option("--method", help="rrf, comb-sum or comb-mnz.")]
_Weight = Annotated[
    list[float] | None, typer.Option("--weight", help="A weight for each run, in their order; may be repeated.")
]


def fuse(
    runs: _Runs,
    output: _Output,
    method: _Method = "rrf",
    k: Annotated[int, typer.Option("-k", min=1, help="As many documents a query.")] = 1000,
    name: Annotated[str | None, typer.Option("--name", help="The run's tag; the method by default.")] = None,
    weight: _Weight = None,
    rrf_k: Annotated[float | None, typer.Option("--rrf-k", help="rrf: what is added to each rank (60).")] = None,
    normalize: Annotated[
        str | None, typer.Option("--normalize", help="comb-sum, comb-mnz: min-max (default) or z-score.")
    ] = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
) -> None:
    """Make one run of several: by ranks (RRF), or by scores brought to one scale (CombSUM, CombMNZ).

    The contract says how a run ranks its documents.
    """
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.runs import place_of, tag_of, write
    from rankproof.formats import Source, as_runs
    from rankproof.presets import contract as contract_of
    from rankproof.presets import read_rules
    from rankproof.retrieve.fuse import Fusion
    from rankproof.systems import cut

    one_stdin(*runs)
    place = place_of(output)
    check_outputs(runs, place)
    given = contract_of(contract, **read_rules(rule or ()))
    fusion = Fusion.asked(method, normalize, rrf_k)
    ranked, _ = as_runs([Source(run) for run in runs], given)
    found, notes = cut(fusion.amounts(ranked, given).fused(weight, tag_of(name, method)), k)
    write(found, place, *notes)
