#!/bin/sh
# The plotting library of report pages: tools/report/plots.sh FOLDER LICENCE BUILD/plots.js
# FOLDER holds dygraph.min.js and dygraph.min.css. Writes plots.js, the text of the file LICENCE in
# front, and plots.css beside it. Without the library both files are empty, the message says so, and
# pages have no plots.
set -e
css=${3%.js}.css

mkdir -p "$(dirname "$3")"
if [ ! -r "$1/dygraph.min.js" ] || [ ! -r "$1/dygraph.min.css" ] || [ ! -r "$2" ]; then
	echo "dygraphs is missing in $1: run \`make deps\`. Report pages will have no plots." >&2
	: >"$3"
	: >"$css"
	exit 0
fi
# The pages have no source maps: a browser must not look for them.
{
	echo "/*"
	cat "$2"
	echo "*/"
	sed '/^\/\/# sourceMappingURL=/d' "$1/dygraph.min.js"
} >"$3"
sed 's,/\*# sourceMappingURL=.*\*/,,' "$1/dygraph.min.css" >"$css"
