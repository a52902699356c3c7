# An empty CPL0.LOG of SECTORS sectors (docs/log-format.md, "CPL0.LOG"): a tag and blanks.
#
#	awk -v SECTORS=N -f boot/media/logfile.awk
BEGIN {
	blanks = sprintf("%495s\n", "")
	for (i = 0; i < SECTORS; i++)
		printf "~cpl0-000 %05d\n%s", i, blanks
}
