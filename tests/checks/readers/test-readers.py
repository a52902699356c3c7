#!/usr/bin/env python3
"""All readers say the same of a log: tests/checks/readers/test-readers.py BUILD [LOGS [noscreen]]

Every log of the repository and LOGS generated ones (100) go through show, json, csv, db, report and
compare. Number, unit and marks of each figure must be what oracle.py works out from the record. The
screen is the seventh reader: simulated machines draw their results, and the picture must have what
the log has. No kind of record that tools/log/records.csv has may be in none of the logs. Prints a
line for each difference and `N passed, N failed`.
"""
import importlib
import sys
import tempfile
from pathlib import Path

import generated
import kinds
import oracle
import parse

HERE = Path(__file__).parent
LOGS = sorted(Path("docs/machines").glob("*/*.log")) + sorted(Path("tests/data").glob("*.log"))
UNITS = {"clocks": "core clocks per operation", "ns": "nanoseconds per operation",
         "tsc": "TSC ticks per operation", "bytes_per_clock": "bytes per core clock",
         "gb_per_s": "10^9 bytes per second", "insns": "instructions per operation",
         "clocks_per_insn": "core clocks per instruction"}
SHOWN = 10  # differences of one reader in one log that are printed


class Test:
    """One reader and one log."""

    def __init__(self, reader, name):
        self.reader, self.name, self.checks, self.wrong = reader, name, 0, []

    def equal(self, what, seen, wanted):
        self.checks += 1
        if seen != wanted:
            self.wrong.append(f"{what}: {seen!r}, must be {wanted!r}")

    def close(self, what, seen, wanted, digits=5):
        self.checks += 1
        if seen is None or wanted is None or isinstance(seen, str):
            same = seen == wanted
        else:
            same = abs(float(seen) - wanted) <= 10 ** -digits * max(abs(wanted), 1e-3)
        if not same:
            self.wrong.append(f"{what}: {seen!r}, must be {wanted!r}")

    def near(self, what, seen, wanted, most):
        self.checks += 1
        if abs(seen - wanted) > most:
            self.wrong.append(f"{what}: {seen}, must be {wanted}")

    def printed(self, what, text, figure, places):
        """A number for people: rounded, a bound up behind its `<`, `-` for nothing."""
        self.checks += 1
        if figure is None:
            same = text == "-"
        elif figure.below != text.startswith("<"):
            same = False
        else:
            wanted = figure.high if figure.below else figure.value
            shown = float(text.lstrip("<")) if text not in ("-", "") else float("nan")
            step = 10 ** -places(wanted)
            same = -1e-6 <= shown - wanted <= 1.0001 * step if figure.below else \
                abs(shown - wanted) <= 0.5001 * step + abs(wanted) * 1e-9
        if not same:
            wanted = figure and ("<" if figure.below else "") + \
                str(figure.high if figure.below else figure.value)
            self.wrong.append(f"{what}: {text}, must be {wanted}")


def names_of(row):
    return f"run {row.run} line {row.line} {row.bench}"


def test_csv_figures(t, tool, path, rows, _):
    seen = tool.csv_figures(path)
    t.equal("results", sorted(seen), sorted((r.run, r.line) for r in rows))
    for row in rows:
        got = seen.get((row.run, row.line), {})
        t.equal(names_of(row), [got.get(k) for k in ("bench", "mode", "cpl", "form", "kind",
                                                     "marks")],
                [row.bench, row.mode, row.cpl, row.form, row.kind, row.marks()])
        csv_cells(t, names_of(row), got, "", row, {**row.figures(), **row.events()})
        t.equal(names_of(row) + " withdrawn", got.get("withdrawn", "").split(), withdrawn(row))


def withdrawn(row):
    return [k for k, f in row.events().items() if f.withdrawn]


def csv_cells(t, name, got, prefix, row, figures):
    for key, figure in figures.items():
        for limit, value in limits_of(figure):
            text = got.get(prefix + key + limit, "no column")
            t.close(f"{name} {key}{limit}", float(text) if numeric(text) else text or None, value)


def limits_of(figure):
    if figure is None:
        return (("", None), (".low", None), (".high", None))
    if figure.below:
        return (("", None), (".low", None), (".high", figure.high))
    return (("", figure.value), (".low", figure.low), (".high", figure.high))


def numeric(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def test_csv_forms(t, tool, path, rows, runs):
    """Each row of the instruction table once, and both figures and ports of a form in one row."""
    left, ports = {id(r): r for r in rows if r.form}, oracle.ports_of(runs)
    bare = [f"{n} {form}" for n, form in ports if ports[n, form][0] == n and not
             any((r.run, r.form) == (n, form) for r in rows)]
    for got in tool.csv_forms(path):
        kinds, run = 0, int(got["run"])
        csv_ports(t, got, ports.get((run, got["form"])))
        if f"{run} {got['form']}" in bare:
            bare.remove(f"{run} {got['form']}")
            continue
        for kind, prefix in (("latency", "instr.lat."), ("throughput", "instr.tp.")):
            mine = [r for r in left.values() if r.run == int(got["run"]) and r.kind == kind and
                    (r.mode, r.cpl) == (got["mode"], got["cpl"]) and
                    r.bench in (prefix + got["name"], got["name"])]
            if not got[kind + ".tsc.high"] and not got[kind + ".clocks.high"] or not mine:
                continue
            row, kinds = left.pop(id(mine[0])), kinds + 1
            t.equal(names_of(row), [got["form"], got[kind + ".marks"]], [row.form, row.marks()])
            figures = {k: row.figures()[k] for k in ("clocks", "ns", "tsc")}
            csv_cells(t, names_of(row), got, kind + ".", row, {**figures, **row.events()})
        alone = kinds == 1 and not any(
            r.run == int(got["run"]) and (r.mode, r.cpl, r.form) == (got["mode"], got["cpl"],
                                                                      got["form"])
            for r in left.values())
        t.equal(f"{got['form']} figures in a row", kinds, 1 if alone else 2)
    t.equal("forms that are in no row", [r.bench for r in left.values()] + bare, [])


def csv_ports(t, got, of):
    run, record = of or ("", None)
    v = record.value if record else {}
    t.equal(f"{got['form']} ports",
            [got[k] for k in ("uops", "ports", "ports.left", "ports.by", "ports.run")],
            [v.get(k, "") for k in ("uops", "ports", "left", "by")] + [str(run)])
    t.close(f"{got['form']} clocks of ports", float(got["ports.clocks"] or -1),
            float(v.get("clocks", -1)))


def test_json_figures(t, tool, path, rows, _):
    seen = tool.json_figures(path)
    t.equal("results", sorted(seen), sorted((r.run, r.line) for r in rows))
    for row in rows:
        got = seen.get((row.run, row.line))
        if not got:
            continue
        t.equal(names_of(row) + " marks", got["marks"], row.marks())
        for part, figures in (("figures", row.figures()), ("events", row.events())):
            known = {k: f for k, f in figures.items() if f}
            t.equal(f"{names_of(row)} {part}", sorted(got[part]), sorted(known))
            for key, f in known.items():
                wanted = {"below": f.high} if f.below else {
                    "value": f.value, "min": f.min, "low": f.low, "high": f.high, "max": f.max}
                if f.withdrawn:
                    wanted["withdrawn"] = True
                t.equal(f"{names_of(row)} {key}", sorted(got[part][key]), sorted(wanted))
                for name, value in wanted.items():
                    t.close(f"{names_of(row)} {key}.{name}", got[part][key].get(name), value)


def test_records(t, tool, path, _, runs):
    """json, csv and the fields of db have each record as it stands in the log."""
    records = [(n, r) for n, run in enumerate(runs, 1) for r in run]
    back = {id(r) for run in runs for r in run if r.kind == "result" and any(
        a <= r.seq <= b for a, b in oracle.Machine(run).withdrawn)}
    wanted = [(n, r.line, r.seq, r.kind, id(r) in back, r.fields) for n, r in records]
    t.equal("json", tool.json_records(path), wanted)
    fields = [(n, r.line, r.seq, r.kind, k, escaped(v)) for n, r in records
              for k, v in r.fields or [("", "")]]
    t.equal("csv", tool.csv_records(path), fields)
    for kind in {r.kind for _, r in records}:
        mine = [(n, r) for n, r in records if r.kind == kind]
        for got, (n, r) in zip(tool.csv_kind(path, kind), mine, strict=True):
            t.equal(f"csv {kind} line {r.line}", {k: v for k, v in got.items() if v},
                    {"run": str(n), "line": str(r.line), "seq": str(r.seq),
                     **({"withdrawn": "1"} if id(r) in back else {}),
                     **{f"{kind}.{k}" if k in ("run", "line", "seq") else k: escaped(v)
                        for k, v in r.fields if v}})
    t.equal("db", tool.db(path)[1], [(n, r.seq, r.kind, k, v) for n, r in records
                                     for k, v in r.fields])


def escaped(text):
    text = "".join(f"\\x{ord(c):02x}" if not " " <= c <= "~" else "\\\\" if c == "\\" else c
                   for c in text)
    formula = text[:1] in ("'", "=", "+", "-", "@") and text[:1] and not \
        oracle.NUMBER.match(text.lstrip("+"))
    return "'" + text if formula else text


def test_db(t, tool, path, rows, runs):
    seen, _, forms = tool.db(path)
    db_forms(t, forms, rows, oracle.ports_of(runs))
    t.equal("results", [(r["of_run"], r["bench"], r["mode"], r["cpl"] or "") for r in seen],
            [(r.run, r.bench, r.mode, r.cpl) for r in rows])
    for got, row in zip(seen, rows):
        t.equal(names_of(row) + " marks", got["marks"] or "", row.marks())
        for key in ("clocks", "ns", "bytes_per_clock", "gb_per_s", "insns"):
            f = row.figures()[key]
            t.close(f"{names_of(row)} {key}", got[key], f.value if f and not f.below else None)
        for key, quantity in got["quantities"].items():
            f = row.of(key)
            for name in ("value", "min", "low", "high", "max"):
                t.close(f"{names_of(row)} {key}.{name}", quantity[name],
                        None if name == "value" and f.below else getattr(f, name))
            t.equal(f"{names_of(row)} {key} withdrawn", quantity["withdrawn"], f.withdrawn)
        t.equal(names_of(row), sorted(got["quantities"]), sorted(row.quantity))


def db_forms(t, forms, rows, ports):
    """The view has a row for each form of each run, with the ports of csv --forms."""
    t.equal("forms", {(f["number"], f["form"]) for f in forms},
            {(r.run, r.form) for r in rows if r.bench.startswith(("instr.lat.", "instr.tp."))} |
            {key for key, of in ports.items() if of[0] == key[0]})
    for f in forms:
        record = ports.get((f["number"], f["form"]), (0, None))[1]
        v = record.value if record else {}
        t.equal(f"{f['form']} ports", [f[k] for k in ("ports", "ports_left", "ports_by")],
                [v.get(k) for k in ("ports", "left", "by")])
        for key, theirs in (("uops", "uops"), ("ports_clocks", "clocks")):
            t.close(f"{f['form']} {key}", f[key], float(v[theirs]) if theirs in v else None)


def last_rows(rows, runs):
    run = rows[-1].run if rows else len(runs)
    return run, [r for r in rows if r.run == run]


def test_report(t, tool, path, rows, runs):
    page = tool.report(path)
    run, mine = last_rows(rows, runs)
    t.equal("run", page["run"], run)
    t.equal("ports", {p["form"]: (p["run"], p["uops"], p["ports"]) for p in page["ports"]},
            {form: (other, int(r.value["uops"]) if "uops" in r.value else None,
                    oracle.ports_text(r, None))
             for (n, form), (other, r) in oracle.ports_of(runs).items() if n == run})
    t.equal("results", [r["bench"] for r in page["results"]], [r.bench for r in mine])
    for got, row in zip(page["results"], mine):
        t.equal(names_of(row) + " marks", got["marks"], row.marks())
        t.equal(names_of(row) + " events", sorted(got["events"]), sorted(row.events()))
        report_spread(t, names_of(row) + " spread", got["spread"], row.spread())
        for key, f in row.figures().items():
            report_figure(t, f"{names_of(row)} {key}", got[key], f)
        for key, f in row.events().items():
            report_figure(t, f"{names_of(row)} {key}", got["events"].get(key), f)
    left = ("result", "progress", "bench", "known", "zero")
    machine = oracle.Machine(runs[run - 1])
    records = [r for r in runs[run - 1] if r.kind not in left]
    t.equal("records", [k for k, _ in page["records"]], [r.kind for r in records])
    for (kind, fields), r in zip(page["records"], records):
        got = dict(fields)
        way = got.pop("way", None)
        got.pop("instruction", None)
        t.equal(f"{kind} line {r.line}", got, r.value)
        for i, key in enumerate(("tsc", "tsc.low", "tsc.high", "line.low", "line.high")):
            if kind == "pair":
                t.close(f"pair line {r.line} {key}", way[i], machine.way(r, key))
    t.equal("unit of pairs", page["way_unit"], "ns" if machine.tsc_hz else "TSC ticks")


def report_spread(t, what, got, spread):
    if not isinstance(spread, str):
        t.close(what, got, spread)
    elif spread == "exact":
        t.close(what, got, 0)
    else:
        t.equal(what, got, None)


def report_figure(t, what, got, f):
    t.equal(what + " known", got is not None, f is not None)
    if got is None or f is None:
        return
    t.equal(what + " below", got[3], f.below)
    t.equal(what + " withdrawn", got[6], f.withdrawn)
    for i, value in ((0, 0 if f.below else f.value), (1, f.low), (2, f.high), (4, f.min),
                     (5, f.max)):
        t.close(what, got[i], value)


def two_places(value):
    return 2 if abs(value) < 1000 else 0


def test_show(t, tool, path, rows, runs):
    shown = tool.show(path)
    t.equal("runs", len(shown), len(runs))
    for number, (seen, records) in enumerate(zip(shown, runs), 1):
        mine = [r for r in rows if r.run == number]
        ports = oracle.ports_of(runs)
        table = {form: of for (n, form), of in ports.items() if n == number}
        show_ports(t, seen, table, number, mine)
        mine = as_shown(mine, table)
        t.equal("results", [r["name"] for r in seen.rows],
                [r.bench + (f" cpl{r.cpl}" if r.cpl else "") for r in mine])
        for got, row in zip(seen.rows, mine):
            show_row(t, got, row)
        show_others(t, seen, records)
        show_places(t, seen, records)
        show_records(t, seen, records, bool(mine), table)


def as_shown(rows, ports):
    """First what stands alone, then instructions with all that is known of them in one row.

    Where some row has no clocks, a time in ns would have no place in such a row: none is made.
    """
    if not all(r.clocks() for r in rows):
        return rows
    name = {(r.bench, r.mode, r.cpl): r for r in rows}
    alone, pairs = [], []
    for r in rows:
        other = name.get((r.bench.replace("instr.lat.", "instr.tp.") if r.kind == "latency"
                          else r.bench.replace("instr.tp.", "instr.lat."), r.mode, r.cpl))
        if other in (None, r):
            (pairs if r.form in ports else alone).append(r)
        elif r not in pairs:
            pairs += [r, other] if r.kind == "latency" else [other, r]
    return alone + pairs


def show_ports(t, seen, table, number, rows):
    """What stands in the columns of the instruction table."""
    if not all(r.clocks() for r in rows):
        return t.equal("rows with ports", seen.ports, [])
    wanted = {(r.value.get("uops", "-"), oracle.ports_text(r, other if other != number else None))
              for form, (other, r) in table.items()
              if other == number or any(row.form == form for row in rows)}
    return t.equal("ports in rows", {p[1:] for p in seen.ports} - {("-", "-")}, wanted)


def show_row(t, got, row):
    figures = {**row.figures(), **row.events()}
    t.equal(names_of(row) + " marks", got["marks"], row.marks())
    spread = row.spread()
    if isinstance(spread, str) or not numeric(got["spread"].rstrip("%")):
        t.equal(names_of(row) + " spread", got["spread"], spread)
    else:
        t.equal(names_of(row) + " spread in %", got["spread"][-1:], "%")
        t.near(names_of(row) + " spread", float(got["spread"].rstrip("%")), spread,
               0.0501 if spread < 1000 else 0.501)
    for title, text in got["cells"].items():
        key = parse.COLUMNS.get(title, title)
        t.printed(f"{names_of(row)} {title}", text, figures.get(key), two_places)


def show_others(t, seen, records):
    machine = oracle.Machine(records)
    pairs = {(max(a, b), min(a, b)): r for r in records if r.kind == "pair"
             for a, b in [(int(r.value["a"]), int(r.value["b"]))]}
    if pairs:
        t.equal("unit of pairs", seen.unit, "ns" if machine.tsc_hz else "TSC ticks")
        t.equal("pairs", sorted(k for k, v in seen.pairs.items() if v != "-"), sorted(pairs))
    for place, r in pairs.items():
        way = machine.way(r, "tsc")
        t.printed(f"pair {place}", seen.pairs.get(place, ""),
                  oracle.Figure(way, way, way, way, way), lambda v: 1)
    together = [r for r in records if r.kind in ("thread", "threads") and
                r.value["run"] == "together" and r.value.get("group") == "0"]
    t.equal("threads", [float(w[3]) for w in seen.threads],
            [r.number("tsc" if r.kind == "thread" else "ops") for r in together])


SHOWN_AS_THEY_STAND = set(
    "ports geometry datasheet sequence withdrawn warn error trap timeout done cpl0 boot cmdline note date board"
    " console cpu features cache tlb topology cpus arch_pmu amd_pmu quiet memory clock process"
    " watchdog guard usb conditions arena module pmu counter event groups cost plan".split())


def show_records(t, seen, records, has_results, table):
    """Records that show prints as they stand, each key and value, and what `list` names."""
    lines = set(seen.lines)
    for r in records:
        if r.kind == "ports" and seen.ports and r in [of[1] for of in table.values()]:
            continue
        if r.kind in SHOWN_AS_THEY_STAND:
            line = f"  {r.kind:10} " + ", ".join(f"{k} {plain(v)}" for k, v in r.fields)
            t.equal(f"{r.kind} line {r.line}", line in lines, True)
        elif r.kind == "series":
            t.equal(f"series line {r.line}", series_line(r.value) in lines, True)
        elif r.kind == "listed" and not has_results:
            t.equal(f"listed line {r.line}", listed_line(r.value).rstrip() in
                    {line.rstrip() for line in lines}, True)
    benches = [r.value for r in records if r.kind == "bench"]
    t.equal("benchmarks of the list", seen.listed, [] if has_results else [
        (b["name"], "*" if b.get("default") == "1" else " ", b.get("insns", ""),
         plain(b.get("form", b.get("what", ""))) +
         (f" (needs {b['needs']})" if "needs" in b else "") +
         (f" [not here: {b['skip']}]" if "skip" in b else "")) for b in benches])


def series_line(r):
    runs = [v for k, v in r.items() if k[:4] == "tsc." and k[4:].isdigit()]
    return f"  series     {plain(r['bench'])}, ticks of each run" + \
        ("" if r.get("cold") == "0" else " from cold") + \
        (f", least of {r['least_of']}" if "least_of" in r else "") + \
        (", with the exits of its code" if r.get("exits") == "1" else "") + ": " + \
        " ".join("<" + r["tsc.below"] if v == "0" and "tsc.below" in r else v for v in runs)


def listed_line(r):
    what = r.get("what", "")
    if "argument" in r:
        return f"  {r['argument']:12} {what}"
    if "alias" in r:
        return f"  {r['alias']}: {r.get('name', '')}" + (f", {what}" if what else "")
    return f"  {r.get('name', '')}"


def plain(text):
    return "".join(c if " " <= c <= "~" else "?" for c in text)


PLACES = {"sample": "samples of", "skid": "samples of", "address": "data of",
          "branch": "branches before samples of"}


def show_places(t, seen, records):
    """How often, where, and what hardware said of it; the text of instructions is Zydis' own."""
    wanted = []
    for v in (r.value | {"": r.kind} for r in records if r.kind in PLACES):
        place = (f"{v['from']} to {v['to']}" if "from" in v else
                 f"+{v['distance']}" if "distance" in v else
                 f"offset {v['offset']}" if "offset" in v else v.get("address", "others"))
        what = (f"{v['latency']} clocks" if "latency" in v else
                f"{v['missed']} missed, {v['min']} to {v['max']} clocks"
                if "missed" in v and "min" in v else
                f"{v['missed']} missed" if "missed" in v else None)
        wanted.append((plain(f"{PLACES[v['']]} {v['bench']}, {v['event']}"), v["method"],
                       v["count"], v["share"], "%", place, what))
    t.equal("places of samples", len(seen.places), len(wanted))
    for got, want in zip(seen.places, wanted):
        t.equal("place " + want[0], got[:5], want[:5])
        where = got[5][:len(want[5])], got[5][len(want[5]):].strip()
        t.equal("place " + want[0], where, (want[5], where[1] if want[6] is None else want[6]))


def test_compare(t, tool, path, rows, runs):
    """Beside itself, A and B are the same; only times in ticks and bare counts stay out."""
    seen = tool.compare(path)
    wanted = []
    for row in last_rows(rows, runs)[1]:
        figures = row.figures()
        wanted += [(row, u, figures[u]) for u in ("clocks", "ns") if figures[u]]
        wanted += [(row, name, f) for name, f in row.events().items() if not f.withdrawn]
    seen.sort(key=lambda r: r[:3])  # instructions stand behind the other benchmarks
    wanted.sort(key=lambda w: (w[0].bench, w[0].mode, w[1]))
    t.equal("figures", [(b, m, u) for b, m, u, _, _ in seen],
            [(r.bench, r.mode, u) for r, u, _ in wanted])
    for (_, _, unit, figures, marks), (row, _, f) in zip(seen, wanted):
        t.equal(f"{names_of(row)} {unit} marks", marks[0], row.marks())
        t.printed(f"{names_of(row)} {unit}", figures[0], f, lambda v: 3)


READERS = {"csv --figures": test_csv_figures, "csv --forms": test_csv_forms,
           "json --figures": test_json_figures, "records": test_records, "db": test_db,
           "report": test_report, "show": test_show, "compare": test_compare}


SEEN = {}  # kind: its keys in the logs that were read


def test_coverage():
    """Each kind of tools/log/records.csv is in some log; so is each key of the kinds drawn here."""
    missing = [kind for kind in kinds.TABLE if kind not in SEEN]
    for kind in missing:
        print(f"FAIL no log of this test has a record `{kind}` (tools/log/records.csv has it)")
    for kind in kinds.HEAD + kinds.DRAWN + kinds.LISTED:
        absent = [k for k in kinds.TABLE[kind] if k not in SEEN.get(kind, ())]
        if absent:
            missing += absent
            print(f"FAIL no log of this test has `{kind}` with {' '.join(absent)}")
    return not missing, len(missing)


def read(tool, path, name):
    """All readers of one log: how many passed, how many failed."""
    runs = oracle.runs_of(Path(path).read_text(encoding="latin-1"))
    rows = oracle.rows_of(runs)
    for r in (r for run in runs for r in run):
        SEEN.setdefault(r.kind, set()).update(r.value)
    passed = failed = 0
    for reader, test in READERS.items():
        t = Test(reader, name)
        test(t, tool, str(path), rows, runs)
        for line in t.wrong[:SHOWN]:
            print(f"FAIL {reader} {name} {line}")
        if t.wrong[SHOWN:]:
            print(f"FAIL {reader} {name}: {len(t.wrong) - SHOWN} more")
        failed += bool(t.wrong)
        passed += not t.wrong and t.checks > 0
    return passed, failed


def screens(build, tool):
    """The picture has what show has, and the log behind it goes through all readers."""
    sys.path.insert(0, str(HERE.parent))
    screen = importlib.import_module("screen-figures")
    Path(f"{build}/screen").mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for run in screen.RUNS:
        name = f"readers-{run[0]}"
        drawn, shown = screen.drawn(build, name, *run)
        wrong = {b: f for b, f in shown.items() if drawn.get(b) != f}
        for bench, figures in wrong.items():
            print(f"FAIL screen {name} {bench}: {drawn.get(bench)}, show has {figures}")
        more = read(tool, f"{build}/screen/{name}.log", name)
        passed, failed = passed + more[0] + (not wrong), failed + more[1] + bool(wrong)
    return passed, failed


def main():
    build, count = sys.argv[1], int((sys.argv + ["100"])[2])
    sums = [0, 0]
    with tempfile.TemporaryDirectory() as work:
        tool = parse.Tool(build, work)
        jobs = [(path, str(path)) for path in LOGS]
        for seed in range(count):
            path = Path(work) / f"generated-{seed}.log"
            path.write_text(generated.log(seed))
            jobs.append((path, path.name))
        for path, name in jobs:
            for i, n in enumerate(read(tool, path, name)):
                sums[i] += n
        for i, n in enumerate(test_coverage()):
            sums[i] += n
        for i, n in enumerate((0, 0) if "noscreen" in sys.argv else screens(build, tool)):
            sums[i] += n
    print(f"{sums[0]} passed, {sums[1]} failed")
    return sums[1] > 0


if __name__ == "__main__":
    sys.exit(main())
