# sim/tests/anyevent/judge.awk - judges a log: awk -v where=NAME -f ... expected.txt EVENTS LOG
# EVENTS has a name and the counters that may count it (* where no source says) in each line.
FNR == 1 { file++ }
file == 1 {
	if ($0 !~ /^#/ && NF == 3) {
		rule[++rules] = "^(" $1 ")$"
		rule_body[rules] = $2
		rule_count[rules] = $3
	}
	next
}
file == 2 {
	wanted[++n] = $1
	allowed[toupper($1)] = allowed[toupper($1)] "," $2 ","
	next
}
$1 == "counter" { counter_name[value("number")] = value("name") }
$1 == "event" {
	name = value("name")
	spelled[toupper(name)] = name
	on[toupper(name)] = value("counter")
	if (!counter_name[value("counter")])
		fail(name " is counted on a counter that has no record")
}
$1 == "error" && value("what") == "events" { refused[toupper(value("culprit"))] = $0 }
$1 == "result" { result() }
$1 == "error" && value("what") != "events" { fail("another error: " $0) }
$1 == "trap" || $1 == "timeout" { fail($0) }
$1 == "done" { status = value("status") }
END {
	for (key in refused)
		some = 1
	# what is refused makes the run a failed one
	if (status != (some ? "fail" : "ok"))
		fail("the run ended with status=" status)
	for (i = 1; i <= n; i++)
		judge(wanted[i], toupper(wanted[i]))
	exit failed
}

function result(body, i, k, pair, key) {
	body = value("bench")
	bodies[body] = 1
	for (i = 2; i <= NF; i++) {
		k = split($i, pair, "=")
		if (k != 2)
			continue
		key = toupper(pair[1])
		if (key in on)
			count[key, body] = pair[2]
		else if (sub(/\.DERIVED$/, "", key) && key in on)
			count[key, body] = "derived=0"
		else if (sub(/\.MOVED$/, "", key) && key in on)
			count[key, body] = 0 # it moved nowhere, so it was not here
	}
}

function judge(name, key, body, i, got, what) {
	if (key in refused) {
		if (refused[key] !~ / why="[^"]/)
			fail(name " is refused without a reason")
		return
	}
	if (!(key in on)) {
		fail(name " has neither an event record nor an error record")
		return
	}
	if (!may(allowed[key], counter_name[on[key]]))
		fail(name " is counted on " counter_name[on[key]] ", allowed: " allowed[key])
	for (body in bodies)
		if (!((key, body) in count))
			fail(name " is missing in the results of " body)
	for (i = 1; i <= rules; i++) {
		if (name !~ rule[i] || !(rule_body[i] in bodies))
			continue
		got = count[key, rule_body[i]]
		what = rule_count[i]
		if (got == "derived=0" || what == "+" && got <= 0 || what != "+" && "=" got != what)
			fail(name " in " rule_body[i] " is " got ", not " what)
	}
}

function may(list, counter) {
	if (list ~ /\*/)
		return 1
	if (counter ~ /^IA32_FIXED_CTR/)
		return index(list, ",fixed" substr(counter, 15) ",") || fixed_too(list)
	return index(list, "," substr(counter, 9) ",") > 0
}

# A general counter may be left for the fixed one that counts the same.
function fixed_too(list) {
	return index(list, ",0,") > 0
}

function value(key, i) {
	for (i = 2; i <= NF; i++)
		if (index($i, key "=") == 1)
			return substr($i, length(key) + 2)
	return ""
}

function fail(text) {
	print "FAIL " where ": " text
	failed = 1
}
