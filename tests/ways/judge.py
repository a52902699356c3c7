#!/usr/bin/env python3
"""Is the log of a boot as its combination says? judge.py LOG FACTOR=VALUE...

judge() returns a list of everything that is wrong; tests/ways/expected says what is right.
"""
import fnmatch
import re
import sys
from pathlib import Path

from cover import Model

EXPECTED = Path(__file__).with_name("expected")
TAIL = re.compile(r" #\d+:[0-9a-f]{8}$")
FIELD = re.compile(r' ([^ ="]+)=("(?:[^"\\]|\\.)*"|[^ "]*)')
JUDGED = ("warn", "error", "skip", "trap", "timeout")


class Record:
    def __init__(self, line):
        self.line = line
        body = TAIL.sub("", line)
        self.kind = body.split(" ", 1)[0]
        self.value = {k: v[1:-1] if v.startswith('"') else v for k, v in FIELD.findall(body)}


def records(text):
    """Those of the last run in it."""
    found = []
    for line in text.replace("\r", "").split("\n"):
        if not TAIL.search(line):
            continue
        start = line.find("cpl0 schema=")
        if start >= 0:  # the boot loader may have left its cursor in mid-line
            line, found = line[start:], []
        found.append(Record(line))
    return found


class Expectation:
    def __init__(self, line, model):
        what, when, self.reason = (part.strip() for part in re.split(r" :(?= |$)", line, maxsplit=2))
        self.word, *words = what.split()
        self.least = int(words.pop(0)) if words[0].isdigit() else 1
        self.kind, self.text = words[0], what
        self.globs = [w.split("=", 1) for w in words[1:]]
        self.when = [condition(w, model) for w in when.split()]

    def applies(self, row):
        return all((row[f] in values) == wanted for f, wanted, values in self.when)

    def fits(self, record):
        return record.kind == self.kind and all(
            k in record.value and fnmatch.fnmatchcase(record.value[k], g.replace("[", "[[]"))
            for k, g in self.globs)


def condition(word, model):
    """A person may have values that no row has, so values are not checked here."""
    factor, values = word.split("=")
    wanted = not factor.endswith("!")
    factor = factor.rstrip("!")
    if factor not in model.factors:
        sys.exit(f"{EXPECTED}: no factor {factor}")
    return factor, wanted, values.split(",")


def expectations(model, path=EXPECTED):
    lines = Path(path).read_text().splitlines()
    return [Expectation(line, model) for line in lines
            if line.strip() and not line.startswith("#")]


def size_of_screen(row, record):
    """Characters are 6 by 12 dots, and a dot is 1 to 4 pixels wide and high."""
    sizes = {"1024x768": (1024, 768), "4k": (3840, 2160), "high": (3840, 2160)}
    if record.value.get("screen") != "framebuffer" or row["screen"] not in sizes:
        return True
    width, height = sizes[row["screen"]]
    have = int(record.value["columns"]), int(record.value["rows"])
    return any(have == (min(width // (6 * n), 320), min(height // (12 * n), 160))
               for n in range(1, 5))


def judge(row, found, rules):
    """Everything that is wrong with these records of a run."""
    if not found or found[-1].kind != "done":
        return ["the log does not end with `done`"]
    rules = [e for e in rules if e.applies(row)]
    wrong = []
    for e in rules:
        n = sum(e.fits(r) for r in found)
        if (e.word == "must" and n < e.least) or (e.word == "never" and n):
            wrong.append(f"expected: {e.text}" + (f", found {n}" if n else ""))
    wrong += [f"not expected: {r.line}" for r in found
              if r.kind in JUDGED and not any(e.fits(r) for e in rules if e.word != "never")]
    fails = any(e.word == "must" and e.kind in ("error", "trap", "timeout") for e in rules)
    if found[-1].value.get("status") != ("fail" if fails else "ok"):
        wrong.append(f"expected: status={'fail' if fails else 'ok'}: {found[-1].line}")
    wrong += [f"not {row['screen']}: {r.line}" for r in found
              if r.kind == "console" and not size_of_screen(row, r)]
    return wrong


def main():
    model = Model()
    row = dict(w.split("=", 1) for w in sys.argv[2:])
    text = Path(sys.argv[1]).read_text(errors="replace")
    wrong = judge(row, records(text), expectations(model))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
