#!/bin/sh
# Whole boots that go wrong while the log is written to a floppy or stick: the power is cut, the
# medium is swapped, reads and writes fail. The moment is drawn from a seed. Afterwards the file
# system is clean, no sector outside of CPL0.LOG differs, no older run does, and the next boot
# saves.
#
#	[SEED=N] [MEDIA="floppy stick"] [FAULTS="power_cut swap errors"] \
#		tests/checks/save-faults.sh BUILD [DRAWS]
#
# DRAWS of each fault on each medium, 3 unless told.
B=${1:-build} draws=${2:-3}
dir=$B/save-faults
seed=${SEED:-1}
passed=0 failed=0 warned=0
rm -rf "$dir"
mkdir -p "$dir" || exit 1
for tool in qemu-system-x86_64 mcopy fsck.fat; do
	command -v $tool >/dev/null || [ -x /sbin/$tool ] || {
		echo "$tool is missing: run \`make deps-test\`"
		exit 1
	}
done
PATH=$PATH:/sbin:/usr/sbin
. tests/checks/media.sh

# Sets drawn to a number below N.
draw() # N
{
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	drawn=$(((seed >> 8) % $1))
}

# ---- Media ----

# The options of QEMU that boot from a medium. DRIVE is what `file=` says.
machine() # KIND DRIVE
{
	case $1 in
	floppy) echo "-cpu pentium -m 16 -boot a -drive if=floppy,format=raw,file=$2" ;;
	stick) echo "-cpu max -m 64 -device qemu-xhci -drive if=none,id=drive,format=raw,file=$2
		-device usb-storage,drive=drive,id=stick,removable=on" ;;
	esac
}

make_medium() # KIND FILE
{
	case $1 in
	floppy) boot/media/mkfloppy.sh -b "$B" -t 0 -a "$arguments" "$2" ;;
	stick) boot/media/mkusb.sh -b "$B" -t 0 -a "$arguments" "$2" ;;
	esac || exit 1
}

# What mtools and fsck.fat call the file system.
volume() # KIND FILE
{
	case $1 in
	floppy) echo "$2" ;;
	stick) echo "$2@@$OFFSET" ;;
	esac
}

# Sets first and count, where CPL0.LOG lies.
find_file() # KIND FILE
{
	case $1 in
	floppy) menu=::GRUB.CFG ;;
	stick) menu=::boot/grub/grub.cfg ;;
	esac
	# shellcheck disable=SC2046 # two words
	set -- $(extent "$(volume "$1" "$2")" $menu)
	first=$1 count=$2
}

log_of() # FILE
{
	tail -c +$((first * 512 + 1)) "$1" | head -c $((count * 512))
}

is_clean() # KIND FILE
{
	if [ "$1" = stick ]; then
		tail -c +$((OFFSET + 1)) "$2" >"$dir/volume"
	else
		cp "$2" "$dir/volume"
	fi
	fsck.fat -n "$dir/volume" >"$dir/fsck" 2>&1 || complain "fsck.fat is not content"
}

# Keeps what FILE holds, for nothing_lost.
remember() # FILE
{
	log_of "$1" >"$1.log"
	rest "$1" $first $count >"$1.rest"
}

# Bytes of the file up to its first free sector.
used() # LOG
{
	at=$(grep -abo -m 1 '^~cpl0-' "$1" | head -n 1 | cut -d: -f 1)
	echo "${at:-$((count * 512))}"
}

nothing_lost() # KIND FILE
{
	is_clean "$1" "$2"
	rest "$2" $first $count | cmp -s - "$2.rest" || complain "a sector outside differs"
	log_of "$2" | cmp -s -n "$(used "$2.log")" - "$2.log" || complain "an older run differs"
}

# ---- Runs ----

complain() # TEXT
{
	echo "$name: $1"
	good=no
	mkdir -p "$dir/$name"
	cp "$dir/serial" "$dir/sent" "$dir/behind" "$dir/"?.img.log "$dir/$name/" 2>/dev/null
}

# Starts a machine. Its serial line goes to $log, and its monitor listens to file descriptor 9.
start() # OPTIONS...
{
	log=$dir/serial
	: >"$log"
	rm -f "$dir/monitor"
	mkfifo "$dir/monitor"
	# shellcheck disable=SC2068 # words are meant
	qemu-system-x86_64 -accel tcg -display none -net none -no-reboot -monitor stdio \
		-serial "file:$log" -device isa-debug-exit,iobase=0xf4,iosize=4 \
		$@ <"$dir/monitor" >"$dir/answers" 2>&1 &
	pid=$!
	exec 9>"$dir/monitor"
}

finish()
{
	waited=0
	while kill -0 $pid 2>/dev/null && [ $waited -lt 600 ]; do
		sleep 0.2
		waited=$((waited + 1))
	done
	kill -0 $pid 2>/dev/null && complain "it does not end"
	stop
}

stop()
{
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	pid=
	exec 9>&-
}

pid=
trap '[ ! "$pid" ] || kill -KILL $pid 2>/dev/null' EXIT

# A boot without faults: the run is on the medium as it went over the line.
saves() # KIND FILE
{
	remember "$2"
	start $(machine "$1" "$2")
	finish
	grep -q '^done status=ok' "$log" || complain "the next boot is not done"
	if grep -q '^warn what=save' "$log"; then
		complain "$(grep '^warn what=save' "$log")"
	else
		at=$(sed -n 's/^save .* sector=\([0-9]*\) .*/\1/p' "$log")
		log_of "$2" | tail -c +$((at * 512 + 1)) >"$dir/all"
		head -c "$(used "$dir/all")" "$dir/all" >"$dir/behind"
		"$B/cpl0-log" check "$dir/behind" >"$dir/check" 2>&1 ||
			complain "the next boot's run is damaged"
		records "$log" >"$dir/sent"
		records "$dir/behind" | tail -n "$(wc -l <"$dir/sent")" | cmp -s - "$dir/sent" ||
			complain "the next boot's run differs"
	fi
	nothing_lost "$1" "$2"
	cp "$log" "$dir/$name.next"
}

# Until the log has so many lines, or until the run has ended; and then a moment longer.
wait_a_while()
{
	draw $((lines + 1))
	until [ "$(wc -l <"$log")" -ge $drawn ] || ! kill -0 $pid 2>/dev/null; do
		sleep 0.02
	done
	draw 300
	sleep 0.$(printf %03d $drawn)
}

power_cut() # KIND
{
	start $(machine "$1" "$dir/a.img")
	wait_a_while
	stop
}

swap() # KIND
{
	make_medium "$1" "$dir/b.img"
	saves "$1" "$dir/b.img"
	remember "$dir/b.img"
	start $(machine "$1" "$dir/a.img")
	until [ -s "$log" ] || ! kill -0 $pid 2>/dev/null; do
		sleep 0.05 # the boot loader reads from an empty drive for ever
	done
	wait_a_while
	case $1 in
	floppy) drive=floppy0 ;;
	stick) drive=drive ;;
	esac
	# A person's hand leaves the drive empty for a while. Without that the new medium could come
	# between the reading of a free sector and its writing, which nobody can do.
	draw 300
	trap '' PIPE # it may have ended
	echo "eject -f $drive" >&9 2>/dev/null
	sleep 0.$((200 + drawn))
	echo "change $drive $dir/b.img raw" >&9 2>/dev/null
	trap - PIPE
	finish
}

# Errors in the Nth reading or writing behind the first write, which is the kernel's: once or from
# then on. Or in a sector.
errors() # KIND
{
	draw 2
	event=$([ $drawn = 0 ] && echo read_aio || echo write_aio)
	draw 3
	if [ $drawn = 0 ]; then
		draw 30
		at=$((first + $(used "$dir/a.img.log") / 512 + drawn))
		printf '[inject-error]\nevent = "%s"\nerrno = "5"\nsector = "%s"\n' $event $at
	else
		draw 20
		states=$((drawn + 2)) state=2
		printf '[set-state]\nevent = "write_aio"\nstate = "1"\nnew_state = "2"\n'
		while [ $state -le $states ]; do
			printf '[set-state]\nevent = "%s"\nstate = "%s"\nnew_state = "%s"\n' \
				$event $state $((state + 1))
			state=$((state + 1))
		done
		draw 2
		printf '[inject-error]\nevent = "%s"\nerrno = "5"\nstate = "%s"\nonce = "%s"\n' \
			$event $state $([ $drawn = 0 ] && echo on || echo off)
	fi >"$dir/errors.conf"
	start $(machine "$1" "blkdebug:$dir/errors.conf:$dir/a.img")
	finish
}

# One fault and what follows from it.
one() # KIND FAULT NUMBER
{
	name=$1-$2-$3 good=yes
	remember "$dir/a.img"
	draw 8
	# Behind an error in the search some free sectors may stay, so those in use are counted.
	if [ $drawn = 0 ] || [ "$(grep -ac '^~cpl0 ' "$dir/a.img.log")" -gt $((count / 2)) ]; then
		make_medium "$1" "$dir/a.img"
		remember "$dir/a.img"
	fi
	$2 "$1"
	cp "$log" "$dir/$name.log"
	cp "$dir/answers" "$dir/$name.answers"
	! grep -q '^warn what=save' "$log" || warned=$((warned + 1))
	for medium in a b; do
		[ $2-$medium != power_cut-b ] && [ $2-$medium != errors-b ] || continue
		nothing_lost "$1" "$dir/$medium.img"
		saves "$1" "$dir/$medium.img"
	done
	if [ $good = yes ]; then
		passed=$((passed + 1))
		rm -f "$dir/$name.log" "$dir/$name.next" "$dir/$name.answers"
	else
		failed=$((failed + 1))
	fi
}

export SOURCE_DATE_EPOCH=0
arguments='exit=debug bench=instr.lat.a* runs=1 warmup=0'
for kind in ${MEDIA:-floppy stick}; do
	name=$kind-first good=yes
	make_medium $kind "$dir/a.img"
	find_file $kind "$dir/a.img"
	saves $kind "$dir/a.img"
	lines=$(wc -l <"$dir/$name.next")
	[ $good = yes ] || failed=$((failed + 1))
	for fault in ${FAULTS:-power_cut swap errors}; do
		i=0
		while [ $i -lt "$draws" ]; do
			i=$((i + 1))
			one $kind $fault $i
		done
	done
done
echo "seed ${SEED:-1}, $draws draws of 3 faults on ${MEDIA:-floppy and stick}: $warned runs warned"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
