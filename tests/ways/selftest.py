#!/usr/bin/env python3
"""Does the covering array find what it is for? selftest.py BUILD

Prints a line a test and `N passed, N failed, 0 skipped`. Takes a few seconds and boots nothing.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import cover
import judge
import screen
import ways

HERE = Path(__file__).parent
MODEL = cover.Model()
RULES = judge.expectations(MODEL)
ROW = {"medium": "kernel", "firmware": "seabios", "width": "64", "cpus": "1", "memory": "64",
       "console": "com1", "screen": "text", "save": "default", "run": "code", "machine": "pc",
       "emulator": "qemu"}
GOOD = """\
cpl0 schema=1 version=x bits=64 #0:00000000
console serial=16550a bus=port screen=text columns=80 rows=25 #1:00000000
boot protocol=multiboot1 loader=qemu firmware=bios #2:00000000
save to=none why="this medium has no CPL0.LOG" #3:00000000
memory source=mmap arena_kb=1024 #4:00000000
pmu pmu=none reason=none #5:00000000
result bench=code tsc=3 #6:00000000
done status=ok records=8 #7:00000000
"""


def wrong(text, **changes):
    return judge.judge({**ROW, **changes}, judge.records(text), RULES)


def good_log():
    assert not wrong(GOOD), wrong(GOOD)


def missing_result():
    assert any("result bench=code" in w for w in wrong(GOOD.replace("result ", "chatter ")))


def unexpected_words():
    for kind in ("warn", "error", "skip", "trap", "timeout"):
        line = f"{kind} what=unheard why=of #6:00000000\nresult"
        assert wrong(GOOD.replace("result", line, 1)), kind


def status():
    assert wrong(GOOD.replace("status=ok", "status=fail"))
    assert wrong(GOOD.replace("done", "undone"))


def expected_failure():
    """A run that cannot be done ends with the error that is expected, and status=fail."""
    text = GOOD.replace("result", 'error what=trace why="no counter counts" #6:00000000\nresult')
    assert wrong(text, run="trace")
    assert not wrong(text.replace("status=ok", "status=fail"), run="trace")


def other_machine():
    for change in ({"width": "32"}, {"screen": "none"}, {"console": "debug"}, {"cpus": "2",
                   "run": "litmus"}, {"firmware": "ovmf"}, {"medium": "xhci"}):
        assert wrong(GOOD, **change), change


def broken_log():
    """cpl0-log must refuse a log with a changed, a lost and a doubled byte or line."""
    log = (HERE.parent / "data/sample.log").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(log)
        assert not ways.intact(sys.argv[1], path), "the sample"
        lines = log.split(b"\n")
        for bad in (log.replace(b"multiboot1", b"multiboot2"), log[:len(log) // 2],
                    b"\n".join(lines[:1] + lines[2:]), b"\n".join(lines[:2] + lines[1:])):
            path.write_bytes(bad)
            assert ways.intact(sys.argv[1], path)


def array():
    return [cover.line_of(n, row) for n, row in enumerate(cover.cover(MODEL, 1), 1)]


def coverage():
    lines = array()
    found, said = cover.check(MODEL, "\n".join(lines))
    assert not found and " 100 %" in said, said
    for n in (0, len(lines) // 2, len(lines) - 1):
        fewer = lines[:n] + lines[n + 1:]
        if cover.check(MODEL, "\n".join(fewer))[0]:
            return
    raise AssertionError("no row is needed")


def forbidden_row():
    line = array()[0].split()
    line = [w if not w.startswith("memory=") else "memory=8" for w in line]
    line = [w if not w.startswith("cpus=") else "cpus=64" for w in line]
    assert any("breaks the rule" in w for w in cover.check(MODEL, " ".join(line))[0])


def infeasible():
    """What solve() calls infeasible is excluded by rules that exclude it no more when they go."""
    pair = (("medium", "floppy"), ("width", "64"))
    assert cover.solve(MODEL, dict(pair)) is None
    blamed = cover.why(MODEL, pair)
    left = [c for c in MODEL.clauses if c[0] not in blamed]
    assert blamed and cover.solve(MODEL, dict(pair), left)


def every_value():
    """A value that no boot can have is a mistake in the rules."""
    for factor, values in MODEL.factors.items():
        for value in values:
            assert cover.solve(MODEL, {factor: value}), f"{factor}={value} is in no row"


def same_everywhere():
    made = {subprocess.run([sys.executable, "-B", HERE / "cover.py", "make", "3"], text=True,
                           capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
            for seed in ("0", "1")}
    assert len(made) == 1


def document():
    text = (HERE / "README.md").read_text()
    assert "\n".join(cover.doc(MODEL)) in text, "README.md has other rules: cover.py doc"
    assert len(MODEL.rules) <= 60, "more rules than a page"


def reading():
    """Letters that are drawn with the kernel's font, two pixels a dot, are read."""
    glyphs = {c: rows for rows, c in screen.font().items()}
    width, height, scale, text = 240, 48, 2, "done, status ok"
    pixels = [[0] * width for _ in range(height)]
    for n, c in enumerate(text):
        for y, dots in enumerate(glyphs[c]):
            for x in range(5):
                if dots >> (4 - x) & 1:
                    for i in range(scale * scale):
                        pixels[(2 + y) * scale + i // scale][(6 * n + x) * scale + i % scale] = 216
    flat = bytes(b for row in pixels for p in row for b in (p, p, p))
    rows = screen.picture_rows(b"P6\n%d %d\n255\n" % (width, height) + flat)
    assert rows[0] == text, rows


def main():
    failed = 0
    tests = [good_log, missing_result, unexpected_words, status, expected_failure, other_machine,
             broken_log, coverage, forbidden_row, infeasible, every_value, same_everywhere,
             document, reading]
    for test in tests:
        try:
            test()
            print(f"pass {test.__name__}")
        except Exception as e:  # each test is told of, whatever went wrong
            failed += 1
            print(f"FAIL {test.__name__}: {e!r}")
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
