# sim/pmu/perfmon-table.awk - makes C tables of what perfmon-list.awk made: the list of each model,
# and its events that sim/pmu/derived.csv derives. Call: awk -f ... derived.csv perfmon.csv
BEGIN {
	FS = ","
	print "#include \"sim/pmu/events.h\""
}
/^#/ || /^model,/ || /^event,/ { next }
NR == FNR {
	name[++rules] = $1
	for_models[rules] = " " $2 " "
	signals[rules] = $3
	next
}
$1 != model {
	end()
	model = $1
	derived = ""
	print "static const struct sim_listed " model "[] = {"
}
{
	rule = find($8)
	not = signals[rule] ~ /^\(/
	printf "{ \"%s\", %s, %s, %s, %s, %s, %s, %s },\n", $8, $2, $3, $4, $5, $6, $7,
		not ? "\"" substr(signals[rule], 2, length(signals[rule]) - 2) "\"" : 0
	at = model $2 $3
	if (at in seen && seen[at] != signals[rule])
		fail($8 " shares its encoding with an event of other signals")
	seen[at] = signals[rule]
	if (rule && !not)
		derived = derived sprintf("EVC(\"%s\", %s, %s, 0, 0, %s, %s, %s, %s, %s),\n", $8,
			$2, $3, "\"intel/perfmon\"", $4, $5, $6, terms(signals[rule]))
}
END {
	end()
	for (i = 1; i <= rules; i++)
		if (!used[i])
			fail("derived.csv: no list has " name[i])
	exit failed
}

function find(event, i)
{
	for (i = 1; i <= rules; i++)
		if (for_models[i] == "  " || index(for_models[i], " " model " "))
			if (event == name[i] || (name[i] ~ /\*$/ &&
			    index(event, substr(name[i], 1, length(name[i]) - 1)) == 1)) {
				used[i] = 1
				return i
			}
	return 0
}

function terms(list, word, n, i, pair, text)
{
	n = split(list, word, " ")
	for (i = 1; i <= n; i++) {
		if (split(word[i], pair, "*") == 1) {
			pair[2] = pair[1]
			pair[1] = 1
		}
		text = text (i > 1 ? ", " : "") "{ SIG_" pair[2] ", " pair[1] " }"
	}
	return text
}

function fail(text)
{
	print "perfmon-table.awk: " text >"/dev/stderr"
	failed = 1
}

function end()
{
	if (model == "")
		return
	print "};"
	printf "const struct sim_list sim_list_%s = { %s, sizeof(%s) / sizeof(%s[0]) };\n", model,
		model, model, model
	printf "static const struct sim_event %s_derived[] = {\n%s};\n", model, derived
	printf "const struct sim_event_table sim_events_%s = EVENT_TABLE(%s_derived);\n", model,
		model
}
