#!/usr/bin/env python3
"""Cores with structures drawn from a seed: the datasheet finds them, and no sharp figure is wrong.

    tests/checks/structures.py BUILD SEED COUNT [ONLY]

Each draw boots the kernel on the simulator with TLBs, branch targets, return stack and queues of
any size (sim/README.md, --structure). A figure is

    right   sharp and the size that was drawn, or rough with bounds that hold it
    open    the datasheet finds no figure, or a lower bound alone
    WRONG   any other: a failure

Fails, too, if fewer than nine of ten are right. Prints a line for each draw. ONLY: the number of the one draw to run.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

QUEUES = ["rob", "scheduler", "load_queue", "store_queue", "fill_buffers"]
SMALL = ["dtlb", "itlb", "btb", "returns"] + QUEUES
ALL = SMALL + ["dtlb_large", "itlb_large", "stlb"]
MODELS = {"skylake": ("64", ALL), "nehalem": ("64", ALL), "core2": ("64", ALL),
          "goldencove": ("64", ALL), "zen4": ("64", SMALL + ["stlb"]), "k8": ("64", ALL),
          "pm": ("32", SMALL + ["dtlb_large", "itlb_large"])}
LARGE = {"64": "2M", "32": "4M"}
FIGURES = {"scheduler": "scheduler.unified", "returns": "ras_entries", "btb": "btb.l1_entries"}
TIMEOUT = 900


def draw_sets(draw, ways, sets):
    """Entries and ways."""
    ways = draw.choice(ways)
    return ways * draw.choice(sets), ways


def draw_large(draw):
    entries = draw.choice([2, 4, 7, 8, 16, 32])
    return entries, draw.choice([w for w in (entries, 2, 4, 8) if not entries % w])


def draw_machine(draw):
    """Name to entries and ways; 0 ways where a structure has none to find."""
    model = draw.choice(sorted(MODELS))
    rob = draw.randint(40, 640)
    drawn = {
        "dtlb": draw_sets(draw, [2, 4, 8, 16], [4, 8, 16]),
        "dtlb_large": draw_large(draw),
        "itlb": draw_sets(draw, [2, 4, 8], [8, 16, 32]),
        "itlb_large": draw_large(draw),
        "stlb": draw_sets(draw, [4, 6, 8, 12], [128, 256]),
        "btb": draw_sets(draw, [2, 4, 8], [64, 256, 1024]),
        "returns": (draw.randint(4, 32), 0),
        "rob": (rob, 0),
        "scheduler": (draw.randint(16, min(rob - 8, 240)), 0),
        "load_queue": (draw.randint(12, min(rob - 8, 192)), 0),
        "store_queue": (draw.randint(8, min(rob - 8, 100)), 0),
        "fill_buffers": (draw.randint(4, 32), 0),
    }
    return model, {name: drawn[name] for name in drawn if name in MODELS[model][1]}


def boot(build, number, model, machine):
    """The records of the datasheet, by figure."""
    log = pathlib.Path(build) / "structures" / f"{number}.log"
    words = [f"{build}/cpl0-sim", "--cpu", model, "--log", str(log)]
    for name, (entries, ways) in machine.items():
        words += ["--structure", f"{name}={entries}" + (f":{ways}" if ways else "")]
    queues = ",".join(f"datasheet.{q}" for q in QUEUES)
    words += [f"{build}/{MODELS[model][0]}/cpl0.elf", "exit=debug",
              f"bench={queues},datasheet.dtlb,datasheet.itlb,datasheet.btb,datasheet.ras"]
    log.unlink(missing_ok=True)
    subprocess.run(words, timeout=TIMEOUT, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    text = log.read_text(errors="replace") if log.exists() else ""
    if "\ndone status=ok" not in text:
        raise RuntimeError(f"no end, see {log}")
    records = [dict(re.findall(r'(\S+?)=("[^"]*"|\S+)', line)) for line in text.splitlines()
               if line.startswith("datasheet ")]
    return {r["what"]: r for r in records}


def expected(model, machine):
    """(figure, number) of all that was drawn."""
    for name, (entries, ways) in machine.items():
        stem = name.removesuffix("_large") + "." + (
            LARGE[MODELS[model][0]] if name.endswith("_large") else "4K")
        yield FIGURES.get(name, f"{stem}.entries" if "tlb" in name else name), entries
        if ways:
            yield "btb.ways" if name == "btb" else f"{stem}.ways", ways


def judge_figure(record, number):
    if record is None or not {"value", "high"} & set(record):
        return "open"
    if record["verdict"] == "sharp":
        return "right" if record.get("value") == str(number) else "WRONG"
    low, high = int(record.get("low", 0)), int(record.get("high", number))
    return "right" if low <= number <= high else "WRONG"


def judge(model, machine, found, tally):
    """A line about a draw; adds its figures to the tally."""
    told = []
    for figure, number in expected(model, machine):
        record = found.get(figure)
        verdict = judge_figure(record, number)
        tally[verdict] += 1
        if verdict != "right":
            seen = "no record" if record is None else " ".join(
                f"{k}={record[k]}" for k in ("value", "low", "high", "verdict", "why") if k in record)
            told.append(f"{figure} {number} {verdict} ({seen})")
    return "; ".join(told) or "all right"


def draws(seed, count):
    for number in range(1, count + 1):
        yield number, *draw_machine(random.Random(f"{seed}/{number}"))


def main():
    build, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    only = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    (pathlib.Path(build) / "structures").mkdir(parents=True, exist_ok=True)
    wanted = [d for d in draws(seed, count) if only in (0, d[0])]
    tally = {"right": 0, "open": 0, "WRONG": 0}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        runs = [pool.submit(boot, build, *d) for d in wanted]
        for (number, model, machine), run in zip(wanted, runs):
            print(f"{number} {model}: {judge(model, machine, run.result(), tally)}", flush=True)
    print(f"{tally['right']} right, {tally['open']} open, {tally['WRONG']} wrong")
    print(f"{tally['right'] + tally['open']} passed, {tally['WRONG']} failed, 0 skipped")
    return tally["WRONG"] != 0 or tally["right"] < 0.9 * sum(tally.values()) or not wanted


if __name__ == "__main__":
    sys.exit(main())
