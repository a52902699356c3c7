# The page of the kernel's arguments with its table anew, from the records of list=arguments:
#
#	cpl0-native list=arguments | awk -f tools/record.awk -f tools/arguments.awk - \
#		docs/kernel-arguments.md
#
# The table is the one whose first row is that of HEAD.

BEGIN { HEAD = "| argument | values | if absent |" }

# Words to choose from are code, and a description is not.
function is_choice(values)
{
	return values ~ /^[a-z0-9]+(, [a-z0-9]+)*$/
}

function code(words)
{
	gsub(/, /, "`, `", words)
	return "`" words "`"
}

# A value that does not fit the line is described further down in the page.
function row(argument, values, absent,    name, cell)
{
	name = values == "" ? "`" argument "`" : "`" argument "=`"
	if (values ~ /or no value$/)
		name = "`" argument "`, " name
	cell = values == "" ? "" : (is_choice(values) ? code(values) : values) " "
	if (is_choice(values) && index(", " values ",", ", " absent ","))
		absent = code(absent)
	if (length(name cell absent) + 8 > 100)
		cell = "see below "
	return "| " name " | " cell "| " absent " |"
}

NR == FNR {
	if (/^listed argument=/)
		rows[++n] = row(value("argument"), value("values"), value("absent"))
	next
}

$0 == HEAD {
	print
	print "|---|---|---|"
	for (i = 1; i <= n; i++)
		print rows[i]
	inside = 1
	tables++
	next
}

inside && /^\|/ { next }

{
	inside = 0
	print
}

END {
	if (n && tables == 1)
		exit 0
	print "no records of arguments, or not one table of them" >"/dev/stderr"
	exit 1
}
