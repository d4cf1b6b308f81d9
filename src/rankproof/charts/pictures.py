"""How does a chart get into a file of its own?"""

from __future__ import annotations

from typing import Literal

from rankproof.charts.spec import Chart
from rankproof.errors import Fault, InputError, MissingPackageError

SCALE = 2
"""Pixels of a PNG for each unit of the chart, so that it stays sharp in print."""


def picture(chart: Chart, kind: Literal["png", "svg"], *, korean: bool = False) -> bytes:
    """Return a chart as PNG or SVG on white. MissingPackageError without vl-convert, InputError for another kind."""
    if kind not in ("png", "svg"):
        raise InputError(Fault(f"{kind!r} is no kind of picture", expected="png or svg"))
    try:
        import vl_convert  # noqa: PLC0415 - an extra, loaded only when a picture is drawn
    except ImportError:
        message = f"drawing a {kind.upper()} needs the package vl-convert-python"
        raise MissingPackageError(Fault(message, hint='pip install "rankproof[charts]"')) from None
    spec = {**(chart.in_korean() if korean else chart.spec), "background": "white"}
    if kind == "png":
        return vl_convert.vegalite_to_png(spec, scale=SCALE, allowed_base_urls=[])
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode()
