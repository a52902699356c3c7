#!/bin/sh
# Names that steer a terminal, and inputs without an end: tests/checks/test-names.sh BUILD
# Each message of the programs on the host that names a file or an argument has it escaped.
# Prints a line a failure and `N passed, N failed, N skipped`.
B=$(cd "$1" && pwd) root=$(pwd) passed=0 failed=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
escape=$(printf '\033')
name="a$escape[31mb
c\\" shown='a\\x1b\[31mb\\x0ac\\\\'
cp "$root/tests/data/sample.log" "$name.log" || exit 3
head -c 700 "$name.log" >"$name.bad"

verdict() { # TEXT GOOD
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s: %s\n' "$1" "$(head -n 2 out | cat -v)"
	fi
}

# The name stands in what the command prints, and only as `shown`.
names() {
	timeout 600 "$B/$@" >out 2>&1 </dev/null
	! grep -q "$escape\[31m" out && ! grep -q '^c\\' out && grep -q "$shown" out
	verdict "$(printf %s "$*" | cat -v)" $?
}

# The command ends with the error about an input without an end.
endless() {
	timeout 600 "$B/cpl0-log" "$@" >out 2>&1
	[ $? = 2 ] && grep -q 'more than 256 MiB, and no log is as long' out
	verdict "endless: $*" $?
}

for command in check show json csv 'csv --figures'; do
	names cpl0-log $command "no$name"
done
names cpl0-log check "$name.log"
for command in check json csv; do
	names cpl0-log $command "$name.bad"
done
names cpl0-log csv "$name.log" "$name"
names cpl0-log compare "$name.log" "$name.log"
names cpl0-log compare "$name.log" --reference "$name"
names cpl0-log compare "$name.log" --reference "$name.log"
names cpl0-log compare "$name.log" --reference --cpu "$name"
names cpl0-log db "$name.log" "$name.log"
names cpl0-log db "no/$name" "$name.log"
names cpl0-log report "$name.log" -o "$name.log"
names cpl0-log report "$name.log" -o "no/$name"
names cpl0-log show --run 99 "$name.log"
names cpl0-log show --run "$name" "$name.log"
names cpl0-log show "--$name" "$name.log"
names cpl0-log events "$name"
names cpl0-log events skylake "$name"
names cpl0-log "$name"
names cpl0-sim "$name"
names cpl0-sim --cpu "$name"
names cpl0-sim "--$name"
names cpl0-sim --module "$name" "$B/32/cpl0.elf"
names cpl0-sim --log "no/$name" "$B/32/cpl0.elf"
names cpl0-sim --trace "no/$name" "$B/32/cpl0.elf"
names cpl0-native --module "$name"

for command in check show json csv 'compare --reference' 'report -o page.html' 'db all.sqlite'; do
	endless $command /dev/zero
done
yes | endless check -
endless compare "$name.log" /dev/zero
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
