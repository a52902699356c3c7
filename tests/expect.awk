# Does a log show what a row of tests/machines expects? Prints each expectation that it does not
# meet; exit code 1 if there is one. `spec` is expectations separated by `;`:
#
#	KIND KEY=GLOB ...	there is a record of this kind with these values
#	!KIND KEY=GLOB ...	there is none
#	results N		at least N `result` records
#	counted N		at least N of them know their instructions, and in all of those the
#				time stamp counter says the same, exactly (QEMU -icount)
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
			value[substr(field, 1, at - 1)] = substr(field, at + 2, length(field) - at - 2)
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

BEGIN {
	n = split(spec, want, ";")
	for (i = 1; i <= n; i++) {
		gsub(/^ +| +$/, "", want[i])
		split(want[i], word, " ")
		kind[i] = word[1]
		number[i] = word[2]
		exact = exact || kind[i] == "counted"
	}
}

{
	sub(/\r$/, "")
	for (i = 1; i <= n; i++)
		if (want[i] ~ /^~/ && $0 ~ substr(want[i], 2))
			seen[i] = 1
}

/ #[0-9]+:[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/ {
	sub(/^.*cpl0 schema=/, "cpl0 schema=") # the boot loader may have left its cursor in mid-line
	take_apart($0)
	first = $0
	sub(/ .*/, "", first)
	for (i = 1; i <= n; i++)
		if ((kind[i] == first || kind[i] == "!" first) && holds(want[i]))
			seen[i] = 1
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
		if (kind[i] == "results")
			ok = results >= number[i]
		else if (kind[i] == "counted")
			ok = counted >= number[i]
		else
			ok = want[i] ~ /^!/ ? !seen[i] : seen[i]
		if (!ok) {
			print "  expected: " want[i]
			bad++
		}
	}
	exit bad > 0
}
