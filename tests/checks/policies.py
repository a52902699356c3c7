#!/usr/bin/env python3
"""Caches with replacement policies drawn from a seed: `cpl0-log policy` names no wrong one.

    tests/checks/policies.py BUILD SEED COUNT [ONLY]

Each draw boots the kernel on the simulator with first- and second-level caches of any size, ways,
line and policy (sim/README.md, --cache). A level is

    named       the policy is among the names that are printed, which never differ, and is right
    open        no name is printed, or names that the sequences do not tell apart, one of them right
    WRONG       any other name or size: a failure

Prints a line for each draw. ONLY: the number of the one draw to run.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

MODELS = {"skylake": "64", "zen2": "64", "goldencove": "64", "nehalem": "64", "core2": "64",
          "pm": "32", "p3": "32"}
PLAIN = ["LRU", "FIFO", "PLRU", "PLRUl", "LRU_PLRU4", "MRU", "MRU_N", "NRU", "SRRIP", "BRRIP",
         "RANDOM"]
RULES = ["R0_U0", "R0_U1", "R1_U0", "R1_U1", "R1_U2", "R1_U3", "R2_U0", "R2_U1"]
CHANCE = ("not deterministic", "unknown")
TIMEOUT = 300


def draw_qlru(draw, miss):
    return (f"QLRU_H{draw.choice(['21', '20', '11', '10', '00'])}_{draw.choice(miss)}"
            f"_{draw.choice(RULES)}{draw.choice(['', '_UMO'])}")


def draw_policy(draw, ways, duels):
    fixed = ["M0", "M1", "M2", "M3"]
    while True:
        kind = draw.random()
        if duels and kind < 0.1:
            return f"{draw_qlru(draw, fixed)}/{draw_qlru(draw, fixed)}"
        if kind < 0.15:
            return draw_qlru(draw, ["MR10", "MR21", "MR32", "MR30"])
        name = draw.choice(PLAIN) if kind < 0.6 else draw_qlru(draw, fixed)
        if (name.startswith("PLRU") and ways & (ways - 1)) or (name == "LRU_PLRU4" and ways % 4):
            continue
        return name


def draw_caches(draw):
    """(size, ways, line, policy) of the first and the second level; sizes in KiB."""
    line = draw.choice([32, 64])
    way = draw.choice([2, 4, 8])
    ways = draw.choice([2, 4, 6, 8, 12, 16])
    first = way * ways, ways, line, draw_policy(draw, ways, False)
    ways = draw.choice([4, 8, 16])
    second = draw.choice([32, 64, 128]) * ways, ways, line, draw_policy(draw, ways, True)
    return first, second


def boot(build, number, model, caches):
    """What the datasheet has of sizes, and what the tool says of policies, by level."""
    log = pathlib.Path(build) / "policies" / f"{number}.log"
    bits = MODELS[model]
    words = [f"{build}/cpl0-sim", "--cpu", model, "--log", str(log)]
    for level, (size, ways, line, policy) in zip(("l1d", "l2"), caches):
        words += ["--cache", f"{level}={size}K:{ways}:{line}:{policy}"]
    words += [f"{build}/{bits}/cpl0.elf", "exit=debug",
              "bench=datasheet.cache.*,datasheet.policy.*"]
    log.unlink(missing_ok=True)
    subprocess.run(words, timeout=TIMEOUT, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    if not log.exists() or "\ndone status=ok" not in log.read_text(errors="replace"):
        raise RuntimeError(f"no end, see {log}")
    text = subprocess.run([f"{build}/cpl0-log", "policy", str(log)], timeout=TIMEOUT, check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    sizes = dict(re.findall(r"what=(\S+)(?: value=([0-9]+))?", log.read_text(errors="replace")))
    answers = re.findall(r"^(l1d|l2)\.policy(?:[^:\n]*): (.*)$", text, re.M)
    return sizes, answers


def judge_policy(policy, text):
    if text.startswith(CHANCE):
        return "open"
    if set(policy.split("/")) & set(re.split(" = | or ", text)):
        return "open" if " or " in text else "named"
    return "WRONG"


def judge_sizes(sizes, level, cache):
    size, ways, line, _ = cache
    right = {"size": size * 1024, "ways": ways, "line": line}
    return [f"{level}.{key} {sizes.get(f'{level}.{key}', 'is not there')}"
            for key, value in right.items()
            if sizes.get(f"{level}.{key}") not in ("", str(value))]


def draws(seed, count):
    draw = random.Random(seed)
    for number in range(1, count + 1):
        yield number, draw.choice(sorted(MODELS)), draw_caches(draw)


def judge(caches, found, tally):
    """A line about a draw; adds its levels to the tally."""
    sizes, answers = found
    told = []
    for level, cache in zip(("l1d", "l2"), caches):
        verdicts = [(judge_policy(cache[3], text), text) for name, text in answers if name == level]
        wrong = judge_sizes(sizes, level, cache)
        if not verdicts:
            wrong.append("no answer")
        verdict = ("WRONG" if wrong or any(v == "WRONG" for v, _ in verdicts) else
                   "named" if any(v == "named" for v, _ in verdicts) else "open")
        tally[verdict] += 1
        tale = "; ".join(wrong + [text for _, text in verdicts])
        told.append(f"{level} {cache[0]}K:{cache[1]}:{cache[2]}:{cache[3]} {verdict}"
                    + (f" ({tale})" if verdict != "named" else ""))
    return "; ".join(told)


def main():
    build, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    only = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    (pathlib.Path(build) / "policies").mkdir(parents=True, exist_ok=True)
    wanted = [d for d in draws(seed, count) if only in (0, d[0])]
    tally = {"named": 0, "open": 0, "WRONG": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(boot, build, *d) for d in wanted]
        for (number, model, caches), run in zip(wanted, runs):
            print(f"{number} {model}: {judge(caches, run.result(), tally)}", flush=True)
    print(f"{tally['named']} named, {tally['open']} open, {tally['WRONG']} wrong")
    print(f"{tally['named'] + tally['open']} passed, {tally['WRONG']} failed, 0 skipped")
    return tally["WRONG"] != 0 or not tally["named"]


if __name__ == "__main__":
    sys.exit(main())
