# swept.awk: what sweeps.tap's rows came to: numbers its points, adds that a sweep of so many
# steps ran in each, and with -v all=1 that every pair of values occurred.
#
# A case counts if it agreed, and but for the pair of a size, where a grid may be too small for
# any sweep, if a sweep of all its steps ran in it.

BEGIN {
	factors = split("strategy time boundary size steps", factor)
	for (i = 1; i <= factors; i++)
		of[factor[i]] = i
	# That there is no such pair: what has a single step is no sweep, quilt serves no axis that
	# wraps; and stream-registers and accumulate are tiles by another name, and stream of a volume.
	none["chain 1"] = none["stream-registers 1"] = none["accumulate 1"] = 1
	none["quilt wrap"] = none["quilt turned"] = none["quilt upright"] = 1
	none["1 fewer"] = none["1 rest"] = 1
}

# How many steps N are for sweeps of T.
function steps_class(n, t) {
	return n < t ? "fewer" : n == t ? "one" : n % t == 0 ? "whole" : "rest"
}

function mark(a, b) {
	if (!((of[a], value[a], of[b], value[b]) in pair)) {
		pair[of[a], value[a], of[b], value[b]] = 1
		n_pairs[a, b]++
	}
}

function note(name) {
	if (!((name, value[name]) in seen)) {
		seen[name, value[name]] = 1
		list[name, ++n_values[name]] = value[name]
	}
}

# A case that agreed.
function count(    i) {
	for (i = 1; i <= factors; i++)
		note(factor[i])
	cases++
	mark("time", "size")
	mark("strategy", "size")
	if (!ran && value["steps"] != "fewer")
		return
	sweeps += ran
	mark("strategy", "time")
	if (value["strategy"] !~ /^(stream|accumulate)$/)
		mark("strategy", "boundary")
	mark("strategy", "steps")
	mark("time", "boundary")
	mark("time", "steps")
}

# The row before this line.
function finish() {
	if (row == "")
		return
	if (row ~ /^ok/ && !swept) {
		row = "not " row
		said = said "# no sweep of " value["time"] " steps ran\n"
	}
	what = row
	sub(/ - .*/, "", what)
	sub(/.*ok - /, "", row)
	print what " " ++points " - " row
	if (what != "ok")
		printf "%s", said
}

/^(not )?ok - / {
	finish()
	row = $0
	said = ""
	swept = ran = 0
	n = split(substr($0, index($0, " - ") + 3), word, " ")
	value["strategy"] = word[1]
	value["time"] = word[2]
	value["boundary"] = word[n]
	next
}

{ said = said $0 "\n" }

/^# case / {
	value["size"] = $3
	value["steps"] = steps_class($4, value["time"])
}

/^# sweep / {
	if (substr($3, 2) == value["time"] && $3 !~ /^f/)
		ran = swept = 1
}

/^# [^ ]*: .*: agrees$/ {
	count()
	ran = 0
}

function pairs(a, b,    i, j, missing, all) {
	for (i = 1; i <= n_values[a]; i++)
		for (j = 1; j <= n_values[b]; j++) {
			if ((list[a, i] " " list[b, j]) in none || (a == "strategy" &&
				b == "boundary" && list[a, i] ~ /^(stream|accumulate)$/))
				continue
			all++
			if (!((of[a], list[a, i], of[b], list[b, j]) in pair))
				missing = missing " " list[a, i] "-" list[b, j]
		}
	print "# " a " x " b ": " n_pairs[a, b] " of " all (missing == "" ? "" : ", not" missing)
	return missing == ""
}

END {
	finish()
	print "# " cases + 0 " cases agree, sweeps of that many steps ran in " sweeps + 0 " of them"
	if (all == 0) {
		print "1.." points
		exit
	}
	every = pairs("strategy", "time")
	every = pairs("strategy", "boundary") && every
	every = pairs("strategy", "size") && every
	every = pairs("strategy", "steps") && every
	every = pairs("time", "boundary") && every
	every = pairs("time", "size") && every
	every = pairs("time", "steps") && every
	# 9 strategies, 6 times, 9 boundaries, 6 sizes, 4 kinds of steps
	every = n_values["strategy"] * n_values["time"] * n_values["boundary"] \
		* n_values["size"] * n_values["steps"] == 9*6*9*6*4 && every
	print (every ? "ok " : "not ok ") ++points " - every pair occurred"
	print "1.." points
}
