"""Which function does `module:function` name, and in which file does it stand?"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from rankproof.errors import Fault, InputError

_EXPECTED = "module:function, the module beside the file that names it, or installed"


def function_of(given: str, folder: Path = Path()) -> Any:
    """Return the function that `module:function` names; a name without a colon, of a model, as it is.

    A module that lies in the folder is loaded from there each time, so that another folder's, or yesterday's text of
    it, does not stand for it. InputError where there is none, or loading it fails, whatever it raises.
    """
    module, mark, name = given.partition(":")
    if not mark:
        return given
    try:
        with _beside(folder):
            found: Any = _loaded(module, folder)
            for part in name.split("."):
                found = getattr(found, part)
    except Exception as error:  # what a module raises while it loads is its own
        message = f"{given} cannot be loaded: {type(error).__name__}: {error}"
        raise InputError(Fault(message, expected=_EXPECTED)) from error
    if not callable(found):
        raise InputError(Fault(f"{given} is no function", expected=_EXPECTED))
    return found


def source_of(given: str, folder: Path, hash_of: Callable[[Path], str]) -> str | None:
    """Return the hash of the file that holds the function; None for a model's name, and where there is no such file."""
    file = file_of(given, folder)
    return None if file is None else hash_of(file)


def file_of(given: str, folder: Path) -> Path | None:
    """Return the file that holds the function; None for a model's name, and where there is no such file."""
    module, mark, _ = given.partition(":")
    if not mark:
        return None
    if (own := _own_file(module, folder)) is not None:
        return own
    try:
        with _beside(folder):
            spec = find_spec(module)
    except (ImportError, ValueError, TypeError):  # loading it will say so
        return None
    origin = Path(spec.origin) if spec is not None and spec.origin is not None else None
    return origin if origin is not None and origin.is_file() else None


def _loaded(module: str, folder: Path) -> ModuleType:
    own = _own_file(module, folder)
    if own is None:
        return import_module(module)
    name = f"_rankproof_{hashlib.sha256(str(own.resolve()).encode()).hexdigest()[:12]}_{module}"
    spec = spec_from_file_location(name, own, loader=_AsItIs(name, str(own)))
    if spec is None or spec.loader is None:
        raise ImportError(f"{own} is no module")
    found = sys.modules[name] = module_from_spec(spec)  # dataclasses, for one, look their module up there
    try:
        spec.loader.exec_module(found)
    except BaseException:
        del sys.modules[name]
        raise
    return found


class _AsItIs(SourceFileLoader):
    """Loads a module's text itself: bytecode that was kept may be that of another text of the same second."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the loader's signature
        """Return what the text says."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _own_file(module: str, folder: Path) -> Path | None:
    """Return the file of a module that lies in the folder itself, not in a package there."""
    own = folder / f"{module}.py"
    return own if module.isidentifier() and own.is_file() else None


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Let modules that lie in a folder be found."""
    place = str(folder.resolve())
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)
