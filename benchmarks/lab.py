"""What does the lab cost: the first number, beside Pyodide as it comes, bytes over the wire, and 5 MB beside native?

Usage: ``python benchmarks/lab.py`` (needs playwright, Chromium, an installation with the lab, and ``npm ci``; about two
minutes). The sides of a ratio are run in turns, each in a fresh browser context; medians count. It ends with status 1
where a limit is not kept.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import ARGUMENTS, CHROMIUM, PATIENCE  # noqa: E402 - the folder of tests has what runs a browser
from lab_site import Host, lab, served, settled, zipped  # noqa: E402

from rankproof.lab.api import call  # noqa: E402
from rankproof.lab.engine import INNER  # noqa: E402
from rankproof.lab.site import Site  # noqa: E402

ROUNDS = 5
MOST_FIRST, MOST_LATER, MOST_RATIO, MOST_BESIDE_NATIVE = 7_000_000, 50_000, 0.6, 3.0
SHOWN = """() => [...document.querySelectorAll('.answer td')].some((one) => /\\d/.test(one.textContent))"""


def with_stock(site: Site, *, modules: bool) -> Site:
    """Return a site with the standard library as npm has it, and rankproof's own modules compiled beforehand or not."""
    stock = (ROOT / "node_modules" / "pyodide" / "python_stdlib.zip").read_bytes()
    files = {**site.files, "vendor/python_stdlib.zip": zipped({INNER: stock})}
    if not modules:
        files["vendor/compiled.zip"] = zipped({INNER: zipped({})})
    return replace(site, files=files)


def first_number(browser: Any, host: Host, context: Any = None) -> float:
    """Return the seconds from opening the lab until it shows a number of its sample."""
    own = context or browser.new_context(service_workers="block")
    own.set_default_timeout(PATIENCE)
    page = own.new_page()
    start = time.perf_counter()
    page.goto(f"{host.url}#/lab?k=3")
    page.wait_for_function(SHOWN)
    seconds = time.perf_counter() - start
    page.close()
    if context is None:
        own.close()
    return seconds


def wire(browser: Any, site: Site) -> tuple[int, int]:
    """Return the bytes of a first and of a later visit to the whole page, until it has kept itself for offline use."""
    with served(site) as host:
        context = browser.new_context(service_workers="allow")
        context.set_default_timeout(PATIENCE)
        sizes = []
        for _ in range(2):
            host.sent = 0
            page = context.new_page()
            page.goto(f"{host.url}")
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            page.evaluate("import('./vendor/vega.mjs').then(() => true)")
            page.wait_for_timeout(3_000)
            sizes.append(host.sent)
            page.close()
        context.close()
    return sizes[0], sizes[1]


def five_megabytes() -> str:
    """Return a lab file of almost 5 MiB: about 1,150 queries with 50 documents before and after."""
    draw, queries, size = random.Random(3), [], 2  # noqa: S311 - data, no secrets
    while True:
        docs = [f"doc-{draw.randrange(10**6)}" for _ in range(50)]
        before = [{"id": one, "hasEvidence": draw.random() < 0.5} for one in docs]
        after = draw.sample(before, 50)
        relevant = [{"id": one, "grade": draw.randint(1, 3)} for one in draw.sample(docs, 4)]
        query = {"queryId": f"q-{len(queries)}", "relevant": relevant, "before": before, "after": after}
        size += len(json.dumps(query)) + 2
        if size > 5 * 2**20:
            return json.dumps(queries)
        queries.append(query)


DROP_AND_WAIT = """async (text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'large.json'));
    const start = performance.now();
    document.querySelector('#given-text').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    while (![...document.querySelectorAll('.turning')].some((one) => one.textContent.includes('2,'))) {
        await new Promise((done) => requestAnimationFrame(done));
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); // painted
    return (performance.now() - start) / 1000;
}"""


def beside_native(browser: Any, site: Site) -> tuple[float, float]:
    """Return the seconds from dropping 5 MB on the page to a painted table, and of the same call here: medians."""
    given, here, there = five_megabytes(), [], []
    with served(site) as host:
        page = browser.new_context(service_workers="block").new_page()
        page.set_default_timeout(PATIENCE)
        for turn in range(3):
            text = given + turn * " "  # what was read last is remembered
            typed = json.dumps({"text": {"name": "large.json", "text": text}, "k": 3, "statistics": False})
            page.goto("about:blank")  # nothing is left of the last turn
            page.goto(f"{host.url}#/lab?k=3")
            settled(page)
            there.append(page.evaluate(DROP_AND_WAIT, text))
            here.append(seconds(partial(call, "lab", typed)))
    return statistics.median(there), statistics.median(here)


def seconds(run: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> int:
    """Print what was measured; return 0 where all limits are kept."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not needed to read this file

    site = lab()
    sides = {
        "as shipped": site,
        "stock standard library": with_stock(site, modules=True),
        "stock, nothing compiled": with_stock(site, modules=False),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        times: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, side in sides.items():
                with served(side) as host:
                    times[name].append(first_number(browser, host))
        first, later = wire(browser, site)
        there, here = beside_native(browser, site)
        browser.close()
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, found in times.items():
        print(f"first number, {name}: {medians[name]:.2f} s ({min(found):.2f} to {max(found):.2f})")
    ratio = medians["as shipped"] / medians["stock standard library"]
    print(f"ratio to the stock standard library: {ratio:.2f}, limit {MOST_RATIO}")
    print(f"over the wire: {first / 1e6:.2f} MB, limit {MOST_FIRST / 1e6:.0f}; then {later / 1e3:.1f} KB, limit 50")
    beside = there / here
    print(f"5 MB: {there:.2f} s to a painted table, {here:.2f} s here: {beside:.2f}, limit {MOST_BESIDE_NATIVE}")
    kept = ratio <= MOST_RATIO and first <= MOST_FIRST and later <= MOST_LATER and beside <= MOST_BESIDE_NATIVE
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
