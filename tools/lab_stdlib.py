"""Which modules of the standard library does the page need, and what are they, compiled? Run by lab_stdlib.mjs.

It runs inside Pyodide: what it compiles is for Pyodide's Python.
"""

import ast
import importlib
import importlib.util
import io
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]  # only Python itself has it
from pathlib import Path
from types import ModuleType

ENGINE, STDLIB, MADE = Path("/engine"), Path("/stdlib.zip"), Path("/made")
PACKAGE, INNER = "rankproof", "modules.zip"
FIRST = f"{PACKAGE}.lab.api"

BY_NAME = (
    *("_pyodide", "pyodide", "pyodide.ffi", "zipfile", "traceback", "linecache", "_strptime"),
    *("importlib.readers", "importlib.resources._adapters"),
    *(f"encodings.{name}" for name in ("ascii", "cp949", "cp1252", "euc_kr", "latin_1", "utf_16", "utf_8_sig")),
    *("encodings.utf_16_le", "encodings.utf_16_be", "encodings.utf_32", "encodings.raw_unicode_escape"),
)
"""What Pyodide, our worker, or the standard library itself imports late or by its name, and our files do not spell."""

TOLD = ("_pyodide/", "pyodide/")
"""Of these the docstrings are read when Pyodide starts; of the others of the standard library nobody asks for them."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def imported(source: str) -> Iterator[tuple[str, str]]:
    """Yield a module and a name in it, or none, for each import from outside the package, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def load_everything() -> None:
    """Import what the page may ever import; packages that are not in the standard library are left alone."""
    sources = {path: path.read_text("utf-8") for path in sorted(ENGINE.rglob("*.py"))}
    named = {one for source in sources.values() for one in imported(source) if one[0].partition(".")[0] != PACKAGE}
    ours = [".".join(path.relative_to(ENGINE).with_suffix("").parts).removesuffix(".__init__") for path in sources]
    for module, name in [*sorted(named), *((module, "") for module in (*BY_NAME, *ours))]:
        with suppress(ImportError):
            found = importlib.import_module(module)
            if name and getattr(found, name, None) is None:  # asking loads what is loaded late
                importlib.import_module(f"{module}.{name}")
    importlib.import_module(FIRST)


def standard_library() -> None:
    """Write the modules of the standard library that are loaded by now, compiled, and what belongs to them."""
    source = zipfile.ZipFile(STDLIB)
    loaded = {file.partition(".zip/")[2] for file in map(_file, list(sys.modules.values())) if ".zip/" in file}
    parents = {f"{folder}/__init__.py" for name in loaded for folder in map(str, Path(name).parents)}
    wanted = sorted((loaded | parents) & set(source.namelist()))
    place = next(entry for entry in sys.path if entry.endswith(".zip"))
    compiled = {
        f"{name}c": _compiled(source.read(name), f"{place}/{name}", checked=False, told=name.startswith(TOLD))
        for name in wanted
    }
    _write(MADE / "python_stdlib.zip", compiled)


def package() -> None:
    """Write rankproof's modules, compiled, each with the hash of the source that it holds for."""
    compiled = {}
    for path in sorted(ENGINE.rglob("*.py")):
        beside = Path(importlib.util.cache_from_source(str(path))).relative_to(ENGINE)
        compiled[str(beside)] = _compiled(path.read_bytes(), str(path), checked=True, told=True)
    _write(MADE / "compiled.zip", compiled)


def _file(module: ModuleType) -> str:
    """Return the file that a module was read from; none for what is frozen into the interpreter, whatever it says."""
    is_frozen = module.__spec__ is not None and module.__spec__.origin == "frozen"
    return "" if is_frozen else getattr(module, "__file__", None) or ""


def _compiled(source: bytes, name: str, *, checked: bool, told: bool) -> bytes:
    """Return a module compiled: checked against its source when it is loaded or not, with its docstrings or without."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0 if told else 2)
    found: bytes = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), checked))
    return found


def _write(path: Path, files: dict[str, bytes]) -> None:
    """Write a zip of one file, which is a zip of all: packed as one they take less, for they are alike."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(_zip({INNER: _zip(files, zipfile.ZIP_STORED)}, zipfile.ZIP_DEFLATED))


def _zip(files: dict[str, bytes], method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = method
            archive.writestr(entry, files[name], compresslevel=9)
    return packed.getvalue()


with zipfile.ZipFile("/engine.zip") as outer, outer.open(INNER) as inner:
    zipfile.ZipFile(inner).extractall(ENGINE)
sys.dont_write_bytecode = True
sys.path.insert(0, str(ENGINE))
load_everything()
standard_library()
package()
