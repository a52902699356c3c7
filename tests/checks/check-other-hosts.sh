#!/bin/bash
# What is generated, and what cpl0-native does, is the same on other CPUs, with other locales and
# with one core. CPL0_HIDE makes cpl0-native behave as on a CPU without some features. Prints a
# line a test and `N passed, N failed, N skipped`.
#
#	tests/checks/check-other-hosts.sh [BUILD]
set -u
build=${1:-build}
native=$build/cpl0-native
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() { # $1 test, $2 what is wrong or nothing
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
	fi
}

# The environments: a name, and what stands before the command.
avx512=$("$native" bench=nothing | grep -a '^features ' | grep -oE 'avx512[a-z0-9_]*' | tr '\n' ' ')
avx="$avx512 avx avx2 fma f16c avx_vnni"
hosts=(
	"this-one|env"
	"no-avx512|env CPL0_HIDE='$avx512'"
	"no-avx|env CPL0_HIDE='$avx'"
	"no-sse3|env CPL0_HIDE='$avx sse3 ssse3 sse4_1 sse4_2 popcnt movbe adx bmi1 bmi2'"
	"no-invariant-tsc|env CPL0_HIDE='invariant_tsc rdtscp'"
	"one-core|taskset -c 0"
	"other-locale|env LC_ALL=C.UTF-8 LANG=tr_TR.UTF-8 TZ=Asia/Kolkata COLUMNS=20"
)

# The documents and the tables, made anew.
generate() { # $1: directory; rest: the environment
	to=$1
	shift
	mkdir -p "$to" || return
	"$@" "$native" --catalogue >"$to/list" || return
	"$@" awk -f tools/record.awk -f tools/catalogue.awk "$to/list" >"$to/catalogue.md" || return
	[[ $to == */one-core || $to == */other-locale ]] || return 0 # no CPU features in it
	"$@" "$MAKE" -s B="$to/build" VERSION=other "$to/build/gen/pmu/tables_32.c" \
		"$to/build/gen/pmu/tables_64.c" >"$to/make" 2>&1 || return
}

# What must be in a log whatever the CPU lacks, and what must not.
behave() { # $1: features that are hidden; rest: the environment
	hidden=$1
	shift
	"$@" "$native" bench='alu.*_latency,fp.*_latency' runs=1 >"$work/log" ||
		echo "exit code $?; "
	"$build/cpl0-log" check "$work/log" >"$work/check" || echo "the log is damaged; "
	grep -qa '^done status=ok' "$work/log" || echo "no done status=ok; "
	grep -qa '^result bench=alu.add_latency ' "$work/log" ||
		echo "no result of alu.add_latency; "
	for f in $hidden; do
		! grep -a '^features ' "$work/log" | tr '"' ' ' | grep -q " $f " ||
			echo "$f is there; "
	done
	# Each benchmark that needs what is hidden is skipped, and no other for that reason.
	"$@" "$native" list bench='alu.*_latency,fp.*_latency' | awk -v hidden=" $hidden " '
		function value(key) {
			return match(" " $0, " " key "=(\"[^\"]*\"|[^ ]*)") ? \
				substr(" " $0, RSTART + length(key) + 2, RLENGTH - length(key) - \
					2) : ""
		}
		/^bench / {
			needs = value("needs"); gsub("\"", "", needs)
			n = split(needs, need, " ")
			lacks = 0
			for (i = 1; i <= n; i++)
				lacks += index(hidden, " " need[i] " ") > 0
			if (lacks)
				print value("name")
		}' >"$work/lacking"
	while read -r name; do
		grep -qa "^skip bench=$name " "$work/log" || echo "$name runs; "
	done <"$work/lacking"
}

if [ ! -x "$(command -v taskset)" ]; then
	echo "taskset is missing (util-linux)"
	exit 3
fi
for host in "${hosts[@]}"; do
	name=${host%%|*}
	eval "before=(${host#*|})"
	hidden=
	[[ ${before[1]:-} != CPL0_HIDE=* ]] || hidden=${before[1]#CPL0_HIDE=}
	wrong=
	if ! generate "$work/$name" "${before[@]}"; then
		wrong="something cannot be generated: $(tail -n 1 "$work/$name/make" 2>/dev/null)"
	else
		cmp -s "$work/$name/catalogue.md" docs/catalogue.md ||
			wrong="docs/catalogue.md is not up to date: run \`make catalogue\`"
		for t in tables_32.c tables_64.c; do
			[ -e "$work/$name/build/gen/pmu/$t" ] || continue
			cmp -s "$work/$name/build/gen/pmu/$t" "$build/gen/pmu/$t" ||
				wrong="$wrong; $t differs"
		done
	fi
	verdict "$name-generates" "$wrong"
	verdict "$name-behaves" "$(behave "$hidden" "${before[@]}")"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
