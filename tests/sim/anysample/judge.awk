# Do the records of a sampling run add up? Prints what does not; exit code 1 if anything does not.
# At CPL 3 every period has a sample or is lost: by interrupt floor(events / period), by PEBS, whose
# buffer was never full, floor(control / (period + 1)). That is for instructions: of an event that
# comes several times in one instruction, PEBS has fewer. The counts of places are all the samples.
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

{ sub(/\r$/, "") }

/^sampling / {
	settle()
	samples = value("samples") + 0
	period = value("period") + 0
	places = value("around") + value("outside")
	skids = 0
	open = value("method")
	if (value("cpl") == 3 && open == "iebs" &&
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
/^done / { done++ }
/^(error what=benchmark|trap|timeout)/ { open = "" }

END {
	settle()
	if (done != 1)
		fail("there is no `done`")
	exit bad
}
