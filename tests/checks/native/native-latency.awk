# What the records of many runs of cpl0-native say of latencies, which are whole numbers of core
# clocks: for each benchmark the median, the spread, the worst distance from the nearest whole
# number and the share of runs within 1 % of it. A run without `core` is not within, nor is a run
# whose `core.bound` says that it may be more than 2 % off. Chains of x87 instructions, divisions
# and square roots are printed and not judged: they are 6.5 and 13.5 clocks on a Zen 3.
#
#	awk -v runs=N -f tests/checks/native/native-latency.awk LOG...
#
# The last line: GOOD of ALL within 1 %, GIVEN given. The others could not be told on so busy a
# machine.

function is_whole(name)
{
	return name !~ /^fp\.(x87_|div|sqrt)/
}

$1 == "result" {
	split("", v)
	for (i = 2; i <= NF; i++) {
		at = index($i, "=")
		v[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	name = v["bench"]
	if (!(name in seen))
		order[++names] = name
	seen[name]++
	dropped[name] += v["dropped.interrupt"] + v["dropped.clock"] + v["dropped.shared"]
	samples[name] += 2 * v["runs"] + v["dropped.interrupt"]
	if (!("core" in v) || "core.below" in v)
		next
	core[name, ++given[name]] = v["core"]
	whole = v["core"] < 1 ? 1 : int(v["core"] + 0.5)
	off = (v["core"] - whole) / whole * 100
	off = off < 0 ? -off : off
	if (off > worst[name])
		worst[name] = off
	good[name] += off <= 1 && v["core.bound"] <= 0.02 * whole
}

function sort_cores(name,    i, j, x)
{
	for (i = 2; i <= given[name]; i++) {
		x = core[name, i]
		for (j = i - 1; j > 0 && core[name, j] > x; j--)
			core[name, j + 1] = core[name, j]
		core[name, j + 1] = x
	}
}

END {
	printf "%-22s %8s %8s %8s %10s %10s %8s\n", "latency, core clocks", "median", "min", "max",
		"worst off", "within 1 %", "dropped"
	for (k = 1; k <= names; k++) {
		name = order[k]
		n = given[name]
		sort_cores(name)
		judged = is_whole(name)
		printf "%-22s %8.3f %8.3f %8.3f %10s %10s %6.1f %%\n", name,
			core[name, int((n + 1) / 2)], core[name, 1], core[name, n],
			judged ? sprintf("%.2f %%", worst[name]) : "-",
			judged ? sprintf("%d/%d", good[name], runs) : "-",
			100 * dropped[name] / samples[name]
		if (!judged)
			continue
		all += runs
		within += good[name]
		told += n
	}
	printf "%d of %d within 1 %%, %d given\n", within, all, told
	exit !names
}
