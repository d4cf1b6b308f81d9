"""Which search services are known?"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

PRESETS: Mapping[str, str] = {
    "elasticsearch": "elasticsearch.toml",
    "meilisearch": "meilisearch.toml",
    "opensearch": "elasticsearch.toml",
    "qdrant": "qdrant.toml",
    "qdrant-text": "qdrant-text.toml",
    "solr": "solr.toml",
    "typesense": "typesense.toml",
    "vespa": "vespa.toml",
}
"""The file of each mapping that comes with the package, by name; docs/engines.md says what was looked up for them."""


def preset_text(name: str) -> str:
    """Return the TOML text of a preset."""
    return (files("rankproof.engines") / "presets" / PRESETS[name]).read_text("utf-8")
