#!/bin/sh
# Which shared libraries programs need: tools/dist/libraries.sh PROGRAM...
# Prints a line a library: its name, its file, its Debian package and the version of that, without
# epoch and Debian's revision. Fails if a library is of no package.
set -eu
list=$(for program; do ldd "$program"; done | awk '$2 == "=>" && $3 ~ "^/" { print $1, $3 }' |
	sort -u)
echo "$list" | while read -r name file; do
	real=$(realpath "$file")
	# Packages know a file by the path of their day: with or without /usr.
	package=$(dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}" 2>/dev/null || :)
	package=${package%%:*}
	[ -n "$package" ] || {
		echo "no package has $file" >&2
		exit 1
	}
	version=$(dpkg-query -W -f '${Version}\n' "$package" | head -n 1 |
		sed 's/^[0-9]*://; s/-[^-]*$//; s/+.*//')
	echo "$name $real $package $version"
done
