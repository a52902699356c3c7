# sim/pmu/perfmon-table.awk - makes sim/pmu/perfmon.csv C tables, one for each model.
BEGIN {
	FS = ","
	print "#include \"sim/pmu/events.h\""
}
/^#/ || /^model,/ { next }
$1 != model {
	end()
	model = $1
	print "static const struct sim_listed " model "[] = {"
}
{ printf "{ \"%s\", %s, %s, %s, %s, %s, %s },\n", $8, $2, $3, $4, $5, $6, $7 }
END { end() }

function end()
{
	if (model == "")
		return
	print "};"
	printf "const struct sim_list sim_list_%s = { %s, sizeof(%s) / sizeof(%s[0]) };\n", model,
		model, model, model
}
