# What is made of tools/log/records.csv:
#
#	awk -v make=page -f records.awk records.csv docs/log-format.md	the page, its tables anew
#	awk -v make=c -v release=0.3.0 -f records.awk records.csv	rows for tools/log/keys.c
#
# A table of the page is that of the `### KIND` above it.

function fail(text)
{
	print FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}

# What is left of the row behind its first columns, without the quotes of CSV.
function last_column(row, columns)
{
	while (columns--)
		row = substr(row, index(row, ",") + 1)
	if (row !~ /^"/) {
		if (row ~ /[",]/)
			fail("a comma or a quote outside quotes")
		return row
	}
	row = substr(row, 2, length(row) - 2)
	gsub(/""/, "\"", row)
	return row
}

function is_sort(type)
{
	return type ~ /^(decimal|fraction|hex|hex digits|word|text|[0-9]+|`[a-z]+`)$/
}

# The sorts of a value and its unit, for people.
function value_cell(type, unit)
{
	gsub(/\|/, ", ", type)
	return type (unit == "" ? "" : ", " unit)
}

# {EVENT}.min: the name of what it stands for in italics, the rest as code.
function key_cell(key,    open, cell)
{
	open = index(key, "{")
	if (!open)
		return "`" key "`"
	cell = open > 1 ? "`" substr(key, 1, open - 1) "`" : ""
	cell = cell "*" substr(key, open + 1, index(key, "}") - open - 1) "*"
	key = substr(key, index(key, "}") + 1)
	return cell (key == "" ? "" : "`" key "`")
}

function quoted(text)
{
	return "\"" text "\""
}

# Text before and behind {NAME}, and whether it stands for digits.
function c_row(key, type,    open)
{
	open = index(key, "{")
	if (!open)
		return "\t{ " quoted(key) ", 0, false, " quoted(type) " },"
	return "\t{ " quoted(substr(key, 1, open - 1)) ", " \
		quoted(substr(key, index(key, "}") + 1)) ", " \
		(key ~ /\{N\}/ ? "true" : "false") ", " quoted(type) " },"
}

function print_c(    i, k)
{
	print "/* Made from tools/log/records.csv by tools/log/records.awk. */"
	print "#include \"tools/log/keys.h\"\n"
	print "const char log_release[] = " quoted(release) ";"
	for (k = 1; k <= nkinds; k++) {
		print "\nstatic const struct log_key keys_of_" kinds[k] "[] = {"
		for (i = 1; i <= nkeys[kinds[k]]; i++)
			print c_row(key[kinds[k], i], type[kinds[k], i])
		print "};"
	}
	print "\nconst struct log_kind log_kinds[] = {"
	for (k = 1; k <= nkinds; k++)
		print "\t{ " quoted(kinds[k]) ", keys_of_" kinds[k] ", " nkeys[kinds[k]] " },"
	print "\t{ 0, 0, 0 },\n};"
}

function print_table(of,    i)
{
	if (!(of in nkeys))
		fail("a table of " of ", which is not in tools/log/records.csv")
	print "| key | value | meaning |"
	print "|---|---|---|"
	for (i = 1; i <= nkeys[of]; i++)
		print "| " key_cell(key[of, i]) " | " value_cell(type[of, i], unit[of, i]) " | " \
			(meaning[of, i] == "" ? "" : meaning[of, i] " ") "|"
	delete waits[of]
}

/^#/ && NR == FNR { next }

NR == FNR && !head {
	head = $0
	if (head != "kind,key,type,unit,meaning")
		fail("other columns: " head)
	next
}

NR == FNR {
	split($0, cell, ",")
	kind = cell[1]
	if (!(kind in nkeys))
		kinds[++nkinds] = kind
	else if (kind != kinds[nkinds])
		fail("rows of " kind " are apart")
	waits[kind]
	key[kind, ++nkeys[kind]] = cell[2]
	type[kind, nkeys[kind]] = cell[3]
	unit[kind, nkeys[kind]] = cell[4]
	meaning[kind, nkeys[kind]] = last_column($0, 4)
	if ((kind, cell[2]) in seen)
		fail(kind " has " cell[2] " twice")
	seen[kind, cell[2]]
	n = split(cell[3], sorts, "|")
	for (i = 1; i <= n || !n; i++)
		if (!is_sort(sorts[i]))
			fail("no sort of values: " cell[3])
	next
}

/^## / { records = $0 == "## Records" }

records && /^### / { heading = substr($0, 5) }

records && heading != "" && /^\| key \| value \| meaning \|$/ {
	print_table(heading)
	inside = 1
	next
}

inside && /^\|/ { next }

{
	inside = 0
	print
}

END {
	if (failed)
		exit 1
	if (make == "c")
		print_c()
	else
		for (kind in waits) {
			print "no table of " kind " in the page" >"/dev/stderr"
			failed = 1
		}
	exit failed
}
