# For awk programs that read a log: the value of KEY in the record $0, without quotes.
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
	return v
}
