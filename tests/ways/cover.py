#!/usr/bin/env python3
"""Pairwise covering array over the factors of tests/ways/rules.

	cover.py make [SEED]	prints the rows, a boot each
	cover.py check FILE	is FILE a covering array? Prints the share of feasible pairs in it;
				exit code 1 if it is not all, or if a row breaks a rule
	cover.py why		each infeasible pair, with the rules that exclude it
	cover.py doc		the rules as README.md has them

A pair is feasible if some row that obeys all rules has both values. solve() looks for that row and
tries every value of every factor before it says that there is none: this is a proof from the rules.
The same seed gives the same rows on every machine.
"""
import sys
import textwrap
from pathlib import Path

RULES = Path(__file__).with_name("rules")
TRIES = 12  # rows that are made for one that is taken


class Random:
    """A generator of our own, so that no version of Python changes the rows."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 12345) & 0xFFFFFFFFFFFFFFFF

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.state >> 33) % n

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Rule:
    def __init__(self, when, then, reason, text):
        self.when, self.then, self.reason, self.text = when, then, reason, text

    def holds(self, row):
        """For a whole row."""
        if not all(row[f] in values for f, values in self.when.items()):
            return True
        return all(row[f] in values for f, values in self.then.items())


class Model:
    def __init__(self, path=RULES):
        self.factors, self.rules = {}, []
        for number, line in enumerate(Path(path).read_text().splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "factor":
                self.factors[words[1]] = words[2:]
            elif words[0] == "rule":
                self.rules.append(self.rule(line[5:]))
            else:
                sys.exit(f"{path}:{number}: neither factor nor rule")
        self.clauses = [c for r in self.rules for c in self.split(r)]

    def condition(self, text):
        """FACTOR=VALUE,... words, as the set of allowed values of each factor."""
        allowed = {}
        for word in text.split():
            factor, values = word.split("=")
            named = set(values.split(","))
            unknown = named - set(self.factors[factor.rstrip("!")])
            if unknown:
                sys.exit(f"{factor} has no value {unknown}")
            if factor.endswith("!"):
                factor = factor[:-1]
                named = set(self.factors[factor]) - named
            allowed[factor] = named
        return allowed

    def rule(self, text):
        body, reason = text.split(" : ", 1)
        when, then = body.split(" -> ")
        return Rule(self.condition(when), self.condition(then), reason, body)

    @staticmethod
    def split(rule):
        """Clauses: in each row one of its factors has one of its values."""
        for factor, values in rule.then.items():
            clause = {}
            for f, v in rule.when.items():
                clause[f] = ("not", v)
            clause[factor] = ("in", values)
            yield rule, clause

    def pairs(self):
        names = list(self.factors)
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                for x in self.factors[a]:
                    for y in self.factors[b]:
                        yield (a, x), (b, y)


def possible(domain, literal):
    kind, values = literal
    return domain & values if kind == "in" else domain - values


def propagate(clauses, domains):
    """Removes values that a clause excludes. False if a factor has none left."""
    changed = True
    while changed:
        changed = False
        for _, clause in clauses:
            open_factor, satisfied = None, 0
            for factor, literal in clause.items():
                left = possible(domains[factor], literal)
                if left:
                    satisfied += 1
                    open_factor = (factor, left)
            if not satisfied:
                return False
            if satisfied == 1:
                factor, left = open_factor
                if left != domains[factor]:
                    domains[factor] = left
                    changed = True
    return True


def solve(model, fixed, clauses=None, order=None):
    """A row with the values of `fixed` that obeys all rules; None if there is none at all."""
    clauses = model.clauses if clauses is None else clauses
    domains = {f: {fixed[f]} if f in fixed else set(v) for f, v in model.factors.items()}
    return search(model, clauses, domains, order)


def search(model, clauses, domains, order):
    if not propagate(clauses, domains):
        return None
    undecided = [f for f in model.factors if len(domains[f]) > 1]
    if not undecided:
        return {f: next(iter(v)) for f, v in domains.items()}
    factor = min(undecided, key=lambda f: len(domains[f]))
    for value in (order or model.factors)[factor]:
        if value in domains[factor]:
            narrower = {f: set(v) for f, v in domains.items()}
            narrower[factor] = {value}
            row = search(model, clauses, narrower, order)
            if row:
                return row
    return None


def feasible_pairs(model):
    return [p for p in model.pairs() if solve(model, dict(p))]


def pairs_of(model, row):
    names = list(model.factors)
    return {((a, row[a]), (b, row[b])) for i, a in enumerate(names) for b in names[i + 1:]}


def gain(missing, domains, factor, value):
    """Uncovered pairs of this value with the values that are decided."""
    n = 0
    for other, values in domains.items():
        if other != factor and len(values) == 1:
            pair = ((factor, value), (other, next(iter(values))))
            n += pair in missing or pair[::-1] in missing
    return n


def grow(model, missing, pair, random):
    """A row with this pair, and greedily with as many other uncovered pairs as possible."""
    domains = {f: set(v) for f, v in model.factors.items()}
    for factor, value in pair:
        domains[factor] = {value}
    propagate(model.clauses, domains)
    for factor in random.shuffled(model.factors):
        if len(domains[factor]) == 1:
            continue
        best = sorted((v for v in random.shuffled(model.factors[factor]) if v in domains[factor]),
                      key=lambda v: -gain(missing, domains, factor, v) + cost(factor, v))
        for value in best:
            narrower = {f: set(v) for f, v in domains.items()}
            narrower[factor] = {value}
            row = search(model, model.clauses, {f: set(v) for f, v in narrower.items()}, None)
            if row and propagate(model.clauses, narrower):
                domains = narrower
                break
    return {f: next(iter(v)) for f, v in domains.items()}


def cost(factor, value):
    """64 emulated CPUs are slow, so a row has them only where a pair wants them."""
    return 4 if (factor, value) == ("cpus", "64") else 0


def cover(model, seed):
    random = Random(seed)
    missing = set(feasible_pairs(model))
    rows = []
    while missing:
        ordered = sorted(missing)
        best, most = None, -1
        for _ in range(TRIES):
            row = grow(model, missing, ordered[random.below(len(ordered))], random)
            new = len(pairs_of(model, row) & missing)
            if new > most:
                best, most = row, new
        rows.append(best)
        missing -= pairs_of(model, best)
    return rows


def line_of(number, row):
    return f"{number:03} " + " ".join(f"{f}={v}" for f, v in row.items())


def row_of(line):
    number, *words = line.split()
    return number, dict(w.split("=", 1) for w in words)


def check(model, text):
    """What is wrong with an array, and in words the share of feasible pairs that it has."""
    wrong, have = [], set()
    for line in text.splitlines():
        number, row = row_of(line)
        if list(row) != list(model.factors):
            wrong.append(f"row {number} has other factors")
            continue
        wrong += [f"row {number} breaks the rule {r.text}" for r in model.rules if not r.holds(row)]
        wrong += [f"row {number}: {f} has no value {v}" for f, v in row.items()
                  if v not in model.factors[f]]
        have |= pairs_of(model, row)
    want = feasible_pairs(model)
    for (a, x), (b, y) in want:
        if ((a, x), (b, y)) not in have:
            wrong.append(f"not covered: {a}={x} {b}={y}")
    covered, every = sum(p in have for p in want), sum(1 for _ in model.pairs())
    return wrong, f"{len(text.splitlines())} boots, {len(model.rules)} rules: {covered} of " \
        f"{len(want)} feasible pairs, {100 * covered / len(want):.4g} %; the rules exclude " \
        f"{every - len(want)} of {every}"


def why(model, pair):
    """A set of rules that exclude a pair, none of which can be left out."""
    rules = list(model.rules)
    for rule in model.rules:
        fewer = [r for r in rules if r is not rule]
        if not solve(model, dict(pair), [c for c in model.clauses if c[0] in fewer]):
            rules = fewer
    return rules


def doc(model):
    """A paragraph a rule, at most 100 columns wide."""
    lines = []
    for r in model.rules:
        when, then = r.text.split(" -> ")
        lines += textwrap.wrap(f"- `{when}`: `{then}`. {r.reason}", 100, subsequent_indent="  ",
                               break_long_words=False, break_on_hyphens=False)
    return lines


def main():
    model = Model()
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if word == "make":
        for n, row in enumerate(cover(model, int(sys.argv[2]) if len(sys.argv) > 2 else 1), 1):
            print(line_of(n, row))
    elif word == "check":
        text = Path(sys.argv[2]).read_text()
        wrong, said = check(model, text)
        print("\n".join(wrong[:20] + [said]))
        return 1 if wrong else 0
    elif word == "why":
        for pair in model.pairs():
            if not solve(model, dict(pair)):
                print(*("=".join(v) for v in pair), ":",
                      "; ".join(r.text for r in why(model, pair)))
    elif word == "doc":
        print("\n".join(doc(model)))
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
