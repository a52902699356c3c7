"""What each reader says of a log, as {record: {figure: what it printed}}.

A record is named by its run, its place among the results of that run, and what it is called. A
figure that a reader leaves out is not in its dictionary.
"""
import csv
import io
import json
import re
import sqlite3
import subprocess
from pathlib import Path

COLUMNS = {"clocks": "clocks", "ns": "ns", "B/clock": "bytes_per_clock", "GB/s": "gb_per_s",
           "insns": "insns", "clk/insn": "clocks_per_insn"}


class Tool:
    def __init__(self, build, work):
        self.log, self.work = f"{build}/cpl0-log", Path(work)

    def __call__(self, *arguments, codes=(0,)):
        done = subprocess.run([self.log, *arguments], capture_output=True, text=True, check=False)
        if done.returncode not in codes:
            raise RuntimeError(f"{arguments}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    # csv --figures, csv --forms, json --figures

    def csv_figures(self, path):
        return {(int(r["run"]), int(r["line"])): r
                for r in csv.DictReader(io.StringIO(self("csv", path, "--figures")))}

    def csv_forms(self, path):
        return list(csv.DictReader(io.StringIO(self("csv", path, "--forms"))))

    def json_figures(self, path):
        data = json.loads(self("json", path, "--figures"))
        return {(run["run"], r["line"]): r for run in data["runs"] for r in run["results"]}

    # Records as they stand

    def json_records(self, path):
        """[(run, line, seq, kind, withdrawn, [(key, text)])]"""
        data = json.loads(self("json", path), parse_float=str, parse_int=str)
        return [(n, int(r["line"]), int(r["seq"]), r["kind"], r.get("withdrawn", False),
                 list(r["fields"].items()))
                for n, run in enumerate(data["runs"], 1) for r in run["lines"] if "seq" in r]

    def csv_records(self, path):
        return [(int(r["run"]), int(r["line"]), int(r["seq"]), r["kind"], r["key"], r["value"])
                for r in csv.DictReader(io.StringIO(self("csv", path)))]

    def csv_kind(self, path, kind):
        return list(csv.DictReader(io.StringIO(self("csv", path, kind))))

    # db

    def db(self, path):
        file = self.work / "all.sqlite"
        file.unlink(missing_ok=True)
        self("db", str(file), path)
        base = sqlite3.connect(file)
        base.row_factory = sqlite3.Row
        rows = [dict(r) for r in base.execute(
            "SELECT result.*, run.number AS of_run FROM result JOIN run ON run.id = run"
            " ORDER BY result.id")]
        for row in rows:
            row["quantities"] = {q["name"]: dict(q) for q in base.execute(
                "SELECT * FROM quantity WHERE result = ?", (row["id"],))}
        forms = [dict(r) for r in base.execute(
            "SELECT forms.*, number FROM forms JOIN run ON run.id = run")]
        fields = [tuple(f) for f in base.execute(
            "SELECT number, seq, kind, key, value FROM field JOIN run ON run.id = run"
            " ORDER BY field.rowid")]
        base.close()
        return rows, fields, forms

    # report

    def report(self, path):
        page = self.work / "page.html"
        page.unlink(missing_ok=True)
        self("report", path, "-o", str(page))
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>',
                         page.read_text(), re.S)
        return json.loads(data.group(1))["logs"][0]

    # show

    def show(self, path):
        """For each run: rows in order, pairs of CPUs, threads, places of samples, listed names."""
        runs = []
        for line in self("show", path, "--machine").split("\n"):
            if re.match(r"run \d+ of \d+: ", line):
                runs.append(Shown())
            elif runs:
                runs[-1].take(line)
        return runs

    # compare

    def compare(self, path):
        """Rows of a log beside itself: (bench, mode, unit, [A, B], [marks of A, of B])."""
        rows, width, names = [], 0, ("",)
        for line in self("compare", path, path, "--all", codes=(0, 1)).split("\n"):
            if line.startswith(("benchmark ", "instr.* ")):
                width = line.index("mode")
                names = ("",) if line.startswith("b") else ("instr.lat.", "instr.tp.")
            elif not line:
                width = width if not rows else 0
            elif width:
                rows += compared(line, width, names)
        return rows


BLOCK = 56  # columns of compare for the figure of A, that of B, and what they are to each other


def compared(line, width, names):
    """The columns of compare have a fixed width. An instruction has two figures in a row."""
    bench, rest = line[:width].rstrip(), line[width + 5:]
    unit = rest[BLOCK * len(names):].split("  (")[0].strip()
    for i, name in enumerate(names):
        block = rest[BLOCK * i:][:BLOCK]
        marks = (block[46:50].strip(), block[51:55].strip())
        if block.split()[0] != "-":
            yield name + bench, line[width:][:5].strip(), unit, block[:36].split()[:2], marks


class Shown:
    """What show prints of a run."""

    def __init__(self):
        self.rows, self.pairs, self.threads, self.part, self.names = [], {}, [], None, []
        self.titles, self.width, self.cpus, self.unit = [], 0, [], ""
        self.ports, self.tail, self.port = [], 0, -1
        self.lines, self.places, self.listed, self.title = [], [], [], ""

    def take(self, line):
        words = line.split()
        self.lines.append(line)
        if not words:
            self.part = None
        elif words[:2] == ["benchmark", "clocks"]:
            self.part, self.titles = self.result, [w for w in words[1:] if w != "isa"]
            self.width = line.index(" clocks") - 4
        elif words[0] == "instr.*":
            behind = [line.index("  " + w) for w in ("isa", "     uops") if "  " + w in line]
            self.tail = min(behind, default=len(line))
            titles = line[:self.tail].split()
            self.part, self.titles = self.form, ["clocks"] + titles[4:]
            self.width = line.index(" latency") - 3 if len(titles) > 1 else 0
            self.port = line.find("       uops")
        elif line.startswith("  From CPU to CPU, "):
            self.part, self.unit = self.pair, line.split(", ")[1][:-len(" a way")]
        elif line.startswith("  several CPUs at once"):
            self.part = self.thread
        elif re.match(r"  (samples|data|branches before samples) of .*, ", line):
            self.part, self.title = self.place, line.strip()
        elif line.startswith("  benchmark ") and line.endswith("or its instruction"):
            self.part, self.width = self.bench, line.index("  *  ")
        elif line.startswith("  All figures are medians"):
            self.part = self.legend
        elif self.part:
            self.part(line, words)

    def result(self, line, _, width=0):
        width = width or self.width
        cells = [line[width + 11 * i:][:11].strip() for i in range(2)]
        rest = line[width + 22:]
        row = {"name": line[2:width].strip(), "spread": rest[:9].strip(),
               "marks": rest[9:14].strip()}
        cells += [rest[14 + 11 * i:][:11].strip() for i in range(len(self.titles) - 3)]
        row["cells"] = dict(zip(self.titles[:2] + self.titles[3:], cells))
        self.rows.append(row)

    def form(self, line, words):
        """Latency first, then the row of the throughput, then what is known of its ports."""
        if self.port >= 0:
            uops, _, text = line[self.port:].strip().partition("  ")
            self.ports.append((words[0], uops, text))
        if not self.width:
            return
        rest = line[self.width:self.tail]
        name = line[2:self.width].strip()
        if rest[:11].strip() != "-":
            self.rows.append({"name": "instr.lat." + name, "spread": rest[11:20].strip(),
                              "marks": rest[20:25].strip(),
                              "cells": {"clocks": rest[:11].strip()}})
        if rest[25:36].strip() != "-":
            self.result("  instr.tp." + name.ljust(self.width) + rest[25:], words,
                        len("  instr.tp.") + self.width)

    def place(self, line, words):
        """A place of samples: `METHOD COUNT SHARE %  PLACE  WHAT`."""
        self.places.append((self.title, *words[:4], line.split(" %  ", 1)[1]))

    def bench(self, line, _):
        if not re.match(r"  \d+ of \d+ benchmarks;", line):
            name, rest = line[2:self.width], line[self.width:]
            self.listed.append((name.strip(), rest[2], rest[5:12].strip(), rest[14:]))

    def legend(self, line, words):
        event = re.match(r"  (\[\d+\]) (?:\S+ \()?([^\s)]+)\)?$", line)
        if event:
            for row in self.rows:
                if event.group(1) in row["cells"]:
                    row["cells"][event.group(2)] = row["cells"].pop(event.group(1))
        elif words[:2] == ["always", "0:"]:
            self.zero = re.sub(r"\S+ \((\S+?)\)", r"\1", line).split()[2:]

    def pair(self, line, words):
        if words[0] == "CPU":
            self.cpus = words[1:]
        elif words[0].isdigit():
            for other, way in zip(self.cpus, words[1:]):
                self.pairs[int(words[0]), int(other)] = way

    def thread(self, line, words):
        self.threads.append((words[0], words[1], words[2], words[3]))
