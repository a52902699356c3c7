#!/bin/sh
# docs/catalogue.md is what the sources make of it.
#
#	tests/checks/check-catalogue.sh PATH-OF-CPL0-NATIVE
"$1" list | awk -f tools/catalogue.awk | cmp -s - docs/catalogue.md && {
	echo "catalogue: ok"
	exit 0
}
echo "catalogue: docs/catalogue.md is not what the sources say: run \`make catalogue\`"
exit 1
