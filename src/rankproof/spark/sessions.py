"""Where does Spark run? In the session that is there, at the place that is named, or here."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from rankproof.errors import Fault, InputError, MissingPackageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HINT = 'pip install "rankproof[spark]"'

BATCH = 100_000
"""So many rows, some megabytes of them, go to a worker at once."""

_ROWS_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"

LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""How a session on this machine is set up: nothing listens beyond it."""


def session(url: str | None = None) -> SparkSession:
    """Return the session at a URL: `sc://host:15002` by Spark Connect, else a master, such as `local[2]`.

    Without one: the session that is active, what spark-submit or SPARK_REMOTE says, or all cores of this machine.
    MissingPackageError without pyspark, or without Java where Spark is to run here; InputError where none can be had.
    """
    try:
        from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra, loaded where Spark is asked for
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError as error:
        raise MissingPackageError(Fault("Spark needs the package pyspark", hint=HINT)) from error
    remote = url or os.environ.get("SPARK_REMOTE") or ""
    try:
        if remote.startswith("sc://"):
            return SparkSession.builder.remote(remote).getOrCreate()
        if url is None and ("PYSPARK_GATEWAY_PORT" in os.environ or SparkSession.getActiveSession() is not None):
            return SparkSession.builder.getOrCreate()
        _check_java()
        return _here(SparkSession.builder, url or "local[*]")
    except (PySparkException, RuntimeError, OSError) as error:
        hint = "--spark says where it runs: sc://host:15002, local[2], spark://host:7077"
        raise InputError(Fault(f"no Spark session: {first_line(error)}", hint=hint)) from error


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what Spark refuses into one line: InputError, or MissingPackageError for what its workers lack."""
    try:
        from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with pyspark
        from pyspark.errors import PySparkException  # noqa: PLC0415
    except ImportError as error:
        raise MissingPackageError(Fault("Spark needs the package pyspark", hint=HINT)) from error
    try:
        with warnings.catch_warnings():
            # Nothing here asks Spark for pandas, of whose newest versions it warns.
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            yield
    except (PySparkException, Py4JError) as error:
        if lacking := re.search(r"ModuleNotFoundError: No module named '(\w+)", str(error)):
            message = f"the workers of Spark lack the package {lacking[1]}"
            hint = 'install "rankproof[spark]" where they run, or ship it: docs/spark.md'
            raise MissingPackageError(Fault(message, hint=hint)) from error
        raise InputError(Fault(f"Spark fails: {first_line(error)}")) from error


_LARGE_IN: dict[int, tuple[int, str | None]] = {}
"""The sessions in which batches are large: by how many threads that is wanted, and what was set before."""

_LOCK = Lock()


@contextmanager
def large_batches(session: SparkSession) -> Iterator[None]:
    """Let workers get at least BATCH rows at once, which costs up to half as much; afterwards all is as it was."""
    with _LOCK:
        threads, before = _LARGE_IN.get(id(session)) or (0, session.conf.get(_ROWS_AT_ONCE, None))
        if not threads and (before is None or 0 < int(before) < BATCH):
            _set(session, str(BATCH))
        _LARGE_IN[id(session)] = (threads + 1, before)
    try:
        yield
    finally:
        with _LOCK:
            threads, before = _LARGE_IN.pop(id(session))
            if threads > 1:
                _LARGE_IN[id(session)] = (threads - 1, before)
            else:
                _set(session, before)


def _set(session: SparkSession, rows: str | None) -> None:
    """Set how many rows a worker gets at once, where that may be set: without it all is slower, and the same."""
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    with suppress(PySparkException):
        if rows is None:
            session.conf.unset(_ROWS_AT_ONCE)
        else:
            session.conf.set(_ROWS_AT_ONCE, rows)


def _here(builder: SparkSession.Builder, master: str) -> SparkSession:
    """Return a session with this master; on this machine alone, nothing else can reach it."""
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers have what we have
        for name, value in LOCAL.items():
            builder = builder.config(name, value)
        builder = builder.config("spark.driver.memory", os.environ.get("SPARK_DRIVER_MEMORY", "4g"))
    return builder.master(master).appName("rankproof").getOrCreate()


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and (Path(home) / "bin" / "java").exists()):
        hint = "apt install default-jre-headless, or sc://host:15002 for a Spark elsewhere"
        raise MissingPackageError(Fault("Spark needs Java 17 or newer, and there is no java here", hint=hint))


def first_line(error: BaseException) -> str:
    """Return what an error of Spark says, without the stacks behind it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if lines[1:] and lines[0].startswith("An error occurred while calling"):  # that is the bridge to Java
        return lines[1].removeprefix(": ")
    return lines[0] if lines else type(error).__name__
