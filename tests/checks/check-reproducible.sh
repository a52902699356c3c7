#!/bin/sh
# The same source gives the same bytes, also from another directory and another day:
# tests/checks/check-reproducible.sh BUILD VERSION, with SOURCE_DATE_EPOCH as the Makefile sets it.
set -e
B=$1 version=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$copy"
${MAKE:-make} -s --no-print-directory -C "$copy" B=elsewhere VERSION="$version" \
	SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" kernels iso usb floppy dist DIST="$copy/there"
${MAKE:-make} -s --no-print-directory B="$B" VERSION="$version" dist DIST="$copy/here"
for file in 32/cpl0.elf 64/cpl0.elf cpl0.iso cpl0-usb.img cpl0.img; do
	cmp "$B/$file" "$copy/elsewhere/$file"
done
diff -r "$copy/here" "$copy/there"
