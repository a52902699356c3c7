# Do the records of a sampling run add up? Prints what does not, or how many requests there were,
# how many of them the machine refused, and how many passes; exit code 1 if anything does not.
# At CPL 3 every period has a sample or is lost: by interrupt floor(events / period), by PEBS, whose
# buffer was never full, floor(control / (period + 1)). That is for instructions: of an event that
# comes several times in one instruction, PEBS has fewer. The counts of places are all the samples.
# Each benchmark has a pass by each way of sampling that was there for the event, for one event
# after the other; an error record ends that for an event.
function value(key)
{
	return match($0, " " key "=[^ ]*") ? \
		substr($0, RSTART + length(key) + 2, RLENGTH - length(key) - 2) : ""
}

function fail(text)
{
	print text ": " $0
	bad = 1
}

function settle()
{
	if (open != "" && places != samples)
		fail("places have " places " samples of " samples)
	open = ""
}

# Goes on to the next event with a way of sampling; behind the last the benchmark is done.
function step()
{
	for (way = 0; ++event <= events; )
		if (ways[event])
			return
}

function begin(name)
{
	if (name == bench)
		return
	if (bench != "" && event <= events)
		fail(bench " has no pass for event " event)
	bench = name
	seen[name]++
	event = 0
	step()
}

{ sub(/\r$/, "") }

/^sampler / {
	if (value("method") == "iebs")
		events++
	if (value("available") + 0)
		method[events, ++ways[events]] = value("method")
}

/^sampling / {
	settle()
	begin(value("bench"))
	passes++
	samples = value("samples") + 0
	period = value("period") + 0
	places = value("around") + value("outside")
	skids = 0
	open = value("method")
	if (event > events || method[event, ++way] != open)
		fail("no pass by " open " is due")
	if (way == ways[event])
		step()
	if (value("cpl") == 3 && open == "iebs" && !random &&
	    samples + value("lost") != int(value("events") / period))
		fail("samples and lost ones are not events / period")
	most = int(value("control") / (period + 1))
	if (value("cpl") == 3 && open == "pebs" && value("control") != "" && value("lost") == 0 &&
	    (tolower(value("event")) ~ /^inst/ ? samples != most : samples > most))
		fail("samples are not control / (period + 1)")
	if (value("differ") > 0)
		fail("registers and record have different addresses")
	next
}

# The distance of samples outside of the body is not known: they are in the rest.
/^skid / {
	if (!skids++)
		places = 0
	places += value("count")
}
/^sample / { places += value("count") }
/^plan / { benches = value("benches") }
/^done / { done++ }
/^error what=(module|bench) / { fail("a benchmark is missing") }
/^(trap|timeout)/ { open = "" }
/^error what=benchmark/ {
	open = ""
	begin(value("culprit"))
	step()
}

END {
	settle()
	begin("")
	if (done != 1)
		fail("there is no `done`")
	for (name in seen)
		sampled++
	for (i = 1; i <= events; i++)
		if (ways[i] && sampled - ("" in seen) != benches)
			fail("of " benches " benchmarks " sampled - 1 " were sampled")
	for (i = 1; i <= events; i++)
		refused += !ways[i]
	if (!bad)
		print events * benches + 0, refused * benches + 0, passes + 0
	exit bad
}
