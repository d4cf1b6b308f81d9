"""Which pictures of the lab stand in the READMEs? Taken again here: ``python tools/pictures.py``.

Needs playwright, Chromium and an installation with the lab.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import ARGUMENTS, CHROMIUM, PATIENCE  # noqa: E402 - the folder of tests has what runs a browser
from lab_site import lab, served, settled  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
LANGUAGES = {"en": "en-US", "ko": "ko-KR"}
TABS = {"lab": "#/lab?k=3", "closed-corpus": "#/closed-corpus", "contracts": "#/contracts"}
WIDTH, HEIGHT = 1200, 820


def main() -> None:
    """Take each picture in both languages."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not needed to read this file

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright, served(lab()) as host:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        for language, locale in LANGUAGES.items():
            context = browser.new_context(
                locale=locale,
                viewport={"width": WIDTH, "height": HEIGHT},
                color_scheme="light",
                service_workers="block",
            )
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            for name, address in TABS.items():
                page.goto(f"{host.url}{address}")
                settled(page)
                path = FOLDER / f"{name}-{language}.png"
                page.screenshot(path=path)
                print(path.relative_to(ROOT))
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
