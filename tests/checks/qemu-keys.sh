# To be read in by a script: a machine in QEMU with a user. Its monitor presses keys and
# shows the screen.
#
#	qemu_start LOG OPTION...	starts it, with the log of its serial port in LOG
#	qemu_wait TEXT [N]		until N lines of the log match, at most two minutes
#	qemu_keys KEY...		presses keys, by QEMU's names
#	qemu_screen			prints the text screen, a row a line
#	qemu_do COMMAND			does a command of the monitor
#	qemu_ends			waits until it has switched itself off; fails if it does not
#	qemu_stop			ends it and removes its files

qemu_start()
{
	qemu_log=$1
	qemu_dir=$(mktemp -d) || exit 1
	shift
	: >"$qemu_log"
	mkfifo "$qemu_dir/monitor"
	qemu-system-x86_64 -accel tcg -display none -net none -monitor stdio \
		-serial "file:$qemu_log" "$@" <"$qemu_dir/monitor" >"$qemu_dir/answers" 2>&1 &
	qemu_pid=$!
	exec 9>"$qemu_dir/monitor"
	trap qemu_stop EXIT
}

qemu_wait()
{
	n=0
	until [ "$(grep -c "$1" "$qemu_log")" -ge "${2:-1}" ] || [ $n -ge 600 ]; do
		sleep 0.2
		n=$((n + 1))
	done
	sleep 0.5
}

qemu_do()
{
	echo "$1" >&9
}

# A key is pressed for a tenth of a second. Then the screen has time.
qemu_keys()
{
	for key; do
		qemu_do "sendkey $key"
		sleep 0.2
	done
	sleep 0.5
}

# Colours on black are attributes below 16, which are no characters of ours.
qemu_screen()
{
	rm -f "$qemu_dir/text"
	qemu_do "pmemsave 0xb8000 4000 \"$qemu_dir/text\""
	sleep 0.3
	tr -d '\001-\017' <"$qemu_dir/text" | fold -w 80 | sed 's/ *$//'
}

qemu_ends()
{
	n=0
	while kill -0 "$qemu_pid" 2>/dev/null && [ $n -lt 50 ]; do
		sleep 0.2
		n=$((n + 1))
	done
	! kill -0 "$qemu_pid" 2>/dev/null
}

qemu_stop()
{
	trap - EXIT
	kill -KILL "$qemu_pid" 2>/dev/null
	wait "$qemu_pid" 2>/dev/null
	exec 9>&-
	rm -rf "$qemu_dir"
}
