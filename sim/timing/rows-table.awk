# sim/timing/rows-table.awk - makes sim/timing/rows/*.csv and sim/timing/measured.csv C tables.
BEGIN {
	FS = ","
	print "#include \"sim/timing/core.h\""
	print "static const struct core_row_text rows[] = {"
}
FNR == 1 {
	table = FILENAME
	sub(/.*\//, "", table)
	sub(/\.csv$/, "", table)
}
/^#/ || /^$/ || FNR == 1 { next }
NF != (table == "machines" ? 4 : table == "measured" ? 9 : 6) {
	printf "%s:%d: %d columns\n", FILENAME, FNR, NF > "/dev/stderr"
	failed = 1
	exit 1
}
$NF == "" {
	printf "%s:%d: the row names no source\n", FILENAME, FNR > "/dev/stderr"
	failed = 1
	exit 1
}
table == "measured" {
	measured[shares++] = sprintf("{ \"%s\", %d, %d },", $1, $8, $9)
	next
}
table == "machines" {
	machines[n++] = sprintf("{ \"%s\", %d, \"%s\", \"%s\", \"%s\" },", $1, FNR, $2, $3, $4)
	next
}
{
	printf "{ \"%s\", %d, \"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\" },\n", table, FNR,
		$1, $2, $3, $4, $5, $6
}
END {
	if (failed)
		exit 1
	print "};"
	print "const struct core_row_text *core_row_texts = rows;"
	print "size_t core_row_text_count = sizeof(rows) / sizeof(rows[0]);"
	print "const struct core_parameter_text core_parameter_texts[] = {"
	for (i = 0; i < n; i++)
		print machines[i]
	print "};"
	print "const size_t core_parameter_text_count ="
	print "\tsizeof(core_parameter_texts) / sizeof(core_parameter_texts[0]);"
	print "const struct core_share core_shares[] = {"
	for (i = 0; i < shares; i++)
		print measured[i]
	print "};"
	print "const size_t core_share_count = sizeof(core_shares) / sizeof(core_shares[0]);"
}
