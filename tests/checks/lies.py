#!/usr/bin/env python3
"""Counters that lie, drawn from a seed: the run names each lie, or no result is wrong by it.

    tests/checks/lies.py BUILD [seed=N] [count=N] [only=N] [jobs=N]

Each draw boots the kernel on the simulator with one lie or two (docs/sim.md, lie=). A lie is named
if a counter fails its proof, a chain or a check is off, results are withdrawn, or the run fails. It
is harmless if each count of each result is that of an honest run, within the record's own spread or
a thousandth. Anything else is silent, and a failure. Prints a line a failure and the totals.
"""
import concurrent.futures
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
ARGUMENTS = ["exit=debug", "bench=alu.*,l1.*,fp.*,store.*"]
TIMEOUT = 900
SUFFIXES = (".min", ".low", ".high", ".max", ".below")


def spread_over(draw, low, high):
    """A number between the two, each power of ten as likely as the next."""
    return int(low * (high / low) ** draw.random())


def draw_lie(draw, model):
    general, fixed = GENERAL_AND_FIXED[model]
    counters = list(range(general)) + list(range(FIRST_FIXED, FIRST_FIXED + fixed))
    counter = draw.choice(counters + [ALL])
    kind = draw.choice(["scale", "lose", "late", "stuck", "halve", "saturate", "quota", "shadow",
                        "blind", "crowd", "stale"])
    if kind == "shadow":
        counter, number = draw.sample(counters, 2)
    else:
        number = {"scale": lambda: spread_over(draw, 100, 100_000_000),
                  "lose": lambda: spread_over(draw, 2, 2_000_000),
                  "late": lambda: spread_over(draw, 1, 10_000_000),
                  "stuck": lambda: spread_over(draw, 1, 10_000_000),
                  "halve": lambda: spread_over(draw, 1, 10_000_000),
                  "blind": lambda: spread_over(draw, 1, 10_000_000),
                  "stale": lambda: spread_over(draw, 2, 2000),
                  "crowd": lambda: draw.randint(1, general + fixed),
                  "saturate": lambda: draw.randint(1, 3),
                  "quota": lambda: spread_over(draw, 100, 3_000_000)}[kind]()
    return f"{kind}:{counter}:{number}"


def records(text):
    """Kind and fields of each record."""
    for line in text.splitlines():
        match = re.match(r"([a-z_0-9]+) (.*) #[0-9]+:[0-9a-f]{8}$", line)
        if match:
            pairs = re.findall(r'([^ =]+)=("(?:[^"\\]|\\.)*"|[^ ]*)', match[2])
            yield match[1], dict(pairs)


def boot(build, model, lies, number):
    bits = BITS.get(model, "64")
    log = pathlib.Path(build) / "lies" / f"{model}-{number}.log"
    words = [f"{build}/cpl0-sim", "--cpu", model, "--log", str(log)]
    for lie in lies:
        words += ["--fault", f"lie={lie}"]
    subprocess.run(words + [f"{build}/{bits}/cpl0.elf"] + ARGUMENTS, timeout=TIMEOUT, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = log.read_text(errors="replace")
    if "\ndone status=" not in text:
        raise RuntimeError(f"{model}: no end, see {log}")
    return list(records(text))


def complaints(log):
    """What a run says against its counters: a set, so that an honest run's can be left out."""
    said = set()
    for kind, value in log:
        verdict = value.get("verdict", "")
        if kind == "counter" and verdict != "proven":
            said.add(("counter", value["name"], verdict))
        elif kind == "chain" and verdict == "off":
            said.add(("chain", value["body"], value["counts"]))
        elif kind == "check" and verdict != "exact":
            said.add(("check", value["body"], value["counts"], value["filter"]))
        elif kind == "withdrawn" or (kind == "done" and value["status"] != "ok"):
            said.add((kind,))
    return said


def counts(log):
    """(benchmark, event): median and spread of the record."""
    found = {}
    for kind, value in log:
        if kind != "result":
            continue
        for key, number in value.items():
            if not key[0].isupper() and "." not in key and "_" not in key:
                continue
            if key.endswith(SUFFIXES) or not re.fullmatch(r"-?[0-9.]+", number):
                continue
            low = float(value.get(key + ".min", value.get(key + ".low", number)))
            high = float(value.get(key + ".max", value.get(key + ".high", number)))
            found[value["bench"], key] = float(number), high - low
    return found


def worst(honest, lying):
    """The count that is off by most, as a text; None: all are within their bounds."""
    found, share = None, 0
    for key, (number, spread) in counts(lying).items():
        if key not in honest:
            continue
        bound = max(spread, honest[key][1], abs(honest[key][0]) / 1000, 0.002)
        off = abs(number - honest[key][0])
        if off > bound and off / bound > share:
            found, share = f"{key[0]} {key[1]}={number:g}, honest {honest[key][0]:g}", off / bound
    return found


def options(words):
    found = {"seed": 1, "count": 12, "only": 0, "jobs": 2}
    for word in words:
        name, _, value = word.partition("=")
        if name not in found or not value.isdigit():
            sys.exit(f"lies.py: {word}: seed=N, count=N, only=N or jobs=N")
        found[name] = int(value)
    return found


def main():
    build, option = sys.argv[1], options(sys.argv[2:])
    (pathlib.Path(build) / "lies").mkdir(parents=True, exist_ok=True)
    draw = random.Random(option["seed"])
    draws = []
    for number in range(1, option["count"] + 1):
        model = draw.choice(sorted(GENERAL_AND_FIXED))
        lies = [draw_lie(draw, model) for _ in range(draw.choice([1, 1, 2]))]
        if option["only"] in (0, number):
            draws.append((number, model, lies))
    named = harmless = silent = 0
    with concurrent.futures.ThreadPoolExecutor(option["jobs"]) as pool:
        models = sorted({model for _, model, _ in draws})
        honest = dict(zip(models, pool.map(lambda m: boot(build, m, [], "honest"), models)))
        told = {m: complaints(honest[m]) for m in models}
        right = {m: counts(honest[m]) for m in models}
        logs = pool.map(lambda d: boot(build, d[1], d[2], d[0]), draws)
        for (number, model, lies), log in zip(draws, logs):
            if complaints(log) - told[model]:
                named += 1
            elif off := worst(right[model], log):
                silent += 1
                print(f"FAIL {number}: {model} {' '.join(lies)}: {off}")
                print(f"  again: tests/checks/lies.py {build} seed={option['seed']}"
                      f" count={option['count']} only={number}", flush=True)
            else:
                harmless += 1
    print(f"{named} lies named, {harmless} harmless, {silent} silent; seed {option['seed']}")
    print(f"{named + harmless} passed, {silent} failed, 0 skipped")
    return silent != 0


if __name__ == "__main__":
    sys.exit(main())
