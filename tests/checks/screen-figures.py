#!/usr/bin/env python3
"""The screen has the figures of `cpl0-log show`: each result's clocks, nanoseconds and GB/s.
The table that the kernel writes behind its records has the rates of the readers.

    screen-figures.py BUILD

Simulated machines draw their results on a framebuffer; the characters are read from its picture.
Prints a line for each figure that differs, and `N passed, N failed`.
"""
import contextlib
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ways"))
import screen  # noqa: E402

RUNS = (
    ("p5", "32", "640x800", ["bench=p5.*,fp.*,latency.?k,latency.memory,alu.*,"
                             "bandwidth.read_dword.memory"]),
    ("skylake", "64", "1280x1000",
     ["bench=bandwidth.read_sse*,bandwidth.*.l1,instr.*.imul_r32_*,alu.*"]),
    ("p3", "32", "640x1000", ["bench=alu.*", "mode=total", "events=instructions"]),
    ("zen4", "64", "1280x1000", ["bench=alu.*,latency.4k", "events=instructions,branches,cycles"]),
    ("zen4", "64", "480x1000", ["bench=alu.*,bandwidth.read_sse.l1", "events=instructions,cycles"]),
)


def shown(build, log, events):
    """Benchmark -> title -> figure of `show`, those that the screen should have."""
    # Latency and throughput apart: together they stand in one row.
    text = "".join(subprocess.run([f"{build}/cpl0-log", "show", log, part], check=True,
                                  capture_output=True, text=True).stdout
                   for part in ("[!i]*", "instr.lat.*", "instr.tp.*"))
    rows, titles, names, heading = {}, [], {}, ""
    for line in text.splitlines():
        words = line.split()
        if line.startswith("  ["):
            names[words[0]] = words[1]
        if line.startswith("  always 0:"):
            names.update((w, w) for w in re.sub(r"(\S+) \(\S+?\)", r"\1", line).split()[2:])
        if words[:2] == ["All", "figures"]:
            titles = []
        if words[:2] == ["benchmark", "clocks"]:
            titles, heading = words, line
        elif titles and "." in line[:40] and len(words) > 4:
            rows[words[0]] = read_row(words, "GB/s" in titles, events)
            if events:
                rows[words[0]].update(read_counts(heading, line))
    return rows if not events else \
        {b: {names.get(t, t): f for t, f in zeros(names, row).items()} for b, row in rows.items()}


def summary_shown(build, log):
    """The lines of `show` that the head of the screen has as well."""
    text = subprocess.run([f"{build}/cpl0-log", "show", log], check=True, capture_output=True,
                          text=True).stdout
    return re.findall(r"^  ((?:load latency|memory, GB/s|latency/throughput).*)", text, re.M)


def read_counts(heading, line):
    """The counts of a row, by the number that ends where they end."""
    ends = {m.end(): m[0] for m in re.finditer(r"\[\d+\]", heading)}
    return {ends[m.end()]: m[0] for m in re.finditer(r"\S+", line) if m.end() in ends}


def zeros(names, row):
    """Of an event that never counted `show` has no column."""
    return {**{t: "0.00" for t, name in names.items() if t == name}, **row}


def read_row(words, bytes_too, events):
    marks = [w for w in words[4:5] if w.isalpha()]
    rest = words[4 + len(marks):]
    row = {"clocks": words[1], "ns": words[2]}
    if bytes_too and rest[3] != "-":
        row["GB/s"] = rest[3]
    if events:
        return row
    boxed = {"instr": "clocks", "bandwidth": "GB/s"}.get(words[0].split(".")[0])
    return {boxed: row[boxed]} if boxed else row


BOXES = {  # title -> benchmark of a row, title in `show`
    "latency": ("instr.lat.{}", "clocks"), "tp": ("instr.tp.{}", "clocks"),
    "L1": ("bandwidth.{}.l1", "GB/s"), "L2": ("bandwidth.{}.l2", "GB/s"),
    "L3": ("bandwidth.{}.l3", "GB/s"), "memory": ("bandwidth.{}.memory", "GB/s"),
}
SUMMARY = slice(5, 8)  # rows of the head
TITLES = ("clocks", "ns", "GB/s", *BOXES)


def read_heading(line, names):
    """Where each place for a result begins, and the titles by the column in which they end."""
    line = re.sub("clocks, tp throughput", "clocks               ", line)  # the unit
    words = [(m[0], m.end()) for m in re.finditer(r"\S+", line)]
    first = 2 if words[0][0].endswith(":") else 1
    titles = [(w, end) for w, end in words[first:] if w in TITLES]
    starts = [end for w, end in titles if w == titles[0][0]]
    width = starts[1] - starts[0] if len(starts) > 1 else len(line) + 1000
    ends = {end: w for w, end in titles if end <= width}
    behind = words.index(next(w for w in words if w[0] == "spread")) + 1
    if not any(w[0] in TITLES for w in words[behind:]):
        ends.update((end, names.get(w, w)) for w, end in words[behind:])
    return width, ends


def read_place(rows, name, text, ends):
    """The figures of a place: each ends where its title ends."""
    for m in re.finditer(r"\S+", text):
        title = ends.get(m.end())
        if title and m[0][0] in "-<0123456789":
            bench, title = (BOXES[title][0].format(name), BOXES[title][1]) if title in BOXES \
                else (name, title)
            rows.setdefault(bench, {})[title] = m[0]


def figures_drawn(lines):
    """Benchmark -> title -> figure; a name may stand in the place before its figures."""
    rows, name, width, ends, names = {}, None, 0, {}, {}
    for line in lines:
        if line.startswith("["):
            names.update(re.findall(r"(\[\d+\]) (\S+)", line))
        elif " spread" in line:
            width, ends = read_heading(line, names)
        elif ends:
            for at in range(0, len(line), width):
                text = line[at:at + width]
                if text[:1].strip():
                    name = text.split()[0]
                read_place(rows, name, text, ends)
    return rows


def drawn(build, name, model, bits, size, arguments):
    ppm, log = f"{build}/screen/{name}.ppm", f"{build}/screen/{name}.log"
    subprocess.run([f"{build}/cpl0-sim", "--cpu", model, "--screen", size, "--screenshot", ppm,
                    "--log", log, f"{build}/{bits}/cpl0.elf", *arguments, "exit=debug"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1200)
    rows = screen.picture_rows(Path(ppm).read_bytes())
    events = any(a.startswith("events=") for a in arguments)
    on_screen = {"summary": {r.strip(): "" for r in rows[SUMMARY] if r.strip()}}
    in_table = {"summary": {r: "" for r in summary_shown(build, log)}}
    return {**on_screen, **figures_drawn(rows[SUMMARY.stop:])}, \
        {**in_table, **shown(build, log, events)}


def rates_of_kernel(log):
    """Benchmark -> (B/clock, GB/s) of the text table that the kernel writes behind its records."""
    text = Path(log).read_text(errors="replace").partition("\nof one operation")[2]
    rows = (line.split() for line in text.splitlines())
    return {row[0]: row[-2:] for row in rows if len(row) == 6}


def rates_of_readers(build, log):
    db = Path(log).with_suffix(".sqlite")
    db.unlink(missing_ok=True)
    subprocess.run([f"{build}/cpl0-log", "db", db, log], check=True)
    with contextlib.closing(sqlite3.connect(db)) as base:
        return {row[0]: row[1:] for row in
                base.execute("SELECT bench, bytes_per_clock, gb_per_s FROM result "
                             "WHERE gb_per_s IS NOT NULL")}


def check_table(build, log):
    """The kernel's own table has the rates of all readers, to its three places."""
    kernel, readers, failed = rates_of_kernel(log), rates_of_readers(build, log), 0
    for bench, rates in readers.items():
        ours = kernel.get(bench, ())
        if len(ours) != 2 or any(abs(float(a) - b) > 0.0011 for a, b in zip(ours, rates)):
            failed += 1
            print(f"{log} {bench}: table {ours}, db {rates}")
    return len(readers) - failed, failed


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
        if len(in_table) < 7 or len(in_table) != len(on_screen):
            failed += 1
            print(f"{run[0]}: show has {len(in_table)} results, the screen {len(on_screen)}")
        good, bad = check_table(build, f"{build}/screen/figures-{run[0]}.log")
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
