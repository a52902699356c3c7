#!/usr/bin/env python3
"""Rows of counting, sampling and threads as guests of a busy host: what is not marked stays.

    tests/checks/guest-rows.py BUILD [GLOB...]
    tests/checks/guest-rows.py BUILD --draw SEED COUNT [ONLY]

Takes the rows of tests/machines that simulate a MODEL below without faults and end well. Each
runs twice, alone and under a hypervisor whose exits take time, add counts, empty caches and make
RDPMC, CPUID and MSR accesses dear (sim/README.md, guest=). The run of the guest must end with
status=ok, each of its medians without a mark must be within 2 per cent of the other run, or within
what both records leave open, and what carries exact=1 without a mark must be the same. Samplings
must have as many samples and events within 2 per cent and as many lost ones, and a figure of the
datasheet that is sharp in the guest must be that of the other run. Prints a line for each
difference, and `N passed, N failed`.

--draw: so many combinations of a hypervisor's words on six models, by the same rules; ONLY is the
number of the one draw to run, or the first and the last of some (101-150). A benchmark whose stride
depends on the caches is other code where a hypervisor invents caches: both runs have the same
inventions, and the same version of the counters (vpmu). An event that the hypervisor holds back
(filter, allow) must have no number in the guest, and no other event may lack its own. Where the
hypervisor takes the counters away (quota, pause), a result that the guest skips with that reason is
marked; so is a benchmark that the guest skips because its instructions leave it and take longer
than timeout=. A guest may have no counters if the log's reason is that the hypervisor leaves no
time to prove them.
"""
import fnmatch
import os
import random
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MODELS = ("skylake", "goldencove", "zen4")
GUEST = "guest=exit:20000:1,rdpmc:2500,cpuid:2000,msr:2000,evict,steal"
COLUMNS = ("name runner bits cpu mem smp firmware how options exit time arguments "
           "expect").split()
BOTH = re.compile(r"caches:invented|vpmu:\d")  # words of the machine that runs alone, too
LIMIT = re.compile(r"--max-instructions \S+")  # a guest needs more
FIELD = re.compile(r'([^ =]+)=("(?:[^"\\]|\\.)*"|[^ ]*)')
AWAY = re.compile(r"counters (stood|stand) still|takes the counters away")
SLOW = re.compile(r"leave the guest, and the hypervisor takes too long")
TOO_BUSY = re.compile(r"the hypervisor (comes into each proof|takes the counters away)")
LATE = re.compile(r"\b(pmi|throttle):")
RANDOM = re.compile(r"\b(exit|preempt|evict)\b")
MARKS = ("exits", "apart", "interrupted")
# What the host leaves in caches and predictors changes times and misses, but no such count.
COLD_KEEPS = ("Instruction_Retired", "RETIRED_INSTRUCTIONS", "Branch_Instruction_Retired",
              "RETIRED_BRANCH_INSTRUCTIONS")
WITHIN = 0.02
DRAWN_MODELS = ("skylake", "goldencove", "zen4", "k8", "nehalem", "sierraforest")
AMD = ("zen4", "k8")
BENCHES = "alu.add_latency,alu.imul_latency,alu.load_latency,l1.*,latency.64k"
WAYS = ("", "loop=100", "cpl=3", "mode=total", "events=instructions,cycles,branches", "series=3",
        "events=cycles", "events=cycles loop=1500", "events=branches mode=total",
        "sample=instructions,1000 loop=100", "threads=all")
WORDS = {  # a hypervisor's word: its numbers, one drawn for each
    "exit": ((2000, 200_000), (0, 2)), "evict": (), "evict:all": (), "rdpmc": ((500, 20_000),),
    "msr": ((500, 20_000),), "cpuid": ((500, 70_000),), "emulated:0": (),
    "jitter": ((1, 30),),
    "quota": ((1_000_000, 50_000_000), (500_000, 1_000_000)),
    "pause": ((100_000_000, 140_000_000), (141_000_000, 150_000_000)),
    "preempt": ((100_000, 10_000_000),), "steal": (), "kvmclock": (),
    "pmi": ((1000, 100_000),), "throttle": ((1, 200),), "wbinvd-nop": (), "ignore-msrs": (),
    "debugctl:0x3": (), "caches:invented": (), "hybrid": (), "hv": (), "vpmu": ((1, 2),),
    "filter": (["0x00c0", "0x00c1", "0x00c2", "0x00c3", "0x00c4", "0x00c5", "0x0151"],),
    "allow": (),
}
ALLOWED = "0x003c 0x00c0 0x013c 0x4f2e 0x412e 0x00c4 0x00c5 0x0076 0x00c2".split()
FIXED = ["fixed0", "fixed1", "fixed2"]
ENABLE = 1 << 22  # of the select of a general counter
KEYS = "bench with mode run cpl cpu group part a b event method what".split()
RESULTS = ("result", "thread", "threads", "series", "pair", "sampling", "datasheet")
ONLY = {"sampling": ("samples", "events", "lost"), "datasheet": ("value",)}
SUFFIX = re.compile(r"\.(min|low|high|max|below|bound|derived)$")
CONDITIONS = set("bench form kind mode group part cpl copies loop runs warmup interrupted nominal "
                 "ops repeated code_bytes bytes insns code exact cpu thread with cpus run skew "
                 "skew_error busy".split())


def rows(build):
    text = subprocess.run(["tests/machines/run.sh", "--all", "--list"], check=True,
                          env={**os.environ, "B": build}, capture_output=True, text=True).stdout
    for line in text.splitlines():
        row = dict(zip(COLUMNS, line.split("|")))
        if row["runner"] == "sim" and row["cpu"] in MODELS and row["exit"] == "0" \
                and row["how"] in ("", "-") and not row["arguments"].startswith("list"):
            yield row


def value_of(row, key):
    return "" if row[key] == "-" else row[key]


def boot(build, row, log, *faults):
    options = shlex.split(LIMIT.sub("", value_of(row, "options")))
    command = [f"{build}/cpl0-sim", "--cpu", row["cpu"], "--mem", row["mem"], "--smp", row["smp"],
               "--log", log, *faults, *options, f"{build}/{row['bits']}/cpl0.elf",
               *value_of(row, "arguments").split(), "exit=debug"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1200,
                   check=False)
    return read(log)


def read(log):
    """Results by what they are of; the run's status; what it skips, and why; whether it has
    counters (True, False, or the match of the reason why a guest has none); selects of events;
    benchmarks whose sampling has a warning."""
    results, status, skipped, selects, warned = {}, None, {}, {}, set()
    sampled = None  # the benchmark of the last sampling: a warning about it follows
    counters, reason = False, ""
    for line in Path(log).read_text(errors="replace").splitlines():
        kind, _, rest = line.partition(" ")
        value = {k: v.strip('"') for k, v in FIELD.findall(rest)}
        if kind != "warn":
            sampled = value.get("bench") if kind == "sampling" else None
        if kind in RESULTS:
            results[(kind,) + tuple(value.get(k, "") for k in KEYS)] = value
        elif kind == "zero":  # events that counted nothing in any part of the result
            key = (kind,) + tuple(value.get(k, "") for k in KEYS)
            results.setdefault(key, {}).update(dict.fromkeys(value["events"].split(), "0"))
        elif kind == "done":
            status = value.get("status")
        elif kind == "pmu":
            counters, reason = value.get("pmu") != "none", value.get("reason", "")
        elif kind == "warn" and value.get("what") == "sample":
            warned.add(sampled)
        elif kind == "event" and "select" in value:
            selects[value["name"]] = int(value["select"], 0)
        elif kind == "skip":
            skipped.setdefault(value.get("bench"), []).append(value.get("why", ""))
    return results, status, skipped, counters or TOO_BUSY.search(reason), selects, warned


def held_back(words, selects):
    """Events on general counters that the hypervisor's words filter, or do not allow."""
    filtered, allowed = ({int(n, 0) for n in re.findall(word + r":(0x\w+)", words)}
                         for word in ("filter", "allow"))
    codes = {name: select & 0xffff | select >> 32 << 16
             for name, select in selects.items() if select & ENABLE}
    return {name for name, code in codes.items()
            if code in filtered or (allowed and code not in allowed)}


def number(value, key):
    try:
        return float(value.get(key, ""))
    except ValueError:
        return None


def interval(value, key):
    """What the record leaves open: half of its samples, and its bound."""
    middle = number(value, key)
    below = number(value, key + ".below")
    if below is not None:
        return -below, below
    bound = number(value, key + ".bound") or 0
    low, high = number(value, key + ".low"), number(value, key + ".high")
    return (middle if low is None else low) - bound, (middle if high is None else high) + bound


def differs(alone, guest, key):
    a, b = number(alone, key), number(guest, key)
    if a is None or b is None:
        return False
    if "exact" in alone and alone.get("exact") == guest.get("exact") == "1":
        return a != b and interval(alone, key)[1] < interval(guest, key)[0] or \
            a != b and interval(guest, key)[1] < interval(alone, key)[0]
    low, high = interval(alone, key)
    least, most = interval(guest, key)
    return abs(a - b) > WITHIN * abs(a) and (high < least or most < low)


def marked(key, value, name, words, warned):
    """
    Does the record say that the host may have changed this number? `threads` has rates. Each
    sampling and each pair of a guest says exits=1: that excuses a sampling of misses, and others
    only if a warning says that events lack, or if interrupts come late; and a pair only if exits
    come at random moments.
    """
    counts = name in COLD_KEEPS and key[0] != "threads"
    if key[0] == "sampling":
        return warned or value.get("event") not in COLD_KEEPS or bool(LATE.search(words))
    if key[0] == "pair" or key[1].startswith("sharing."):
        return bool(RANDOM.search(words)) or "cold" in value
    return any(mark in value for mark in MARKS) or ("cold" in value and not counts)


def base(key):
    """What a result is of, in whatever group of events and record its numbers stand."""
    return tuple(text for name, text in zip(("kind",) + tuple(KEYS), key)
                 if name not in ("group", "part"))


def having(name, key, records):
    """The guest's record of the same with that number; of several, that of the same group."""
    found = {k: value for k, value in records.items() if name in value}
    return found.get(key) or next(iter(found.values()), None)


def compare(alone, guest, skipped, words, warned=(), away=False, held=()):
    bases = {}
    for key, value in guest.items():
        bases.setdefault(base(key), {})[key] = value
    zeros = {key[1]: value for key, value in guest.items() if key[0] == "zero"}
    for key, value in alone.items():
        if key[0] == "zero":
            continue
        what, records = " ".join(filter(None, key)), bases.get(base(key))
        if records is None:
            if key[1] not in skipped:
                yield what + ": is not there"
            continue
        for name in value:
            if name in CONDITIONS or SUFFIX.search(name) or name.startswith("dropped.") or \
                    name not in ONLY.get(key[0], (name,)):
                continue
            other = having(name, key, records) or \
                (zeros.get(key[1]) if name in zeros.get(key[1], ()) else None)
            if key[0] == "datasheet" and (other is None or other["verdict"] != "sharp"):
                continue
            if name in held:
                if other is not None and number(other, name) is not None:
                    yield f"{what}: {name} {other[name]}, but the hypervisor holds it back"
                continue
            if other is None:
                if number(value, name) is not None and not away:
                    yield f"{what}: {name} is not there"
            elif not marked(key, other, name, words, key[1] in warned) and differs(value, other, name):
                yield f"{what}: {name} {value[name]}, guest {other[name]}"


def machine(row):
    """What the run alone depends on: draws have many of them in common."""
    return tuple(row[key] for key in ("cpu", "mem", "smp", "bits", "options", "arguments")) + \
        tuple(faults_alone(row))


def faults_alone(row):
    words = BOTH.findall(row.get("guest", ""))
    return ["--fault", "guest=" + ",".join(words)] if words else []


def check(build, row, folder, run_alone):
    alone, status, _, counts_alone, *_ = run_alone.result()
    log = Path(folder, row["name"] + "-guest.log")
    words = row.get("guest", GUEST)
    guest, guest_status, skipped, counts, selects, warned = boot(build, row, log, "--fault", words)
    away = re.search(r"\b(quota|pause):", words) or counts not in (True, False, None)
    excused = {bench for bench, reasons in skipped.items() for why in reasons
               if SLOW.search(why) or (away and AWAY.search(why))}
    held = held_back(words, selects)
    wrong = list(compare(alone, guest, excused, words, warned, away, held))
    if counts_alone and not counts and not away:
        wrong.append("no counters")
    if status != "ok":
        wrong.append(f"alone: status={status}")
    elif guest_status != "ok":
        wrong.append(f"status={guest_status}")
    if "guest" in row and not alone:
        wrong.append("alone: no results")
    if wrong and "guest" in row:
        wrong.insert(0, f"{row['cpu']} {row['guest']} {row['arguments']}")
    return row["name"], len(alone), wrong


def drawn_number(draw, ends):
    return draw.choice(ends) if isinstance(ends, list) else str(draw.randint(*ends))


def drawn(seed, count, only):
    """Rows of drawn machines; a draw depends on its seed and number alone."""
    first, _, last = (only or f"1-{count}").partition("-")
    for n in range(int(first), int(last or first) + 1):
        draw = random.Random(f"{seed}/{n}")
        words = []
        for word in draw.sample(sorted(WORDS), draw.randint(1, 4)):
            words.append(":".join([word] + [drawn_number(draw, ends) for ends in WORDS[word]]))
        cpu = draw.choice(DRAWN_MODELS)
        if "allow" in words:
            events = ALLOWED + ([] if cpu in AMD else FIXED)
            words[words.index("allow")] = ",".join(f"allow:{event}" for event in events)
        way = draw.choice(WAYS)
        benches = BENCHES if "loop=1500" in way else BENCHES + ",serialize.cpuid"
        yield {"name": f"draw-{seed}-{n}", "cpu": cpu, "mem": "64",
               "smp": "2" if "threads" in way else "1", "bits": draw.choice(("32", "64")),
               "options": "",
               "guest": f"guest=seed:{n}," + ",".join(words),
               "arguments": f"bench={benches} {way}"}


def chosen_rows(build, arguments):
    if arguments[:1] == ["--draw"]:
        seed, count, only = (*arguments[1:], "")[:3]
        return list(drawn(int(seed), int(count), only))
    return [r for r in rows(build)
            if not arguments or any(fnmatch.fnmatch(r["name"], g) for g in arguments)]


def main():
    build = sys.argv[1]
    folder = Path(build, "guest-rows")
    folder.mkdir(parents=True, exist_ok=True)
    chosen = chosen_rows(build, sys.argv[2:])
    passed = failed = 0
    alone, checks = {}, []
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
        for row in chosen:
            if machine(row) not in alone:
                log = Path(folder, row["name"] + ".log")
                alone[machine(row)] = pool.submit(boot, build, row, log,
                                                  *faults_alone(row))
            checks.append(pool.submit(check, build, row, folder, alone[machine(row)]))
        for name, n, wrong in (c.result() for c in checks):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            print(f"{'FAIL' if wrong else 'pass'} {name}: {n} results", flush=True)
            for text in wrong[:20]:
                print("    " + text)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
