#!/usr/bin/env python3
"""Do the links of all pages lead somewhere? tests/checks/check-links.py

Follows each relative link of each Markdown page to its file, and to its heading if it names one.
Prints the links that lead nowhere, and exits with 1 if there are any.
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


def main():
    pages = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True,
                           text=True).stdout.split()
    wrong = [w for page in pages for w in wrong_links(page)]
    print("\n".join(wrong) if wrong else f"links: {len(pages)} pages, all lead somewhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
