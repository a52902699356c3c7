#!/bin/sh
# Holds docs/log-format.md and the sources together, both ways: every kind and key that the sources
# can print stands in the table of its kind, and every kind and key of the tables can be printed.
#
# In the sources: log_begin("KIND") and the string literals in the first argument of log_str,
# log_dec and the like. A key belongs to the kind begun last in its function; in a helper that
# begins none, to any kind begun in its file. What is not a literal must be listed in `variable`
# below.
#
#	tests/checks/check-log-keys.sh [ROOT]
cd "${1:-.}" || exit 1

# FILE, how the argument begins (without blanks), and the KIND:KEY pairs it stands for; *: names
# known only at run time, in italics in the document.
variable='
kernel/lib/log.c    kind         warn: error: warn:what warn:culprit warn:why
kernel/lib/log.c    key          any:
kernel/trap/trap.c   r->key       trap:*
kernel/cpu/conditions.c r->key conditions:*
bench/run/main.c   key         board:system_maker board:system board:system_version
  board:board_maker board:board board:board_version board:bios_maker board:bios board:bios_date
pmu/plan.c      keys[i]      event:*
pmu/plan.c      values[i]    event:*
bench/threads/report.c q?key_of threads:ops threads:*
bench/engine/number.c buf result:tsc result:core result:* cost:tsc pair:tsc series:*
  thread:tsc thread:*
'

find kernel pmu bench boot native -name '*.[ch]' ! -path kernel/lib/log.h 2>/dev/null | sort |
	xargs awk -v variable="$variable" '
function fail(text)
{
	print text
	bad++
}

# The first argument of the call whose text begins behind the parenthesis.
function first_argument(text,    i, c, depth, quoted)
{
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (quoted) {
			if (c == "\\")
				i++
			else if (c == "\"")
				quoted = 0
		} else if (c == "\"")
			quoted = 1
		else if (c == "(")
			depth++
		else if ((c == ")" || c == ",") && !depth)
			return substr(text, 1, i - 1)
		else if (c == ")")
			depth--
	}
	return text
}

# Calls `use` for every literal in the argument; returns how many there are.
function literals(argument, call,    n)
{
	while (match(argument, /"[^"]*"/)) {
		use(call, substr(argument, RSTART + 1, RLENGTH - 2))
		argument = substr(argument, RSTART + RLENGTH)
		n++
	}
	return n
}

function use(call, word)
{
	if (call == "log_begin") {
		kind[word] = 1
		current = word
		if (index(kinds_file, " " word " ") == 0)
			kinds_file = kinds_file word " "
		return
	}
	nuse++
	use_key[nuse] = word
	use_at[nuse] = FILENAME ":" FNR
	use_kinds[nuse] = current
}

# What is not written as a literal; false if it is one.
function listed(call, argument,    f, i, k, n, pair)
{
	gsub(/[ \t]/, "", argument)
	for (i = 1; i <= nvariable; i++) {
		n = split(variables[i], f, " ")
		if (f[1] != FILENAME || index(argument, f[2]) != 1)
			continue
		found_variable[i] = 1
		for (k = 3; k <= n; k++) {
			split(f[k], pair, ":")
			if (pair[2] != "")
				printed[pair[1], pair[2]] = 1
			else if (call == "log_begin")
				use(call, pair[1])
		}
		return 1
	}
	return 0
}

# A helper that begins no record: its keys belong to the kinds of its file.
function end_file(    i)
{
	for (i = first_use; i <= nuse; i++)
		if (use_kinds[i] == "")
			use_kinds[i] = "any" kinds_file
	first_use = nuse + 1
	kinds_file = " "
	current = ""
}

BEGIN {
	n = split(variable, row, "\n")
	for (i = 1; i <= n; i++)
		if (row[i] ~ /^ /) # goes on with the row before
			variables[nvariable] = variables[nvariable] row[i]
		else if (row[i] != "")
			variables[++nvariable] = row[i]
	kinds_file = " "
	first_use = 1
	while ((getline line < "docs/log-format.md") > 0) {
		if (line ~ /^### [a-z0-9_.]+$/) {
			doc = substr(line, 5)
			doc_kind[doc] = 1
		} else if (line ~ /^## /) {
			records = line == "## Records"
			doc = ""
		} else if (records && doc != "" && line ~ /^\| [`*]/) {
			split(line, cell, "|")
			name = cell[2]
			gsub(/[ `]/, "", name)
			doc_key[doc, name] = 1
			if (name ~ /\*/)
				doc_open[doc] = 1
		}
	}
}

FNR == 1 && NR > 1 { end_file() }

/^}/ { current = "" }

{
	text = pending $0
	pending = ""
	gsub(/\/\*[^*]*\*\//, "", text)
	while (match(text, /log_(begin|strn|str|dec|int|hex|milli|bool)\(/)) {
		before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
		call = substr(text, RSTART, RLENGTH - 1)
		rest = substr(text, RSTART + RLENGTH)
		text = rest
		if (before ~ /[a-zA-Z0-9_]/ || rest ~ /^(const|struct|u?int|bool)/)
			continue
		if (rest == "") {
			pending = call "("
			break
		}
		argument = first_argument(rest)
		if (!listed(call, argument) && !literals(argument, call))
			fail(FILENAME ":" FNR ": " call "(" argument \
				": not a literal: list it in tests/checks/check-log-keys.sh")
	}
}

END {
	end_file()
	for (i = 1; i <= nuse; i++) {
		n = split(use_kinds[i], k, " ")
		hits = 0
		for (j = n > 1 ? 2 : 1; j <= n; j++) {
			printed[k[j], use_key[i]] = 1
			hits += (k[j], use_key[i]) in doc_key
		}
		if (!hits)
			fail(use_at[i] ": key " use_key[i] " of " use_kinds[i] \
				" is not in docs/log-format.md")
	}
	for (word in kind)
		if (!(word in doc_kind))
			fail("kind " word " is not in docs/log-format.md")
	for (word in doc_kind)
		if (word ~ /^[a-z]/ && !(word in kind))
			fail("docs/log-format.md: nothing prints kind " word)
	for (pair in doc_key) {
		split(pair, part, SUBSEP)
		if (part[2] !~ /\*/ && !((part[1], part[2]) in printed))
			fail("docs/log-format.md: nothing prints key " part[2] " of " part[1])
	}
	for (i = 1; i <= nvariable; i++)
		if (!found_variable[i])
			fail("tests/checks/check-log-keys.sh: no longer in the sources: " \
				variables[i])
	for (word in kind)
		nkinds++
	print nkinds " kinds, " nuse " uses of keys, " bad + 0 " differences"
	exit bad > 0
}'
