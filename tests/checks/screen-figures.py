#!/usr/bin/env python3
"""The screen has the figures of `cpl0-log show`: each result's clocks, nanoseconds and GB/s.

    screen-figures.py BUILD

Simulated machines draw their results on a framebuffer; the characters are read from its picture.
Prints a line for each figure that differs, and `N passed, N failed`.
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ways"))
import screen  # noqa: E402

RUNS = (
    ("p5", "32", "640x800", ["bench=p5.*,fp.*"]),
    ("skylake", "64", "1280x1000", ["bench=bandwidth.read*,instr.*.imul_r32_r32,alu.*"]),
    ("p3", "32", "640x1000", ["bench=alu.*", "mode=total", "events=instructions"]),
)


def shown(build, log):
    """Benchmark -> clocks, ns and GB/s of `show`, without what it does not know."""
    # Latency and throughput apart: together they stand in one row.
    text = "".join(subprocess.run([f"{build}/cpl0-log", "show", log, part], check=True,
                                  capture_output=True, text=True).stdout
                   for part in ("[!i]*", "instr.lat.*", "instr.tp.*"))
    rows, titles = {}, []
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["All", "figures"]:
            titles = []
        if words[:2] == ["benchmark", "clocks"]:
            titles = words
        elif titles and "." in line[:40] and len(words) > 4:
            rows[words[0]] = read_row(words, "GB/s" in titles)
    return rows


def read_row(words, bytes_too):
    marks = [w for w in words[4:5] if w.isalpha()]
    rest = words[4 + len(marks):]
    return words[1:3] + (rest[3:4] if bytes_too and rest[3] != "-" else [])


def figures_drawn(lines):
    """Benchmark -> clocks, ns and GB/s; a name may stand in the row above its figures."""
    rows, bench = {}, None
    for word in " ".join(line for line in lines if not line.startswith("    ")).split():
        if word[0].isalpha() and "." in word:
            bench = word
            rows[bench] = []
        elif bench and (word[0].isdigit() or word[0] in "<-") and not word.endswith("%"):
            rows[bench].append(word)
        else:
            bench = None
    return rows


def drawn(build, name, model, bits, size, arguments):
    ppm, log = f"{build}/screen/{name}.ppm", f"{build}/screen/{name}.log"
    subprocess.run([f"{build}/cpl0-sim", "--cpu", model, "--screen", size, "--screenshot", ppm,
                    "--log", log, f"{build}/{bits}/cpl0.elf", *arguments, "exit=debug"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    table = screen.picture_rows(Path(ppm).read_bytes())[5:]
    return figures_drawn(table), shown(build, log)


def main():
    build, passed, failed = sys.argv[1], 0, 0
    Path(f"{build}/screen").mkdir(parents=True, exist_ok=True)
    for run in RUNS:
        on_screen, in_table = drawn(build, f"figures-{run[0]}", *run)
        for bench, figures in in_table.items():
            if on_screen.get(bench) == figures:
                passed += 1
            else:
                failed += 1
                print(f"{run[0]} {bench}: screen {on_screen.get(bench)}, show {figures}")
        if len(in_table) < 7:
            failed += 1
            print(f"{run[0]}: show has {len(in_table)} results alone")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
