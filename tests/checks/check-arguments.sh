#!/bin/sh
# The table of docs/kernel-arguments.md is what the rows of kernel/lib/args.c give.
#
#	tests/checks/check-arguments.sh BUILD
page=docs/kernel-arguments.md
table=$("$1/cpl0-native" list=arguments |
	awk -f tools/record.awk -f tools/arguments.awk - $page) || exit 1
[ "$table" = "$(cat $page)" ] ||
	{ echo "$page is not what list=arguments gives: run \`make tables\`"; exit 1; }
