#!/bin/sh
# Who may know whom. Prints what breaks the rules, and exits with 1 if anything does.
#
# tests/checks/check-layers.sh BUILD		check the sources, and the objects below BUILD
# tests/checks/check-layers.sh --self-test	break each rule in a copy, and see it reported
#
# Rooms: a file includes headers of its own room and of the rooms that the table below names.
# Circles: no source file uses a symbol of another one that uses one of its symbols, directly or by
# way of others. The objects tell who uses what. Files *_32 and *_64 belong to the file without that
# ending. boot/ is left out: the trap entries call C, and C starts them.
set -u

# ROOM: rooms that its files may include headers of. No two rooms may know each other, directly or
# by way of others.
rooms()
{
	cat <<-END
		boot:
		kernel/lib:
		kernel/cpu: kernel/lib
		kernel/chipset: kernel/lib kernel/cpu
		kernel/console: kernel/lib kernel/cpu kernel/chipset
		kernel/trap: boot kernel/lib kernel/cpu kernel/chipset
		kernel/smp: boot kernel/lib kernel/cpu kernel/chipset kernel/trap
		kernel/firmware: boot kernel/lib kernel/cpu kernel/chipset
		pmu: kernel/lib kernel/cpu kernel/chipset kernel/trap
		pmu/gen: pmu
		pmu/sampling: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu
		bench: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu
		bench/engine: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu bench
		bench/result: kernel/lib kernel/cpu kernel/trap pmu bench bench/engine
		bench/suite: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu bench bench/engine
		bench/instr: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu bench bench/engine
		bench/instr/gen: bench bench/instr kernel/lib kernel/cpu
		bench/coherence: kernel/lib kernel/cpu kernel/smp pmu bench bench/engine \
			bench/result bench/suite
		bench/datasheet: kernel/lib kernel/cpu pmu bench bench/engine bench/suite
		bench/sample: kernel/lib kernel/cpu pmu pmu/sampling bench bench/engine
		bench/ports: kernel/lib kernel/cpu pmu bench bench/engine
		bench/threads: kernel/lib kernel/cpu kernel/chipset kernel/trap kernel/smp pmu \
			bench bench/engine bench/result
		bench/run: kernel/lib kernel/cpu kernel/chipset kernel/console kernel/trap \
			kernel/firmware kernel/smp pmu bench bench/engine bench/result \
			bench/sample bench/ports bench/threads
		native: kernel/lib kernel/cpu kernel/chipset kernel/trap pmu pmu/sampling bench \
			bench/engine bench/coherence bench/suite bench/run tools/asm tools/lib
		tools/lib:
		tools/log: tools/lib
		tools/result: tools/lib tools/log
		tools/policy: tools/lib tools/log tools/result
		tools/events: pmu tools/lib
		tools/isa: kernel/cpu bench bench/instr tools/lib
		tools/samples: tools/log tools/result
		tools/report: tools/lib tools/log tools/result tools/samples tools/isa
		tools: tools/lib tools/log tools/result tools/samples tools/policy tools/events \
			tools/isa
		tools/asm:
		sim: sim/pmu sim/timing sim/model sim/cpu sim/step sim/pc sim/boot tools/asm \
			tools/lib
		sim/pmu:
		sim/timing: sim/pmu
		sim/model: sim/pmu sim/timing
		sim/cpu: sim/pmu sim/timing sim/model
		sim/step: sim/pmu sim/timing sim/model sim/cpu tools/lib
		sim/pc: sim/pmu sim/timing sim/model sim/cpu tools/lib
		sim/boot: sim/pmu sim/timing sim/model sim/cpu sim/pc tools/lib
		${also-}
	END
}

# The table itself: rooms that know each other.
check_table()
{
	rooms | awk '{
		for (i = 2; i <= NF; i++)
			print $i, substr($1, 1, length($1) - 1) }' | tsort 2>&1 >/dev/null |
		awk '!/contains a loop/ { print "rooms know each other: " $NF }'
}

# Lines `FILE HEADER`: the includes of the sources below the current folder.
includes()
{
	find boot kernel pmu bench native sim tools -path sim/tests -prune -o \
		-name '*.[chS]' -print | sort |
		xargs grep -HoE '^#[[:space:]]*include[[:space:]]+"[^"]+"' |
		sed -E 's/:#.*"([^"]+)"/ \1/'
}

check_rooms()
{
	{ rooms; includes; } | awk '
	function room(path) {
		sub(/\/[^\/]*$/, "", path)
		return path
	}
	$1 ~ /:$/ {
		name = substr($1, 1, length($1) - 1)
		allowed[name] = name
		for (i = 2; i <= NF; i++)
			may[name, $i] = 1
		next
	}
	$2 ~ /\// {
		from = room($1)
		to = room($2)
		if (!(from in allowed) && !told[from]++)
			print from "/ is no room that check-layers.sh knows"
		else if (from != to && !((from, to) in may))
			print $1 " includes " $2 ": " from " may not know " to
	}'
}

# Lines `UNIT UNIT SYMBOL`: the first one uses a symbol of the second one, in the objects below $1.
uses()
{
	units=$(mktemp) || exit 3
	for part in 32 64 native sim tools; do
		[ -d "$1/$part" ] || continue
		find "$1/$part" -name '*.o' | sort | while read -r object; do
			source=${object#"$1/$part/"}
			source=${source%.o}
			case $source in
			*.[cS]) ;;
			*) source=$part/$source.c ;;
			esac
			case $source in
			boot/*) continue ;;
			esac
			[ -e "$source" ] || continue # its source is gone
			unit=${source%.[cS]}
			unit=${unit%_32}
			echo "$object: ${unit%_64}"
		done >"$units"
		sed 's/: .*//' "$units" | xargs -r nm -AP | awk '
			NR == FNR { unit[$1] = $2; next }
			{ $1 = unit[$1] }
			$3 ~ /^[A-TV-Z]$/ && $3 != "U" { home[$2] = $1 }
			$3 == "U" { user[++n] = $1; used[n] = $2 }
			END {
				for (i = 1; i <= n; i++)
					if (used[i] in home && home[used[i]] != user[i])
						print user[i], home[used[i]], used[i]
			}' "$units" -
	done | sort -u
	rm -f "$units"
}

# Each circle as the uses between its files.
check_circles()
{
	list=$(mktemp) || exit 3
	uses "$1" >"$list"
	[ -s "$list" ] || echo "$1 has no objects"
	cut -d' ' -f1,2 "$list" | uniq | tsort 2>&1 >/dev/null | awk '
		/contains a loop/ { circle++; next }
		{ print circle, $2 }' | while read -r number unit; do
		echo "$number $unit"
	done | awk '
		NR == FNR { in_circle[$1, $2] = 1; if ($1 > n) n = $1; next }
		{ for (i = 1; i <= n; i++)
			if (in_circle[i, $1] && in_circle[i, $2])
				print "circle " i ": " $1 " uses " $3 " of " $2 }' - "$list" | sort
	rm -f "$list"
}

check()
{
	wrong=$(check_table; check_rooms; check_circles "$1")
	[ -n "$wrong" ] || { echo "layers: ok"; return 0; }
	printf '%s\n' "$wrong"
	return 1
}

# $1 what is broken, $2 what must be reported. The copy is put right again.
broken()
{
	if check build >said; then
		echo "FAIL $1: not noticed"
		failed=1
	elif ! grep -q "$2" said; then
		echo "FAIL $1: not named:"
		cat said
		failed=1
	else
		echo "pass $1"
	fi
}

# A source file with one function that calls another one, and its object.
unit()
{
	mkdir -p "$(dirname "$1")" "$(dirname "build/32/$1")"
	printf 'void %s(void);\nvoid %s(void) { %s(); }\nvoid %s(void);\n' "$3" "$2" "$3" "$2" |
		awk 'NR == 1 || NR == 2' >"$1"
	${CC:-cc} -w -c -o "build/32/$1.o" "$1" || exit 3
}

self_test()
{
	failed=0
	copy=$(mktemp -d) || exit 3
	trap 'rm -rf "$copy"' EXIT
	tar -c boot kernel pmu bench native sim tools | tar -x -C "$copy"
	cd "$copy" || exit 3
	unit kernel/one.c one two
	unit kernel/two.c two three
	unit kernel/three_32.c three four
	if check build; then echo "pass good"; else echo "FAIL good"; failed=1; fi
	unit kernel/three_32.c three one
	broken circle 'circle 1: kernel/three uses one of kernel/one'
	unit kernel/three_32.c three four
	for line in 'kernel/lib/log.c pmu/pmu.h' 'kernel/cpu/msr.c kernel/chipset/pic.h' \
		'kernel/chipset/pit.c kernel/trap/trap.h' \
		'bench/engine/emit.c bench/suite/generated.h' 'pmu/p5.c bench/bench.h' \
		'sim/timing/cache.c sim/cpu/machine.h' \
		'sim/cpu/msr.c kernel/lib/log.h' 'tools/log/record.c kernel/lib/log.h' \
		'pmu/p5.c tests/unit/pmu/pmu_mock.h'; do
		file=${line% *}
		cp "$file" kept
		echo "#include \"${line#* }\"" >>"$file"
		broken "$line" "^$file includes ${line#* }: "
		cp kept "$file"
	done
	also='kernel/lib: kernel/cpu'
	broken 'rooms that know each other' 'rooms know each other: kernel/lib'
	also=
	mkdir kernel/new
	echo '#include "kernel/lib/log.h"' >kernel/new/a.c
	broken 'a new room' 'kernel/new/ is no room'
	[ "$failed" -eq 0 ]
}

cd "$(dirname "$0")/../.." || exit 3
case ${1-} in
--self-test) self_test ;;
'') echo "usage: check-layers.sh BUILD | --self-test" >&2; exit 3 ;;
*) check "$1" ;;
esac
