# match.awk: compares the messages that a program expects (first file, see run)
# with those that the compiler printed (second file).  Prints what differs and
# exits 1 then.

function say(text) { print name ": " text; bad = 1 }

# Takes one expectation, what follows "//!", that stands on line AT.
function expectation(text, at,	place, column, kind) {
	place = at
	while (sub(/^\^/, "", text))
		place--
	if (sub(/^\*/, "", text))
		place = 0
	sub(/^ +/, "", text)
	column = 0
	if (match(text, /^[0-9]+: */)) {
		column = text + 0
		text = substr(text, RLENGTH + 1)
	}
	if (!match(text, /^(error|warning|note|help): */)) {
		say(at ": this is not an expectation: " text)
		return
	}
	kind = text
	sub(/:.*/, "", kind)
	text = substr(text, RLENGTH + 1)
	sub(/[ \t\r]+$/, "", text)
	if (text == "")
		say(at ": an expectation without a text")
	wanted++
	want_line[wanted] = place
	want_column[wanted] = column
	want_kind[wanted] = kind
	want_text[wanted] = text
}

# Takes one message of KIND at LINE:COLUMN; 0: at no line of this file.
function message(kind, line, column, text) {
	got++
	got_kind[got] = kind
	got_line[got] = line
	got_column[got] = column
	got_text[got] = text
	got_used[got] = 0
}

FNR == NR {
	rest = $0
	while ((i = index(rest, "//!")) > 0) {
		rest = substr(rest, i + 3)
		i = index(rest, "//!")
		expectation(i > 0 ? substr(rest, 1, i - 1) : rest, FNR)
	}
	next
}

match($0, /^[^ |]+: (error|warning|note|help): /) {
	place = substr($0, 1, RLENGTH)
	text = substr($0, RLENGTH + 1)
	kind = place
	sub(/: $/, "", kind)
	sub(/^.*: /, "", kind)
	if (substr(place, 1, length(name) + 1) == name ":") {
		split(substr(place, length(name) + 2), part, ":")
		message(kind, part[1] + 0, part[2] + 0, text)
		last = part[1] + 0
	} else {
		message(kind, 0, 0, text)
		last = 0
	}
	next
}

/^ *help: / {
	text = $0
	sub(/^ *help: /, "", text)
	message("help", last, 0, text)
}

END {
	for (w = 1; w <= wanted; w++) {
		found = 0
		for (g = 1; g <= got && !found; g++) {
			if (got_used[g] || got_kind[g] != want_kind[w] || got_line[g] != want_line[w])
				continue
			if (want_column[w] && got_column[g] != want_column[w])
				continue
			if (index(got_text[g], want_text[w]) == 0)
				continue
			got_used[g] = found = 1
		}
		if (!found)
			say(want_line[w] ": missing: " want_kind[w] ": " want_text[w])
	}
	for (g = 1; g <= got; g++)
		if (!got_used[g] && (got_kind[g] == "error" || got_kind[g] == "warning"))
			say(got_line[g] ":" got_column[g] ": unexpected: " got_kind[g] ": " got_text[g])
	exit bad
}
