#!/bin/sh
# Promised sizes, bytes: tests/checks/check-sizes.sh BUILD
failed=0
while read -r file most; do
	size=$(wc -c <"$1/$file") || exit 1
	if [ "$size" -gt "$most" ]; then
		echo "$file has $size bytes; promised: at most $most"
		failed=1
	fi
done <<END
32/cpl0.elf 524288
64/cpl0.elf 524288
32/cpl0.xz 163840
64/cpl0.xz 163840
cpl0.iso 6291456
cpl0.img 1474560
cpl0-usb.img 25165824
END
exit $failed
