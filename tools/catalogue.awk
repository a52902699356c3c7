# The catalogue of snippets, docs/catalogue.md, from the list that is the same on every CPU:
#
#	cpl0-native --catalogue | awk -f tools/catalogue.awk
#
# The subjects are in alphabetical order, because the order of the list is that of the linker.

# The value of KEY in the record, without quotes.
function value(key,    text, v)
{
	text = " " $0
	if (!match(text, " " key "="))
		return ""
	v = substr(text, RSTART + length(key) + 2)
	if (substr(v, 1, 1) != "\"") {
		sub(/ .*/, "", v)
		return v
	}
	v = substr(v, 2)
	match(v, /(^|[^\\])"/)
	v = substr(v, 1, RSTART + RLENGTH - 2)
	gsub(/\\"/, "\"", v)
	gsub(/\\\\/, "\\", v)
	gsub(/\|/, "\\|", v)
	return v
}

function subject_of(name)
{
	sub(/\..*/, "", name)
	return name
}

function sort_subjects(    i, j, x)
{
	for (i = 2; i <= nsubjects; i++) {
		x = subjects[i]
		for (j = i - 1; j > 0 && subjects[j] > x; j--)
			subjects[j + 1] = subjects[j]
		subjects[j + 1] = x
	}
}

function also(list, word, between)
{
	return list == "" ? word : list between word
}

# Forms of the instruction table go by mnemonic: a row each, for every set of needs.
function add_form(subject, form, needs,    mnemonic, row)
{
	mnemonic = form
	sub(/ .*/, "", mnemonic)
	sub(/^[^ ]* ?/, "", form)
	if (form == "")
		form = "(none)"
	row = mnemonic SUBSEP needs
	if (!((subject, row) in forms))
		order[subject, ++rows[subject]] = row
	if ((subject, row, form) in seen)
		return
	seen[subject, row, form] = 1
	forms[subject, row] = also(forms[subject, row], form, "; ")
	nforms++
}

/^bench / {
	name = value("name")
	form = value("form")
	subject = subject_of(name)
	if (!(subject in members))
		subjects[++nsubjects] = subject
	members[subject]++
	nbench++
	needs = value("needs")
	if (value("width") != "")
		needs = also(needs, value("width") "-bit mode", ", ")
	if (value("privileged") == 1)
		needs = also(needs, "CPL 0", ", ")
	if (form != "") {
		add_form(subject, form, value("needs"))
		next
	}
	order[subject, ++rows[subject]] = name
	what[name] = value("what")
	need[name] = needs
	set[name] = value("default")
	insns[name] = subject == "bandwidth" ? "" : value("insns")
}

/^known / {
	name = value("bench")
	range = value("low")
	if (value("high") != range)
		range = range " to " value("high")
	expected[name] = also(expected[name],
		value("quantity") " " range " on " value("family") " (" value("source") ")", "; ")
	nknown++
}

END {
	if (!nbench)
		exit 1
	sort_subjects()
	print "# The catalogue"
	print ""
	print "Every snippet that is built in, whatever CPU it needs. `make catalogue` generates this file from"
	print "`build/cpl0-native --catalogue`; do not edit. There are " nbench " snippets and " nknown " values that"
	print "a source states. `bench=NAME,GLOB*` runs some of them; those of the default set are marked ●."
	print "*Insns* is how many instructions one copy executes, where that is known. *Expected* is per copy,"
	print "on the PMU classes named; a run prints an `expect` record for each."
	print ""
	for (s = 1; s <= nsubjects; s++)
		print "- [" subjects[s] "](#" subjects[s] "): " members[subjects[s]]
	for (s = 1; s <= nsubjects; s++) {
		subject = subjects[s]
		print ""
		print "## " subject
		print ""
		table = (subject, order[subject, 1]) in forms
		if (table) {
			print nforms " forms, each measured as a chain, as independent copies, or both: `bench=" subject ".*`."
			print ""
			print "| instruction | operands | needs |"
			print "|---|---|---|"
		} else {
			print "| snippet | what it shows | needs | insns | expected |"
			print "|---|---|---|---|---|"
		}
		for (i = 1; i <= rows[subject]; i++) {
			name = order[subject, i]
			if (table) {
				split(name, part, SUBSEP)
				print "| " part[1] " | " forms[subject, name] " | " part[2] " |"
			} else
				print "| `" name "`" (set[name] == 1 ? " ●" : "") " | " what[name] " | " need[name] \
					" | " insns[name] " | " expected[name] " |"
		}
	}
}
