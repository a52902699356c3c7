#!/usr/bin/env python3
"""Do the links of all pages lead somewhere, and are their tables whole? tests/checks/check-links.py

Follows each relative link of each Markdown page to its file, and to its heading if it names one.
Counts the cells of each table's rows, because a row that was folded like a paragraph has too many
or too few. Prints what is wrong, and exits with 1 if anything is.
"""
import os
import re
import subprocess
import sys


def anchors(page):
    """The names that headings of a page get on the forge: small letters, blanks become dashes."""
    headings = re.findall(r"^#+ (.*)", open(page, encoding="utf-8").read(), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def wrong_links(page):
    text = open(page, encoding="utf-8").read()
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, heading = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(target):
            yield f"{page}: {link}: there is no {target}"
        elif heading and target.endswith(".md") and heading not in anchors(target):
            yield f"{page}: {link}: {target} has no such heading"


def wrong_tables(page):
    """Rows that have not as many cells as the row above them. Code stands between ``` or indented."""
    cells, code = 0, False
    for n, line in enumerate(open(page, encoding="utf-8"), 1):
        code ^= line.startswith("```")
        row = line.startswith("|") and not code
        now = len(re.findall(r"(?<!\\)\|", line)) if row else 0
        if row and (cells not in (0, now) or not line.endswith("|\n")):
            yield f"{page}:{n}: the row has {now - 1} cells, and the row above it {cells - 1}"
        cells = now


def main():
    pages = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True,
                           text=True).stdout.split()
    wrong = [w for page in pages for check in (wrong_links, wrong_tables) for w in check(page)]
    print("\n".join(wrong) if wrong else f"links: {len(pages)} pages, all lead somewhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
