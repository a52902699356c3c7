# sim/model/cpuid-table.awk - makes sim/model/cpuid.csv a C table.
BEGIN {
	FS = ","
	print "#include \"sim/model/models.h\""
	print "const struct cpuid_row cpuid_rows[] = {"
}
/^#/ || /^cpu,/ { next }
{
	printf "{ \"%s\", %s, %s, %s, { %s, %s, %s, %s } },\n", $1, $2, $3, $4, $5, $6, $7, $8
	n++
}
END {
	print "};"
	printf "const unsigned cpuid_rows_count = %d;\n", n
}
