#!/usr/bin/env python3
"""Counters that lie, drawn from a seed: the run names each lie, or no result is wrong by it.

    tests/checks/lies.py BUILD SEED COUNT [ONLY]

Each draw boots the kernel on the simulator with one lie or two of its counters (sim/README.md,
lie=) and compares with an honest run. A result is marked if the run takes it back (`withdrawn`), if
a `check` with filter=result has its benchmark, or if a `chain` or `check` says that its event is
counted wrongly. The draw is

    named       a record tells of a counter, and each result without a mark is within its bound
    harmless    no record does, and each result is within its bound
    SILENT      a result without a mark is off: a failure

The bound is the spread of the record (from 0 to `.below` for a count that the log does not tell
apart from 0), or a thousandth, or one event in the shortest sample, or as much more as the time
itself differs: without a counter the code around the measured one is another. Prints a line for
each draw. ONLY: the number of the one draw to run, or the first and the last of some (101-150): a
draw depends on SEED and its number.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

GENERAL_AND_FIXED = {"skylake": (4, 3), "goldencove": (8, 4), "nehalem": (4, 3), "core2": (2, 3),
                     "zen4": (6, 0), "k8": (4, 0), "p3": (2, 0), "p5": (2, 0), "p4": (18, 0)}
FIRST_FIXED = 32
ALL = 99
BITS = {"p3": "32", "p5": "32", "p4": "32"}
WAYS = [[], [], ["loop=100"], ["cpl=3"], ["events=instructions,cycles,branches,loads", "loop=50"]]
BENCHES = "alu.add_latency,alu.imul_latency,alu.load_latency,l1.thrash,fp.x87_add_latency"
ARGUMENTS = ["exit=debug", f"bench={BENCHES}"]
TIMEOUT = 900
ONE_EVENT = 1 / 512 + 0.0005  # in a sample of 64 copies and 8 rounds, and what the log rounds
HIGHEST = (".max", ".high", ".below")
KINDS = {"scale": (100, 100_000_000), "lose": (2, 2_000_000), "late": (1, 10_000_000),
         "stuck": (1, 10_000_000), "halve": (1, 10_000_000), "blind": (1, 10_000_000),
         "stale": (2, 2000), "freeze": (1, 1000), "quota": (100, 3_000_000), "saturate": (1, 4),
         "branches": (1, 4), "crowd": (1, 8), "ceiling": (1000, 10_000_000_000), "level": None,
         "shadow": None}


def spread_over(draw, low, high):
    """A number between the two, each power of ten as likely as the next."""
    return int(low * (high / low) ** draw.random())


def draw_lie(draw, model):
    general, fixed = GENERAL_AND_FIXED[model]
    counters = list(range(general)) + list(range(FIRST_FIXED, FIRST_FIXED + fixed))
    counter = draw.choice(counters + [ALL])
    kind = draw.choice(sorted(KINDS))
    if kind == "shadow":
        counter, number = draw.sample(counters, 2)
    elif kind == "level":
        number = draw.choice([0, 3])
    else:
        number = spread_over(draw, *KINDS[kind])
    lie = f"{kind}:{counter}:{number}"
    if draw.random() < 0.4:
        begin = spread_over(draw, 1000, 10_000_000)
        lie += f":{begin}"
        if draw.random() < 0.5:
            lie += f":{begin + spread_over(draw, 1000, 10_000_000)}"
    return lie


class Record:
    """A line of a log: kind, fields and number."""

    def __init__(self, kind, fields, number):
        self.kind, self.number = kind, int(number)
        self.value = {k: v.strip('"') for k, v in
                      re.findall(r'([^ =]+)=("(?:[^"\\]|\\.)*"|[^ ]*)', fields)}

    def __getitem__(self, key):
        return self.value.get(key, "")


def boot(build, name, model, way, lies):
    log = pathlib.Path(build) / "lies" / f"{name}.log"
    words = [f"{build}/cpl0-sim", "--cpu", model, "--log", str(log)]
    for lie in lies:
        words += ["--fault", f"lie={lie}"]
    words += [f"{build}/{BITS.get(model, '64')}/cpl0.elf"] + ARGUMENTS + way
    log.unlink(missing_ok=True)
    subprocess.run(words, timeout=TIMEOUT, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    text = log.read_text(errors="replace") if log.exists() else ""
    if "\ndone status=" not in text:
        raise RuntimeError(f"no end, see {log}")
    return [Record(*m.groups()) for m in
            re.finditer(r"^([a-z_0-9]+) (.*) #([0-9]+):[0-9a-f]{8}\r?$", text, re.M)]


def complaints(log):
    """What a run says against its counters: a set, so that an honest run's can be left out."""
    said = set()
    for r in log:
        verdict = r["verdict"]
        if r.kind == "counter" and verdict != "proven":
            said.add(("counter", r["name"], verdict))
        elif r.kind == "chain" and verdict == "off":
            said.add(("chain", r["counts"], r["body"]))
        elif r.kind == "check" and verdict != "exact":
            said.add(("check", r["counts"].split(":")[0] if r["filter"] != "result" else "",
                      r["body"]))
        elif r.kind == "withdrawn":
            said.add(("withdrawn", "", ""))
    return said


def events(log):
    return {r["name"] for r in log if r.kind == "event"}


def counts(log):
    """(benchmark, group, event): median, spread, and number of the record."""
    found, names = {}, events(log)
    for r in log:
        if r.kind != "result":
            continue
        for key in (names | {"tsc"}) & r.value.keys():
            number = r[key]
            low = float(r.value.get(key + ".min", r.value.get(key + ".low", number)))
            high = max(float(r.value.get(key + suffix, number)) for suffix in HIGHEST)
            found[r["bench"], r["group"], key] = float(number), high - low, r.number
    return found


def base(event):
    return event.split(":")[0]


def unmarked(log, said):
    """The counts that the run does not call wrong."""
    back = [(int(r["from"]), int(r["to"])) for r in log if r.kind == "withdrawn"]
    bodies = {body for kind, event, body in said if kind == "check" and not event}
    wrong = {base(event) for kind, event, _ in said if kind in ("check", "chain") and event}
    return {key: (number, spread) for key, (number, spread, at) in counts(log).items()
            if key[2] == "tsc" or not (any(low <= at <= high for low, high in back)
                                       or key[0] in bodies or base(key[2]) in wrong)}


def worst(honest, lying):
    """The count that is off by most, as a text; None: all are within their bounds."""
    found, share = None, 1
    for key, (number, spread) in lying.items():
        if key not in honest:
            continue
        right, honest_spread, _ = honest[key]
        time = honest[key[0], key[1], "tsc"][0]
        slower = abs(lying[key[0], key[1], "tsc"][0] / time - 1) if time > 0 else 0
        bound = max(spread, honest_spread, abs(right) * (0.001 + 2 * slower), ONE_EVENT)
        if abs(number - right) > bound * share:
            share = abs(number - right) / bound
            found = f"{key[0]} {key[2]}={number:g}, honest {right:g}"
    return found


def draws(seed, count):
    draw = random.Random(seed)
    for number in range(1, count + 1):
        model = draw.choice(sorted(GENERAL_AND_FIXED))
        way = draw.choice(WAYS)
        yield number, model, way, [draw_lie(draw, model) for _ in range(draw.choice([1, 1, 2]))]


def judge(honest, log):
    """Verdict, and why."""
    said = complaints(log) - complaints(honest)
    off = worst(counts(honest), unmarked(log, said))
    tale = "; ".join(sorted({" ".join(filter(None, s)) for s in said}))
    if off:
        return "SILENT", f"{off}" + (f" (beside: {tale})" if tale else "")
    return ("named", tale) if said else ("harmless", "")


def main():
    build, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    first, _, last = (sys.argv[4] if len(sys.argv) > 4 else f"1-{count}").partition("-")
    only = range(int(first), int(last or first) + 1)
    (pathlib.Path(build) / "lies").mkdir(parents=True, exist_ok=True)
    wanted = [d for d in draws(seed, max(count, only[-1])) if d[0] in only]
    tally = {"named": 0, "harmless": 0, "SILENT": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        honest, runs = {}, []
        for number, model, way, lies in wanted:
            key = model, " ".join(way)
            if key not in honest:
                name = "-".join((model, *way)).replace("=", "-").replace(",", "-")
                honest[key] = pool.submit(boot, build, name, model, way, [])
            runs.append((honest[key], pool.submit(boot, build, number, model, way, lies)))
        for (number, model, way, lies), (right, lying) in zip(wanted, runs):
            verdict, why = judge(right.result(), lying.result())
            tally[verdict] += 1
            print(f"{number} {' '.join((model, *way, *lies))}: {verdict}"
                  f"{': ' * bool(why)}{why}", flush=True)
            if verdict == "SILENT":
                print(f"  again: make lies SEED={seed} COUNT={count} ONLY={number}", flush=True)
    print(f"{tally['named']} named, {tally['harmless']} harmless, {tally['SILENT']} silent")
    print(f"{tally['named'] + tally['harmless']} passed, {tally['SILENT']} failed, 0 skipped")
    return tally["SILENT"] != 0 or not wanted


if __name__ == "__main__":
    sys.exit(main())
