# sim/pmu/perfmon-list.awk - the lists of intel/perfmon that are those of the simulator's models:
# which counters can count which encoding, and the maker's name for it. This is the simulator's own
# reading of the lists; pmu/gen/perfmon.awk is the kernel's. Call: awk -f ... perfmon.csv
#
# Several events may have the same encoding: offcore responses differ by a register alone, and the
# bit for both threads of a core is no part of an encoding here. Then the first name of the list
# stands for all. `counters` is a bitmap and holds with Hyper-Threading on. Events of fixed counters
# are left out.
BEGIN {
	FS = ","
	# The list of each model.
	model["nehalemep"] = "nehalem"
	model["jaketown"] = "sandybridge"
	model["skylake"] = "skylake"
	model["icelake"] = "icelake"
	model["sapphirerapids"] = "goldencove"
	model["sierraforest"] = "sierraforest"
	print "model,code,umask,cmask,inv,edge,counters,event"
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
$at["list"] != list {
	end()
	list = $at["list"]
	if (list in seen)
		fail("the list " list " is in two pieces")
}
!(list in model) || $at["counters"] ~ /^fixed/ { next }
$at["umask_ext"] != "" { fail($at["event"] ": unit masks of 16 bits are not known here") }
{
	# Two selects or two unit masks are two ways to count the event.
	codes = split($at["code"], code, / +/)
	umasks = split($at["umask"], umask, / +/)
	for (c = 1; c <= codes; c++)
		for (u = 1; u <= umasks; u++)
			add(hex(code[c]) "," hex(umask[u]) "," $at["cmask"] + 0 "," \
				$at["inv"] + 0 "," $at["edge"] + 0, $at["counters"])
}
END {
	end()
	for (i in model)
		if (!(i in seen))
			fail("there is no list " i)
	exit failed
}

# 0xB and 0XB7 as the table has them: 0x0b, 0xb7.
function hex(text)
{
	text = tolower(substr(text, 3))
	return "0x" (length(text) == 1 ? "0" : "") text
}

function add(encoding, counters)
{
	if (!(encoding in event)) {
		order[++rows] = encoding
		event[encoding] = $at["event"]
		can[encoding] = counters
	} else if (can[encoding] != counters) {
		fail($at["event"] " has other counters than " event[encoding])
	}
}

# "0 1 3" -> 0xb
function bitmap(counters,    n, i, number, bits)
{
	n = split(counters, number, " ")
	for (i = 1; i <= n; i++)
		bits += 2 ^ number[i]
	return sprintf("0x%x", bits)
}

# What an encoding is sorted by: the counter mask is decimal, the rest is as wide in each row.
function key(encoding,    part)
{
	split(encoding, part, ",")
	return sprintf("%s%s%03d%s%s", part[1], part[2], part[3], part[4], part[5])
}

# The rows of the list by encoding.
function end(    i, k, row)
{
	for (i = 2; i <= rows; i++) {
		row = order[i]
		for (k = i; k > 1 && key(order[k - 1]) > key(row); k--)
			order[k] = order[k - 1]
		order[k] = row
	}
	for (i = 1; i <= rows; i++)
		print model[list] "," order[i] "," bitmap(can[order[i]]) "," event[order[i]]
	rows = 0
	split("", event)
	split("", can)
	seen[list] = 1
}

function fail(text)
{
	print "perfmon-list.awk: " text >"/dev/stderr"
	failed = 1
}
