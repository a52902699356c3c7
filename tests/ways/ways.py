#!/usr/bin/env python3
"""Boots a pairwise covering array of whole machines (tests/ways/README.md).

	ways.py BUILD [WORD...]

	seed=N       another array (default: 1)
	part=N/M     boots N, N+M, N+2M ... of the array; part=today/M: N follows from the number of
	             commits, so it is the same whenever this commit is tested
	only=GLOB    boots whose line matches: only=017, only='*medium=nvme*', only=laptop
	jobs=N       boots at the same time (default: 2)
	persons=no   without the persons; persons=only: they alone
	list         prints the boots, and boots none

Prints a line for each boot, and at the end `N passed, N failed, N skipped`. What a boot left stays
in BUILD/ways/NAME.
"""
import concurrent.futures
import fnmatch
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cover
import judge
import persons
from boot import Boot, by_screen_alone, saves

NEEDS = ("qemu-system-x86_64", "bochs", "mcopy", "xorriso")


def words(argv):
    known = {"seed": "1", "part": "1/1", "only": "*", "jobs": "2", "persons": "yes"}
    for word in argv:
        if word == "list":
            known["list"] = "yes"
            continue
        key, _, value = word.partition("=")
        if key not in known:
            sys.exit(f"ways: unknown word {word}\n{__doc__}")
        known[key] = value
    return known


def chosen(rows, part):
    at, of = part.split("/")
    if at == "today":
        commits = subprocess.run(["git", "rev-list", "--count", "HEAD"], capture_output=True,
                                 text=True).stdout
        at = int(commits or 0) % int(of) + 1
    return rows[int(at) - 1::int(of)]


def boots(options):
    """All boots that were asked for: (name, row)."""
    model = cover.Model()
    rows = [] if options["persons"] == "only" else chosen(
        [(f"{n:03}", row) for n, row in enumerate(cover.cover(model, int(options["seed"])), 1)],
        options["part"])
    if options["persons"] != "no":
        rows += persons.ALL.items()
    glob = options["only"]
    return model, [(n, r) for n, r in rows
                   if any(fnmatch.fnmatchcase(t, glob) for t in (n, line_of(n, r)))]


def share(model, seed):
    """The whole array must be one, whichever part of it is booted."""
    lines = [line_of(*r) for r in enumerate(cover.cover(model, int(seed)), 1)]
    wrong, said = cover.check(model, "\n".join(lines))
    if wrong:
        sys.exit("\n".join(wrong[:10] + [said]))
    return said


def line_of(name, row):
    return f"{name} " + " ".join(f"{f}={v}" for f, v in row.items())


def tail_records(path):
    return judge.records(path.read_text(errors="replace"))


def intact(build, path, runs=1):
    said = subprocess.run([f"{build}/cpl0-log", "check", str(path)], capture_output=True,
                          text=True).stdout
    lines = [line for line in said.splitlines() if f": intact, runs: {runs}," not in line]
    return [f"{path.name}: {line}" for line in lines[:3]]


def look_at_screen(boot, rules):
    """Where nothing else tells: the screen has the status, and each warning word for word."""
    rows = boot.screen_rows()
    ends = [r for r in rows if r.startswith("done, status ")]
    fails = any(e.word == "must" and e.kind == "error" and e.applies(boot.row) for e in rules)
    want = f"done, status {'fail' if fails else 'ok'}"
    if not ends or not ends[0].startswith(want):
        return [f"the screen does not say `{want}`: {ends[:1]}"]
    warned = [judge.Record(r) for r in rows if re.match(r"(warn|error|skip|trap|timeout) ", r)]
    applying = [e for e in rules if e.applies(boot.row) and e.word != "never"]
    return [f"not expected: {w.line}" for w in warned
            if not any(e.kind == w.kind for e in applying)]


def verdict(boot, rules):
    """Everything that is wrong with a boot that has ended."""
    row, wrong, logs = boot.row, list(boot.said), []
    if row["console"] != "none":
        logs.append(boot.serial)
    if saves(row):
        log = boot.medium_log()
        logs.append(log) if log else wrong.append("CPL0.LOG cannot be read")
    for log in logs:
        wrong += intact(boot.build, log, row.get("runs", 1)) if log.exists() else [f"{log.name} is not there"]
    logs = [log for log in logs if log.exists()]
    if logs:
        wrong += judge.judge(row, tail_records(logs[0]), rules)
    if len(logs) == 2 and [r.line for r in tail_records(logs[0])] != \
            [r.line for r in tail_records(logs[1])]:
        wrong.append("the medium has not what the line has")
    if by_screen_alone(row):
        wrong += look_at_screen(boot, rules)
    return wrong


def one(name, row, options, rules):
    started = time.monotonic()
    boot = persons.Person(name, row, options["build"], options["folder"]) if "person" in row \
        else Boot(name, row, options["build"], options["folder"])
    boot.run()
    wrong = verdict(boot, rules) + (boot.epilogue() if "person" in row else [])
    took = f"({time.monotonic() - started:.0f} s)"
    if not wrong:
        for big_file in list(boot.work.glob("*.img")) + list(boot.work.glob("*.iso")) + \
                list(boot.work.glob("*.ppm")):
            big_file.unlink()
        return f"pass {name} {took}"
    only = f"make ways WAYS='seed={options['seed']} only={name}'"
    return "\n".join([f"FAIL {line_of(name, row)} {took}", f"  again: {only}",
                      f"  left: {boot.work}"] + [f"  {w}" for w in wrong[:10]])


def main():
    options = words(sys.argv[2:])
    options["build"] = sys.argv[1]
    options["folder"] = f"{sys.argv[1]}/ways"
    for tool in NEEDS:
        if not shutil.which(tool):
            print(f"skipped: no {tool} here")
            return 0
    model, rows = boots(options)
    if "list" in options:
        print("\n".join(line_of(*r) for r in rows))
        return 0
    if options["only"] == "*" and options["persons"] != "only":
        print(share(model, options["seed"]))
    rules = judge.expectations(model)
    Path(options["folder"]).mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "snippet", "FILE=tests/ways/ways.S", f"B={options['build']}"],
                   check=True, stdout=subprocess.DEVNULL)
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(int(options["jobs"])) as pool:
        waiting = [pool.submit(one, n, r, options, rules) for n, r in rows]
        for done in concurrent.futures.as_completed(waiting):
            said = done.result()
            passed += said.startswith("pass")
            print(said, flush=True)
    print(f"{passed} passed, {len(rows) - passed} failed, 0 skipped")
    return 0 if rows and passed == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
