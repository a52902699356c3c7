# To be read in by a script: what is on a stick or floppy of ours.

OFFSET=1048576 # of the stick's partition, bytes

# The records of a log. One that is longer than a sector has a tag in it.
records() # LOG
{
	tr -d '\r' <"$1" | sed ':a
		/~cpl0+[0-9]\{3\} [0-9]\{5\}$/ {
			N
			s/~cpl0+... .....\n//
			ba
		}' | grep -aE ' #[0-9]+:[0-9a-f]{8}$'
}

# Where CPL0.LOG lies, FIRST COUNT, as the menu tells the kernel.
extent() # MTOOLS-IMAGE MENU
{
	mtype -i "$1" "$2" | sed -n 's/.*logfile=\([0-9]*\)+\([0-9]*\).*/\1 \2/p' | head -n 1
}

# The image without the sectors of CPL0.LOG, as a hash.
rest() # IMAGE FIRST COUNT
{
	{ head -c $(($2 * 512)) "$1"; tail -c +$((($2 + $3) * 512 + 1)) "$1"; } | sha256sum
}
