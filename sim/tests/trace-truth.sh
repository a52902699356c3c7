#!/bin/sh
# Are `trace` records what happened? The simulator writes down each instruction at CPL 3 with its
# clocks and events (--trace). From that alone this script says what the counters must have shown at
# every clock, and compares.
#
# sim/tests/trace-truth.sh BUILD
set -u
B=$1
DIR=$B/trace-truth
status=0

mkdir -p "$DIR" || exit 1

# Passes of the body through the step log, the last ones of which were stopped. A machine that
# freezes shows the clock that was asked for, and all that retired up to its end; another one shows
# what stood before the interrupt.
cat >"$DIR/compare.awk" <<'END'
function hex(s,    n, i) {
	n = 0
	for (i = 1; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}
function field(name,    i) {
	for (i = 2; i <= NF; i++)
		if (index($i, name "=") == 1)
			return substr($i, length(name) + 2)
	return ""
}
function happened(what) {
	if (what ~ /^(INST_RETIRED|Instruction_Retired)$/)
		return 1
	if (what ~ /Branch_Instruction/)
		return $0 ~ / BRANCHES/ ? 1 : 0
	if (what ~ /L1_MISS/)
		return $0 ~ / L1D_LOAD_MISS/ ? 1 : 0
	bad("no signal is known for " what)
	return 0
}
function bad(why) {
	print "trace-truth: " why
	failed = 1
}
FNR == NR && $1 == "tracing" {
	t++
	event[t] = field("event")
	at = field("at")
	sub(/^0x/, "", at)
	clocks[t] = field("clocks") + 0
	runs[t] = field("runs") + 0
	freeze = field("freeze") + 0
	all += runs[t]
}
FNR == NR && $1 == "trace" {
	c = field("clock") + 0
	seen[t, c] = field("stops") " " field("min") " " field("max")
	records++
}
FNR == NR {
	next
}
$5 == at && !/ -- interrupt/ {
	passes++
	lines[passes] = 0
	begin[passes] = $3
}
!passes || hex($5) < hex(at) || hex($5) > hex(at) + 64 {
	next
}
/ -- interrupt/ {
	cut[passes] = lines[passes]
	next
}
{
	n = ++lines[passes]
	end[passes, n] = $3 + substr($4, 2) - begin[passes]
	for (i = 1; i <= t; i++)
		hits[i, passes, n] = happened(event[i])
}
function tell(i, clock, p, last,    n, sum) {
	for (n = 1; n <= last; n++)
		if (end[p, n] <= clock)
			sum += hits[i, p, n]
	sum += 0
	stops[i, clock]++
	if (stops[i, clock] == 1 || sum < least[i, clock])
		least[i, clock] = sum
	if (sum > most[i, clock])
		most[i, clock] = sum
	most[i, clock] += 0
}
END {
	p = passes - all
	for (i = 1; i <= t; i++) {
		p += 2
		for (r = 0; r < runs[i] - 2; r++) {
			p++
			k = r % clocks[i] + 1
			if (freeze && k <= end[p, lines[p]])
				tell(i, k, p, lines[p])
			else if (!freeze && p in cut && cut[p])
				tell(i, end[p, cut[p]], p, cut[p])
		}
		last = ""
		for (c = 0; c <= clocks[i]; c++) {
			if (!((i, c) in stops))
				continue
			now = least[i, c] " " most[i, c]
			want = stops[i, c] " " now
			# A clock that shows what the one before showed has no record.
			if (now == last && !((i, c) in seen))
				want = ""
			if (seen[i, c] != want)
				bad(event[i] " at clock " c ": the log says \"" seen[i, c] \
				    "\", the steps say \"" want "\"")
			last = now
			compared++
		}
		for (c = 0; c <= 1024; c++)
			if (((i, c) in seen) && !((i, c) in stops))
				bad(event[i] " at clock " c ": nothing stopped there")
	}
	if (compared < 10 || records < 8)
		bad("only " compared + 0 " clocks were compared with " records + 0 " records")
	if (!failed)
		print "trace-truth: " compared " clocks of " t " events"
	exit failed
}
END

# MODEL BITS CODE EVENTS [LATENCY OF THE INTERRUPT]
truth()
{
	timeout 300 "$B/cpl0-sim" --cpu "$1" --mem 32 --pmi-latency "${5:-0}" \
		--trace "$DIR/$1.steps" --trace-cpl 3 "$B/$2/cpl0.elf" \
		"bench=code code=$3 trace=$4 runs=2 events=instructions exit=debug" \
		>"$DIR/$1.log" 2>/dev/null || { echo "trace-truth: $1 did not end well"; status=1; }
	awk -f "$DIR/compare.awk" "$DIR/$1.log" "$DIR/$1.steps" || status=1
	rm -f "$DIR/$1.steps"
}

# A load that misses every cache, a multiplication, a division, a branch
truth skylake 64 0fae3e8b060fafc031d2f7f185c074000fafc0 \
	instructions,branches,MEM_LOAD_RETIRED.L1_MISS 25
# The Pentium III has no CLFLUSH, and does not freeze
block=8b060fafc031d2f7f185c07400
truth p3 32 $block$block$block$block instructions
exit $status
