"""Which contracts are this package's own?"""

from __future__ import annotations

from dataclasses import replace

from rankproof.contract import Contract
from rankproof.presets.preset import Deviation, Preset

FORMULAS_DATE = "2026-08-30"
"""When the formulas of rag-ranking-metrics-v2 were published."""

HOUSE = Contract()

OWN = (
    Preset(
        HOUSE,
        "1",
        "this package: the formulas of trec_eval 10 with its faults mended",
        "by hand, by laws over all measures, and against the presets of other tools",
    ),
    Preset(
        replace(
            HOUSE,
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
        replace(HOUSE, name="closed-corpus", gain="exponential", ties="document-id-ascending"),
        "1",
        "a closed corpus with exact search: every document is a candidate, an unjudged one has grade 0",
        "a case of three queries, by hand",
    ),
    Preset(
        replace(
            HOUSE,
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
        replace(HOUSE, name="teaching", gain="exponential", ties="document-id-ascending"),
        "1",
        "for teaching P@k, R@k, RR@k and nDCG@k over graded labels",
        "by hand",
    ),
)
