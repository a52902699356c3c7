#!/bin/sh
# Holds tools/log/records.csv and the sources together, both ways: every kind and key that the
# sources can print is in the table, with the sort of value that the call prints, and the sources
# can print every kind and key of the table. The page docs/log-format.md must have its tables.
#
# In the sources: log_begin("KIND") and the string literals in the first argument of log_str,
# log_dec and the like. A key belongs to the kind begun last in its function; in a helper that
# begins none, to any kind begun in its file. What is not a literal must be listed in `variable`
# below.
#
#	tests/checks/check-log-keys.sh [ROOT]
cd "${1:-.}" || exit 1
table=tools/log/records.csv
page=docs/log-format.md

tables=$(awk -v make=page -f tools/log/records.awk $table $page) || exit 1
[ "$tables" = "$(cat $page)" ] ||
	{ echo "$page is not what $table gives: run \`make tables\`"; exit 1; }

# FILE, how the argument begins (without blanks), and the KIND:KEY pairs it stands for; *: names
# known only at run time, with {} in the table.
variable='
kernel/lib/log.c    kind         warn: error: warn:what warn:culprit warn:why
kernel/lib/log.c    key          any:
kernel/trap/trap.c   r->key       trap:*
kernel/cpu/conditions.c r->key conditions:*
bench/run/main.c   key         board:system_maker board:system board:system_version
  board:board_maker board:board board:board_version board:bios_maker board:bios board:bios_date
pmu/plan_print.c keys[i]      event:*
pmu/plan_print.c values[i]    event:*
bench/threads/report.c q?key_of threads:ops threads:*
bench/engine/number.c buf result:tsc result:core result:* cost:tsc pair:tsc series:*
  thread:tsc thread:*
'

find kernel pmu bench boot native -name '*.[ch]' ! -path kernel/lib/log.h 2>/dev/null | sort |
	xargs awk -v variable="$variable" -v table="$table" '
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
	use_call[nuse] = call
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

# Does the call print a value of one of these sorts?
function prints(call, sorts)
{
	if (call ~ /_(dec|int)$/)
		return sorts ~ /decimal/ || sorts ~ /^[0-9|]+$/
	if (call == "log_bool")
		return sorts ~ /^[01|]+$/
	if (call == "log_milli")
		return sorts == "fraction"
	if (call == "log_hex")
		return sorts == "hex"
	return sorts ~ /word|text|digits|`/
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
	while ((getline line < table) > 0)
		if (line !~ /^#|^kind,/) {
			split(line, cell, ",")
			table_kind[cell[1]]
			type[cell[1], cell[2]] = cell[3]
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
		hits = fits = 0
		for (j = n > 1 ? 2 : 1; j <= n; j++) {
			printed[k[j], use_key[i]] = 1
			if ((k[j], use_key[i]) in type) {
				hits++
				sorts = type[k[j], use_key[i]]
				fits += prints(use_call[i], sorts)
			}
		}
		if (!hits)
			fail(use_at[i] ": key " use_key[i] " of " use_kinds[i] " is not in " table)
		else if (!fits)
			fail(use_at[i] ": " use_call[i] " prints key " use_key[i] \
				", whose type in " table " is " sorts)
	}
	for (word in kind)
		if (!(word in table_kind))
			fail("kind " word " is not in " table)
	for (word in table_kind)
		if (!(word in kind))
			fail(table ": nothing prints kind " word)
	for (pair in type) {
		split(pair, part, SUBSEP)
		if (part[2] !~ /\{/ && !((part[1], part[2]) in printed))
			fail(table ": nothing prints key " part[2] " of " part[1])
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
