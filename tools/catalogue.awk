# The catalogue of snippets, docs/catalogue.md, from the list that is the same on every CPU:
#
#	cpl0-native --catalogue | awk -f tools/record.awk -f tools/catalogue.awk
#
# The forms of the instruction table are counted. With -v listed=1 they are listed, as in
# BUILD/catalogue.md.
#
# The subjects are in alphabetical order, because the order of the list is that of the linker.

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

# The columns that the reader sees: the mark of the default set is one, whatever awk counts.
function columns(text)
{
	gsub(/●/, "o", text)
	return length(text)
}

# Can WORD begin a line without becoming an item, a heading or a quotation?
function may_begin(word)
{
	return word !~ /^([-+*=]+|#+|>.*|[0-9]+[.)])$/
}

# Prints TEXT in lines of at most 100 columns, with INDENT before the first line and HANG before
# the others.
function wrap(text, indent, hang,    words, n, i, line, part)
{
	n = split(text, words, / /)
	line = indent words[1]
	for (i = 2; i <= n; i++) {
		part = words[i]
		while (i < n && !may_begin(words[i + 1]))
			part = part " " words[++i]
		if (columns(line " " part) > 100) {
			print line
			line = hang part
		} else
			line = line " " part
	}
	print line
}

# Forms of the instruction table go by mnemonic: an item each, for every set of needs.
function add_form(subject, form, needs,    mnemonic, row)
{
	mnemonic = form
	sub(/ .*/, "", mnemonic)
	sub(/^[^ ]* ?/, "", form)
	nmnemonics += !mnemonics[mnemonic]++
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
	expected[name, ++nexpected[name]] = \
		value("quantity") " " range " on " value("family") " (" value("source") ")"
	nknown++
}

# An item for a snippet, with an item below it for every value that a source states.
function print_snippet(name,    text, i)
{
	text = "`" name "`" (set[name] == 1 ? " ●" : "") ": " what[name]
	if (need[name] != "")
		text = text " (needs " need[name] ")"
	if (insns[name] != "")
		text = text " [" insns[name] "]"
	wrap(text, "- ", "  ")
	for (i = 1; i <= nexpected[name]; i++)
		wrap(expected[name, i], "  - expected: ", "    ")
}

# An item for a mnemonic, with the operands of its forms.
function print_forms(subject, row,    part)
{
	split(row, part, SUBSEP)
	wrap("**" part[1] "**" (part[2] != "" ? " (needs " part[2] ")" : "") ": " \
		forms[subject, row], "- ", "  ")
}

function print_table(subject,    i)
{
	wrap("There are " nforms " forms of " nmnemonics " instructions, by their operands. Each " \
		"is measured as a chain (`" subject ".lat.*`), as independent copies (`" subject \
		".tp.*`), or both." (listed ? "" : " `make catalogue` lists them all in " \
		"build/catalogue.md, and `build/cpl0-native list 'bench=" subject ".*.imul*'` " \
		"those of an instruction."))
	if (!listed)
		return
	print ""
	for (i = 1; i <= rows[subject]; i++)
		print_forms(subject, order[subject, i])
}

END {
	if (!nbench)
		exit 1
	sort_subjects()
	print "# The catalogue"
	print ""
	wrap("This is the list of the snippets that are built in, whatever CPU they need. " \
		"`make catalogue` generates this file from `build/cpl0-native --catalogue`; " \
		"do not edit it. There are " nbench " snippets and " nknown \
		" values that a source states. `bench=NAME,GLOB*` runs some of the " \
		"snippets. Those that run without `bench=` on CPUs other than a P5 (Pentium) are " \
		"marked ●. [kernel-arguments.md](kernel-arguments.md) has the set of a P5.")
	print ""
	wrap("A number in square brackets says how many instructions one copy executes, where " \
		"that is known. Each *expected* value is per copy, on the PMU classes named; a " \
		"run prints an `expect` record for each. Around and above the last cache that a " \
		"CPU tells of, `latency.*` has four footprints an octave, which are not listed.")
	print ""
	for (s = 1; s <= nsubjects; s++)
		print "- [" subjects[s] "](#" subjects[s] "): " members[subjects[s]]
	for (s = 1; s <= nsubjects; s++) {
		subject = subjects[s]
		print ""
		print "## " subject
		print ""
		table = (subject, order[subject, 1]) in forms
		if (table)
			print_table(subject)
		for (i = 1; i <= rows[subject] && !table; i++)
			print_snippet(order[subject, i])
	}
}
