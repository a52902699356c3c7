# What `PROGRAM --help` prints as a manual page or as completion for a shell:
# PROGRAM --help | awk -v program=PROGRAM -v what='WHAT IT IS' -v form=1|bash|zsh|fish -f help.awk
#
# An option's line begins with `--`, behind blanks and perhaps the program's name. Two blanks end
# its head, and lines that are indented as far as texts are go on with its text.

function add(name, valued, text) {
	if (!(name in number)) {
		number[name] = ++count
		names[count] = name
		values[count] = valued
		texts[count] = text
	}
}

# Every option of a head, "--trace-from N, --trace-count N".
function heads(head, text,    i, n, words, word) {
	n = split(head, words, " ")
	for (i = 1; i <= n; i++)
		if (words[i] ~ /^--[a-z]/) {
			word = words[i]
			sub(/,$/, "", word)
			add(word, i < n && words[i + 1] !~ /^(--|\[)/ && words[i] !~ /,$/, text)
		}
}

# Within single quotes of a shell.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	return text
}

# roff takes a hyphen for a dash, and a line that begins with `.` or `'` for a request.
function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	return (text ~ /^[.']/ ? "\\&" : "") text
}

{ lines[NR] = $0 }

/^ +([a-z0-9-]+ )?--[a-z]/ {
	head = $0
	sub(/^ +/, "", head)
	text = match(head, /   */) ? substr(head, RSTART + RLENGTH) : ""
	if (text != "")
		head = substr(head, 1, RSTART - 1)
	before = count
	heads(head, text)
	goes_on = count > before
	next
}

/^                           / && goes_on {
	sub(/^ +/, "")
	texts[count] = texts[count] (texts[count] == "" ? "" : " ") $0
	next
}

{ goes_on = 0 }

function man(    i) {
	printf ".TH %s 1 \"\" \"cpl0 %s\"\n.SH NAME\n%s \\- %s\n", roff(toupper(program)), release,
		roff(program), roff(what)
	print ".SH SYNOPSIS\n.nf"
	for (i = 1; i <= NR; i++)
		print lines[i] == "" ? ".PP" : roff(lines[i])
	print ".fi\n.SH SEE ALSO\nsim/README.md and docs/kernel\\-arguments.md of cpl0"
}

function bash(    i, name, taken) {
	name = program
	gsub(/-/, "_", name)
	printf "# Completion of %s for bash.\n_%s()\n{\n", program, name
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n\tcase $word in"
	printf "\t-*) COMPREPLY=($(compgen -W '"
	for (i = 1; i <= count; i++)
		printf "%s%s", names[i], i < count ? " " : ""
	print "' -- \"$word\")) ;;"
	print "\t*) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n\tesac\n}"
	printf "complete -o filenames -F _%s %s\n", name, program
}

function zsh(    i, text) {
	printf "#compdef %s\n# Completion of %s for zsh.\n_arguments \\\n", program, program
	for (i = 1; i <= count; i++) {
		text = texts[i]
		gsub(/[][]/, "\\\\&", text)
		printf "\t'*%s[%s]%s' \\\n", names[i], quoted(text),
			values[i] ? ":value:_files" : ""
	}
	print "\t'*:file:_files'"
}

function fish(    i) {
	printf "# Completion of %s for fish.\n", program
	for (i = 1; i <= count; i++)
		printf "complete -c %s -l %s%s -d '%s'\n", program, substr(names[i], 3),
			values[i] ? " -r" : "", quoted(texts[i])
}

END {
	add("--help", 0, "prints this")
	add("--version", 0, "prints the release")
	if (form == "1")
		man()
	else if (form == "bash")
		bash()
	else if (form == "zsh")
		zsh()
	else
		fish()
}
