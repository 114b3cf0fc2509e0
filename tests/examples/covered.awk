# covered.awk: what the cases of `stencil verify --tap --verbose` have in common.
#
#   stencil verify ... FILE.st ... | awk -f covered.awk FILE.st ...
#
# Passes the points on, but not the lines of single cases; adds a table of the
# pairs that occurred, and with -v all=1 a point that passes if all of them did.
# The boundary of a program is what its text says.

BEGIN {
	factors = split("program strategy size boundary steps pitch unaligned box workspace", factor)
	for (i = 1; i < ARGC; i++)
		read_boundaries(ARGV[i])
	ARGC = 1
}

# The kinds of boundary in the text of FILE; none of them is keep.
function read_boundaries(file,    name, text, line, kind, kinds, i) {
	name = file
	sub(/.*\//, "", name)
	while ((getline line < file) > 0) {
		sub(/\/\/.*/, "", line)
		text = text " " line
	}
	close(file)
	kinds = split("clamp reflect mirror wrap constant", kind)
	while (match(text, /boundary [^;]*;/)) {
		line = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		for (i = 1; i <= kinds; i++)
			if (line ~ ("[ :]" kind[i] "[ ;,(]"))
				boundaries[name, ++n_boundaries[name]] = kind[i]
	}
	if (!n_boundaries[name])
		boundaries[name, ++n_boundaries[name]] = "keep"
}

# The class of the extents in TEXT, such as "y=17 x=31".
function size_class(text,    n, word, i, cells, thin, whole) {
	n = split(text, word, /[^0-9]+/)
	cells = 1
	for (i = 1; i <= n; i++)
		if (word[i] != "") {
			cells *= word[i]
			thin += word[i] == 1
			whole = word[i] % 16 == 0
		}
	return cells == 1 ? "one cell" : thin && cells > 1 && n > 2 ? "thin" : cells <= 128 ? "few" \
		: whole ? "whole blocks" : cells <= 1500 ? "odd" : "large"
}

# Counts the pairs of one case; VALUE has a value for each factor.
function count(value,    i, j) {
	for (i = 1; i <= factors; i++) {
		if (!((i, value[i]) in seen)) {
			seen[i, value[i]] = 1
			values[i, ++n_values[i]] = value[i]
		}
		for (j = i + 1; j <= factors; j++)
			if (!((i, j, value[i], value[j]) in pair)) {
				pair[i, j, value[i], value[j]] = 1
				n_pairs[i, j]++
			}
	}
	cases++
}

/^1\.\.[0-9]+$/ {
	points = substr($0, 4)
	next
}

/^(not )?ok [0-9]+ - / {
	words = $0
	sub(/.* - /, "", words)
	sub(/ # .*/, "", words)
	split(words, word, " ")
	value[1] = word[1]
	value[2] = word[2]
	if ($0 ~ / # SKIP refused/)
		refused[word[1], word[2]] = 1
}

# What the compiler chooses is tried of some programs only: no strategy's pairs.
/^# .*: .*(: agrees$|: refused: )/ && value[2] == "default" { next }

# Large sizes are tried with many steps, too: these are no value that all others meet.
/^# .*, steps (23\+6|9\+2).*: agrees$/ { next }

/^# .*: .*(: agrees$|: refused: )/ {
	split($0, part, /: /)
	n = split(part[2], word, /, /)
	value[3] = size_class(word[1])
	value[5] = "none"
	value[6] = value[7] = value[8] = value[9] = "no"
	for (i = 2; i <= n; i++) {
		if (word[i] ~ /^steps /)
			value[5] = substr(word[i], 7)
		value[6] = word[i] == "pitch" ? "yes" : value[6]
		value[7] = word[i] == "unaligned" ? "yes" : value[7]
		value[8] = word[i] == "box" ? "yes" : value[8]
		value[9] = word[i] == "own workspace" ? "yes" : value[9]
	}
	for (b = 1; b <= n_boundaries[value[1]]; b++) {
		value[4] = boundaries[value[1], b]
		count(value)
	}
	next
}

{ print }

# Whether a program decides by itself: it may fix its extents, and has a boundary,
# steps and a box or not.
function is_open(i, j) {
	return i == 1 && (j == 3 || j == 4 || j == 5 || j == 8)
}

# The pairs of a strategy and a value of factor J that cannot occur: it refuses every
# program that has the value.
function excused(j,    s, v, p, serves, n) {
	for (s = 1; s <= n_values[2]; s++)
		for (v = 1; v <= n_values[j]; v++) {
			if ((2, j, values[2, s], values[j, v]) in pair)
				continue
			serves = 0
			for (p = 1; p <= n_values[1]; p++)
				serves += (1, j, values[1, p], values[j, v]) in pair &&
					!((values[1, p], values[2, s]) in refused)
			n += !serves
		}
	return n
}

END {
	for (r in refused)
		n_refused++
	print "# " cases " cases; pairs of values that occurred, of those there are:"
	for (i = 1; i <= factors; i++) {
		if (n_values[i] < 2)
			short = short " " factor[i]
		line = sprintf("# %-10s %3d", factor[i], n_values[i])
		for (j = 1; j <= factors; j++) {
			of = n_values[i] * n_values[j] - (i == 2 ? excused(j) : 0) \
				- (i == 1 && j == 2 ? n_refused : 0)
			line = line (j <= i ? sprintf("%11s", "") \
				: sprintf("%11s", n_pairs[i, j] "/" of))
			if (j > i && !is_open(i, j) && n_pairs[i, j] < of)
				short = short " " factor[i] "-" factor[j]
		}
		print line
	}
	line = "#               "
	for (j = 1; j <= factors; j++)
		line = line sprintf("%11s", factor[j])
	print line
	if (short != "")
		print "# pairs are missing:" short
	if (all)
		print (short == "" ? "ok " : "not ok ") ++points " - every pair occurred"
	print "1.." points + 0
}
