"""What is documented: every command, measure, preset and format, in both languages; the structure as it is."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import rankproof as rp
from rankproof.cli.app import app
from rankproof.formats import FORMATS

READMES = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "README.ko.md")}
SOURCE = ROOT / "src" / "rankproof"
DOCS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("tool", ["reference", "presets_page"])
def test_a_generated_page_is_up_to_date(tool: str) -> None:
    """docs/reference.md and docs/presets.md are what `make docs` writes."""
    spec = importlib.util.spec_from_file_location(tool, ROOT / "tools" / f"{tool}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text("utf-8") == getattr(module, tool)(), "run `make docs`"


@pytest.mark.parametrize("name", READMES)
def test_readmes_name_everything(name: str) -> None:
    """Each README names every command, preset, measure and format, and the two commands of a fresh machine."""
    text = READMES[name]
    commands = [str(command.name) for command in app.registered_commands]
    assert [
        command for command in commands if f"rankproof {command}" not in text and f"make {command}" not in text
    ] == []
    assert [preset.name for preset in rp.contracts() if f"`{preset.name}`" not in text] == []
    words = set(re.findall(r"[A-Za-z]+[0-9]*", text))
    assert [measure.symbol for measure in rp.measures() if measure.symbol not in words] == []
    assert [known.name for known in FORMATS if f"`{known.name}`" not in text] == []
    assert "make demo" in text
    assert "make test" in text


def test_readmes_say_the_same() -> None:
    """Both languages have the same headings, lists, tables and, but for comments and prose, the same code."""

    def shape(text: str) -> list[str]:
        return [line[:2] for line in text.splitlines() if line.startswith(("#", "- ", "| "))]

    def code(text: str) -> list[str]:
        blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
        return [line.split("#")[0].rstrip() for block in blocks for line in block.splitlines()]

    english, korean = READMES.values()
    assert shape(english) == shape(korean)
    assert code(english) == code(korean)
    links = re.compile(r"\]\(([^)]+)\)")
    of_english, of_korean = (
        {link for link in links.findall(text) if "README" not in link} for text in (english, korean)
    )
    assert of_english == {link.replace("-ko.png", "-en.png") for link in of_korean}
    assert all((ROOT / link).exists() for link in of_english | of_korean if "://" not in link and link[0] != "#")


def test_readme_code_runs() -> None:
    """The Python of the README runs as it stands."""
    first, second = re.findall(r"```python\n(.*?)```", READMES["README.md"], re.DOTALL)
    known: dict[str, object] = {}
    exec(first, known)  # noqa: S102 - our own text
    known |= {
        "my_search": lambda text, k: ["d1", "d9"][:k] if text else [],
        "retrieved": ["a", "b"],
        "relevant": {"b"},
        "ranking_a": ["a", "b"],
        "ranking_b": ["b", "a"],
    }
    exec(second, known)  # noqa: S102 - our own text


@pytest.mark.parametrize("file", ["README.md", "README.ko.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *DOCS])
def test_links_lead_somewhere(file: str) -> None:
    """Each relative link names a file that is there."""
    text = (ROOT / file).read_text("utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / file).parent / link).is_file(), link


def test_architecture_has_a_section_a_folder() -> None:
    """Each folder with code, tests or documents has its section, with the question it answers."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    folders = [SOURCE, *(path for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__")]
    folders += [ROOT / name for name in ("tests", "tools", "docs")]
    for folder in folders:
        section = text.partition(f"## {folder.relative_to(ROOT).as_posix()}\n")[2].partition("\n## ")[0]
        assert re.search(r"\*[^*]+\?\*", section), folder


def test_architecture_names_every_module_of_the_package_root() -> None:
    """Each module in the root stands there with its question."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    modules = [path.name for path in SOURCE.glob("*.py") if path.name != "__main__.py"]
    assert [name for name in modules if f"`{name}`" not in text] == []


def test_layers_hold() -> None:
    """The direction of imports is that of the layers in pyproject.toml."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "1 kept, 0 broken" in done.stdout


def test_modules_stay_small() -> None:
    """A module stays under about 300 lines."""
    long = {path.name: len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: lines for name, lines in long.items() if lines > 320} == {}


def test_json_names_every_role() -> None:
    """docs/json.md lists the roles of inputs that the schema knows."""
    schema = json.loads((ROOT / "docs" / "result-1.schema.json").read_text("utf-8"))
    roles = schema["properties"]["inputs"]["items"]["properties"]["role"]["enum"]
    assert f"role ({', '.join(roles)})" in (ROOT / "docs" / "json.md").read_text("utf-8")


def test_version_is_one() -> None:
    """The version in pyproject.toml is the package's."""
    assert f'version = "{rp.__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_public_docstrings() -> None:
    """Whatever is exported is documented."""
    for name in rp.__all__:
        found = getattr(rp, name)
        assert isinstance(found, str) or found.__doc__, name
