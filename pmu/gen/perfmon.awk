# pmu/gen/perfmon.awk - makes an event table (docs/design/event-tables.md) of the lists of
# intel/perfmon. Each row of a list becomes a row of the model that has the list's name. Call:
# awk -f ... perfmon.csv
#
# Where the table differs from the list, a function below has the rule and its reason. The columns
# about PEBS are left out. Deprecated events are kept. pmu/arch.c knows which select reads which
# register.
BEGIN {
	FS = OFS = ","
	print "# Source: intel/perfmon (docs/references.md), by the rules of pmu/gen/perfmon.awk."
	print "event,code,umask,counters,alone,cmask,flags,filter,value,errata,models"
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	columns = NF
	next
}
NF != columns {
	fail("not " columns " columns")
}
{
	for (i = 1; i <= NF; i++)
		gsub(/  +/, " ", $i)
	event = cell("event")
	msr = tolower(cell("msr_index"))
	if (cell("counters") == "")
		fail("no counters")
	print name(), code(), umask(), counters(), alone(), cell("cmask"), flags(), filter(), \
		value(), cell("errata"), cell("list")
}
END {
	exit failed
}

function fail(text)
{
	print FILENAME ":" NR ": " text >"/dev/stderr"
	failed = 1
	exit 1
}

function cell(column)
{
	if (!(column in at))
		fail("no column " column)
	return $at[column]
}

# NAME:request=A:response=B (Cascade Lake) is NAME.A.B: a colon and an equals sign begin a modifier.
function name(    text)
{
	text = event
	gsub(/:(request|response)=/, ".", text)
	return text
}

# Bonnell's list has code 0AH for fixed counters, the others 0; no register takes it.
function code()
{
	return is_fixed() ? "0x00" : tolower(cell("code"))
}

# The upper bits of a unit mask (version 6) stand in a column of their own. Unit mask 01H reads
# 1A6H, 02H reads 1A7H: of two unit masks, the event has that of the register which the list names
# alone.
function umask(    low, high, mask)
{
	low = tolower(cell("umask"))
	if (split(low, mask, " ") == 2 && msr ~ /^0x1a[67]$/)
		low = mask[msr == "0x1a6" ? 1 : 2]
	high = tolower(cell("umask_ext"))
	sub(/^0x/, "", high)
	if (high == "")
		return low
	sub(/^0x/, "", low)
	return "0x" high substr("00" low, length(low) + 1)
}

function is_fixed()
{
	return cell("counters") ~ /^fixed/
}

# Fixed counters are numbered from 0 as in the SDM, volume 3B, "Fixed-function Performance
# Counters". The lists of Bonnell, Silvermont, Nehalem and Westmere number them from 1, and that of
# Jaketown has the number of another event at THREAD_ANY.
function counters()
{
	if (!is_fixed())
		return cell("counters")
	if (event ~ /^INST_RETIRED\./)
		return "fixed0"
	if (event ~ /^CPU_CLK_UNHALTED\.REF/)
		return "fixed2"
	if (event ~ /^CPU_CLK_UNHALTED\./)
		return "fixed1"
	return cell("counters")
}

# A fixed counter is the same with Hyper-Threading and without.
function alone()
{
	if (is_fixed() || cell("counters_ht_off") == cell("counters"))
		return ""
	return cell("counters_ht_off")
}

function flags(    list)
{
	list = cell("inv") == 1 ? " inv" : ""
	list = list (cell("edge") == 1 ? " edge" : "")
	list = list (cell("any") == 1 ? " any" : "")
	list = list (needs_auxiliary() ? " aux" : "")
	return substr(list, 2)
}

# The load latency of Golden Cove needs event 03H, unit mask 82H on counter 0 (Linux: the event
# mem-loads-aux of these three).
function needs_auxiliary()
{
	return event ~ /^MEM_TRANS_RETIRED\.LOAD_LATENCY_GT_/ &&
		cell("list") ~ /^(alderlake_goldencove|sapphirerapids|emeraldrapids)$/
}

# Which register an event needs. Two selects or two unit masks are those of an offcore response,
# also where the list names no register (OFFCORE_RESPONSE): the user gives the value.
function filter()
{
	if (msr == "0x3f6")
		return "ldlat"
	if (msr == "0x3f7")
		return "frontend"
	if (msr ~ /^0x(1a[67]|3e0)/ || msr == "" && (cell("code") cell("umask")) ~ / /)
		return "offcore"
	if (msr != "")
		fail("no filter has the register " msr)
	return ""
}

# The lists of Nehalem and Westmere leave the threshold of LATENCY_ABOVE_THRESHOLD_0 empty.
function value()
{
	return filter() == "ldlat" && cell("msr_value") == "" ? "0" : tolower(cell("msr_value"))
}
