# Expands tests/machines/*/*.rows to one line a run, with its columns between `|`:
# name, runner, bits, cpu, mem, smp, firmware, how, options, exit, time, arguments, expectations
# between `;`.
# Complains about what it cannot read, by file and line, and then exits with 1.
# tests/machines/README.md says what the keys of a stanza mean.
function complain(line, what)
{
	print file ":" line ": " what >"/dev/stderr"
	bad = 1
}

BEGIN {
	n = split("name runner cpu bits mem smp firmware how options exit time arguments expect",
		list, " ")
	for (i = 1; i <= n; i++)
		known[list[i]] = 1
}

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function value_of(key, otherwise)
{
	return key in row ? row[key] : otherwise
}

# One run: model and width put into the name.
function print_run(cpu, bits,    name)
{
	name = row["name"]
	gsub(/\{cpu\}/, cpu, name)
	gsub(/\{bits\}/, bits, name)
	if (name in seen)
		complain(start, "the name " name " is there twice")
	seen[name] = 1
	if (bits != 32 && bits != 64)
		complain(start, name " has no bits, 32 or 64")
	print name "|" runner "|" bits "|" cpu "|" value_of("mem", runner == "sim" ? 32 : 64) "|" \
		value_of("smp", 1) "|" value_of("firmware", "bios") "|" value_of("how", "-") "|" \
		value_of("options", "-") "|" value_of("exit", 0) "|" value_of("time", 400) "|" \
		value_of("arguments", "-") "|" value_of("expect", "-")
}

# A stanza is complete: a run for each model in each of its widths.
function finish(    models, nmodels, widths, nwidths, m, w, at, cpu)
{
	if (!start)
		return
	runner = value_of("runner", "qemu")
	if (!("name" in row) || !("cpu" in row))
		complain(start, "a stanza needs name and cpu")
	nmodels = split(row["cpu"], models, " ")
	for (m = 1; m <= nmodels; m++) {
		cpu = models[m]
		widths[1] = ""
		nwidths = split(value_of("bits", ""), widths, " ")
		if (match(cpu, /\/(32|64|32,64)$/)) {
			nwidths = split(substr(cpu, RSTART + 1), widths, ",")
			cpu = substr(cpu, 1, RSTART - 1)
		}
		if (!nwidths)
			complain(start, cpu " has no bits")
		for (w = 1; w <= nwidths; w++)
			print_run(cpu, widths[w])
	}
	split("", row)
	start = 0
}

FNR == 1 {
	finish()
	file = FILENAME
}

/^#/ { next }

/^[ \t]*$/ {
	finish()
	next
}

# A line that begins with a blank continues the value above it.
/^[ \t]/ {
	if (!start)
		complain(FNR, "nothing to continue")
	row[key] = row[key] (row[key] ~ /,$/ ? "" : " ") trim($0)
	next
}

{
	at = index($0, ":")
	key = substr($0, 1, at - 1)
	if (!(key in known)) {
		complain(FNR, "'" $1 "' is no key")
		next
	}
	if (!start)
		start = FNR
	if (key in row && key != "expect")
		complain(FNR, key " is there twice")
	text = trim(substr($0, at + 1))
	if (key in row)
		text = row[key] "; " text
	row[key] = text
}

END {
	finish()
	exit bad
}
