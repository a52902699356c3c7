#!/bin/sh
# Fetches the plotting library of report pages from the npm registry: tools/report/uplot.sh
# BUILD/uplot.js Writes uplot.js and uplot.css beside each other, its licence in front. Without
# npm or the registry both files are empty, the message says so, and pages have no plots.
version=1.6.32 # MIT licence
js=19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f
css=df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04

out=$(dirname "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

give_up() {
	echo "uPlot is missing: $1. Report pages will have no plots." >&2
	echo "To try again, remove $out/uplot.js and run make." >&2
	: >"$out/uplot.js"
	: >"$out/uplot.css"
	exit 0
}

mkdir -p "$out" || exit 1
command -v npm >/dev/null || give_up "there is no npm here (make deps)"
(cd "$dir" && timeout 60 npm pack --silent --fetch-retries=1 "uplot@$version" >/dev/null 2>&1) ||
	give_up "npm could not fetch uplot@$version"
tar -xzf "$dir/uplot-$version.tgz" -C "$dir" || give_up "its archive cannot be unpacked"
(cd "$dir/package/dist" && printf '%s  %s\n' $js uPlot.iife.min.js $css uPlot.min.css |
	sha256sum -c --status) || give_up "its files are not those of version $version"
{
	echo "/*"
	cat "$dir/package/LICENSE"
	echo "*/"
	cat "$dir/package/dist/uPlot.iife.min.js"
} >"$out/uplot.js"
cp "$dir/package/dist/uPlot.min.css" "$out/uplot.css"
