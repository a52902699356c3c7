# Does a log show what a row of tests/machines expects? Prints each expectation that it does
# not meet; exit code 1 if there is one. `spec` is expectations separated by `;`:
#
#	KIND KEY=GLOB ...	there is a record of this kind with these values
#	!KIND KEY=GLOB ...	there is none
#	results N		at least N `result` records
#	atleast N KIND KEY=GLOB	there are at least N such records
#	exactly N KIND KEY=GLOB	there are N such records
#	counted N		at least N of them know their instructions, and in all of those the
#				time stamp counter says the same, exactly (QEMU -icount)
#	planned			with events=all: every event that the tables have for this model
#				(docs/design/event-tables.md) is planned, but for architectural ones
#				that CPUID says are absent; no other is
#	empty BENCH [EVENT...]	every planned event has been counted in BENCH, once, and read 0 in
#				every sample, and so did the time stamp counter; an event with
#				derived=0 was not counted at all, and one that is `still` need not
#				be. An EVENT of a clock slower than the core's may have one tick
#				more or less in each sample; EVENT=N may have N more or less in all
#				samples alike
#	~ERE			some line, chatter too, matches
#
# GLOB: `*` any text, `?` any character; a blank in a value is written `?`.
function glob(g)
{
	gsub(/[.^$+(){}|\[\]\\]/, "\\\\&", g)
	gsub(/\*/, ".*", g)
	gsub(/\?/, ".", g)
	return "^" g "$"
}

# Takes a record apart into value[KEY].
function take_apart(line,    field, at)
{
	split("", value)
	sub(/^[^ ]*/, "", line)
	while (match(line, /^ [^ ="]+=("([^"\\]|\\.)*"|[^ "]*)/)) {
		field = substr(line, 2, RLENGTH - 1)
		line = substr(line, RLENGTH + 1)
		at = index(field, "=")
		value[substr(field, 1, at - 1)] = substr(field, at + 1)
		if (field ~ /="/)
			value[substr(field, 1, at - 1)] = \
				substr(field, at + 2, length(field) - at - 2)
	}
}

function holds(conditions,    c, n, i, at)
{
	n = split(conditions, c, " ")
	for (i = 2; i <= n; i++) {
		at = index(c[i], "=")
		if (!(substr(c[i], 1, at - 1) in value))
			return 0
		if (value[substr(c[i], 1, at - 1)] !~ glob(substr(c[i], at + 1)))
			return 0
	}
	return 1
}

function enough(i)
{
	return seen[i] >= least[i] && (!(i in most) || seen[i] <= most[i])
}

function count_instructions()
{
	results++
	if (!("insns" in value))
		return
	counted++
	if (value["tsc"] == value["insns"] && value["exact"] == "1")
		return
	print "  not its instruction count: " $0
	bad++
}

# Remembers what `planned` and `empty` ask about.
function note_plan(kind)
{
	if (kind == "event") {
		planned[value["name"]] = value["group"]
		underived[value["name"]] = "derived" in value
		nplanned++
	} else if (kind == "groups") {
		told = value["events"]
	} else if (kind == "pmu") {
		family = value["pmu"]
		model = value["model"]
	} else if (kind == "arch_pmu") {
		for (key in value)
			arch[key] = value[key]
	}
}

# Hexadecimal or decimal to a number.
function number_of(text,    v)
{
	if (text !~ /^0x/)
		return text + 0
	for (text = tolower(substr(text, 3)); text != ""; text = substr(text, 2))
		v = v * 16 + index("0123456789abcdef", substr(text, 1, 1)) - 1
	return v
}

function bit(text, i)
{
	return int(number_of(text) / 2 ^ i) % 2
}

# Does CPUID announce the event of a row: an architectural one by its bit, one on a fixed counter by
# that counter?
function announced(row,    n)
{
	if (row["bit"] != "") {
		if (number_of(arch["events23"]))
			return bit(arch["events23"], row["bit"])
		return row["bit"] < arch["events_length"] + 0 &&
			!bit(arch["missing_events"], row["bit"])
	}
	if (row["counters"] ~ /^fixed/) {
		n = substr(row["counters"], 6)
		return n < arch["fixed"] + 0 || bit(arch["fixed_bitmap"], n)
	}
	return 1
}

# Has the model of this log the event of a row? docs/design/event-tables.md describes the columns.
# `file` has the model's name if the row has none.
function has_model(row, file)
{
	if (row["models"] == "" && file ~ /-/) {
		sub(/.*-/, "", file)
		return file == model
	}
	return row["models"] == "" || index(" " row["models"] " ", " " model " ") > 0
}

# One table of the family.
function read_file(file,    line, cell, name, row, stem, i, n, columns)
{
	stem = file
	sub(/\.csv$/, "", stem)
	while ((getline line < file) > 0) {
		if (line ~ /^#/)
			continue
		n = split(line, cell, ",")
		if (!columns) {
			for (i = 1; i <= n; i++)
				name[i] = cell[i]
			columns = n
			continue
		}
		for (i = 1; i <= columns; i++)
			row[name[i]] = cell[i]
		if (row["filter"] == "" && has_model(row, stem) && announced(row))
			table[row["event"] (row["mask"] == "" ? "" : "." row["mask"])] = 1
	}
	close(file)
}

# `build` has the table that the build makes of the lists of intel/perfmon.
function read_table(    command, file)
{
	command = "ls pmu/events/" family ".csv pmu/events/" family "/*.csv " \
		build "/gen/pmu/" family "-*.csv 2>/dev/null"
	while ((command | getline file) > 0)
		read_file(file)
	close(command)
}

function check_plan(    name)
{
	read_table()
	for (name in table)
		if (!(name in planned))
			complain("not planned: " name)
	for (name in planned)
		if (!(name in table))
			complain("planned, but in no table: " name)
	if (told != nplanned)
		complain("groups says " told " events, there are " nplanned)
}

# A quantity of a `result` of the empty benchmark: no spread, and 0; or within a tick of a slow
# clock; or not farther off than the row allows.
function check_zero(key,    ticks, suffix, i)
{
	if (key in constant && value[key] ^ 2 <= constant[key] ^ 2)
		value[key] = 0
	ticks = value["mode"] == "rate" ? value["copies"] * value["loop"] : 1
	split(".min .low .high .max .below", suffix, " ")
	suffix[0] = ""
	for (i = 0; i < 6; i++)
		if (key suffix[i] in value && value[key suffix[i]] + 0 != 0 &&
		    !(key in slow && value[key suffix[i]] ^ 2 <= (1 / ticks + 0.0005) ^ 2))
			complain(key suffix[i] "=" value[key suffix[i]] " in " $0)
	if (!(key in slow) && (key ".max" in value || key ".below" in value))
		complain(key " has a spread in " $0)
}

# No 0 of these is a count, unless they moved meanwhile.
function note_still(    word, n, i)
{
	n = split(value["events"], word, " ")
	for (i = 1; i <= n; i++)
		still[word[i]] = 1
}

function note_empty(kind,    key, word, n, i)
{
	if (value["bench"] != empty)
		return
	if (kind == "zero") {
		n = split(value["events"], word, " ")
		for (i = 1; i <= n; i++)
			counted_in[word[i]]++
		return
	}
	empties++
	check_zero("tsc")
	# Derived from chains of adds, it is never better known than its bound, which core.below is.
	if ("core" in value && (value["core"] != 0 || "core.max" in value))
		complain("core is not 0 in " $0)
	for (key in value)
		if (key in planned) {
			counted_in[key]++
			check_zero(key)
		}
}

function check_empty(    name)
{
	if (!empties)
		complain("no result of " empty)
	for (name in planned)
		if (counted_in[name] != !underived[name] && !(still[name] && !counted_in[name]))
			complain(name " was counted " counted_in[name] + 0 " times in " empty)
	for (name in counted_in)
		if (!(name in planned))
			complain("counted, but not planned: " name)
}

function complain(what)
{
	print "  " what
	bad++
}

BEGIN {
	n = split(spec, want, ";")
	for (i = 1; i <= n; i++) {
		gsub(/^ +| +$/, "", want[i])
		split(want[i], word, " ")
		kind[i] = word[1]
		number[i] = word[2]
		least[i] = 1
		if (kind[i] == "atleast" || kind[i] == "exactly") {
			least[i] = word[2]
			if (kind[i] == "exactly")
				most[i] = word[2]
			kind[i] = word[3]
			sub(/^[a-z]+ +[0-9]+ +/, "", want[i])
		}
		exact = exact || kind[i] == "counted"
		if (kind[i] == "empty") {
			empty = word[2]
			for (k = 3; k in word; k++)
				if (split(word[k], part, "=") == 2)
					constant[part[1]] = part[2]
				else
					slow[word[k]] = 1
		}
	}
}

{
	sub(/\r$/, "")
	for (i = 1; i <= n; i++)
		if (want[i] ~ /^~/ && $0 ~ substr(want[i], 2))
			seen[i] = 1
}

/ #[0-9]+:[0-9a-f]+$/ {
	# The boot loader may have left its cursor in mid-line.
	sub(/^.*cpl0 schema=/, "cpl0 schema=")
	take_apart($0)
	first = $0
	sub(/ .*/, "", first)
	for (i = 1; i <= n; i++)
		if ((kind[i] == first || kind[i] == "!" first) && holds(want[i]))
			seen[i]++
	note_plan(first)
	if (first == "still")
		note_still()
	if (empty != "" && (first == "result" || first == "zero"))
		note_empty(first)
	if (first == "result") {
		if (exact)
			count_instructions()
		else
			results++
	}
}

END {
	for (i = 1; i <= n; i++) {
		if (want[i] == "" || want[i] == "-")
			continue
		if (kind[i] == "planned") {
			check_plan()
			continue
		}
		if (kind[i] == "empty") {
			check_empty()
			continue
		}
		if (kind[i] == "results")
			ok = results >= number[i]
		else if (kind[i] == "counted")
			ok = counted >= number[i]
		else
			ok = want[i] ~ /^!/ ? !seen[i] : enough(i)
		if (!ok) {
			print "  expected: " want[i]
			bad++
		}
	}
	exit bad > 0
}
