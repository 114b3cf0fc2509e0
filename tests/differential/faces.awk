# faces.awk: a program with other boundaries.
#
#   awk -v kind=KIND -f faces.awk FILE.st
#
# Every field of the caller's that a stencil reads gets one, those that the program gives none,
# too; where it has a statement its faces are others.  KIND is one for all faces, constant(1)
# for example, or
#
#   mixed    another one at each face
#   turned   the first axis wraps, the others are mixed
#   upright  the last axis wraps, the others are mixed
#   own      as the program says
#
# Mixed are the axes of the default grid; ends with 3 where there is none.

# The axes of the first grid without a name.
function read_axes(line,    part, i, n) {
	if (axes || !match(line, /^grid \(/))
		return
	sub(/^grid \(/, "", line)
	sub(/\).*/, "", line)
	n = split(line, part, ",")
	for (i = 1; i <= n; i++) {
		sub(/^[ \t]*/, "", part[i])
		sub(/[^A-Za-z0-9_].*/, "", part[i])
		axis[++axes] = part[i]
	}
}

# What stands behind the colon of a boundary statement.
function faces(    text, a, side, k) {
	if (!mixes)
		return kind
	k = kind == "mixed" ? 0 : kind == "turned" ? 1 : 2
	for (a = 1; a <= axes; a++) {
		text = text (a > 1 ? ", " : "")
		if ((kind == "turned" && a == 1) || (kind == "upright" && a == axes)) {
			text = text axis[a] " wrap"
			continue
		}
		for (side = 0; side < 2; side++)
			text = text (side ? ", " : "") axis[a] (side ? ".hi " : ".lo ") \
				mix[k++ % n_mix + 1]
	}
	return text
}

function statement(names) {
	return "boundary " names ": " faces() ";"
}

# The names of the fields in the parameters TEXT that have no statement in the body from line
# AT on and lie on the whole default grid.
function unbounded(text, at,    part, n, i, name, list) {
	sub(/^[^(]*\(/, "", text)
	n = split(text, part, /,[ \t\n]*/)
	for (i = 1; i <= n; i++) {
		if (part[i] !~ /^[ \t\n]*(in|inout) / || part[i] ~ / on /)
			continue
		name = part[i]
		sub(/^[ \t\n]*(in|inout) [A-Za-z0-9_]+ /, "", name)
		sub(/[^A-Za-z0-9_].*/, "", name)
		if (!has_statement(name, at))
			list = list (list == "" ? "" : ", ") name
	}
	return list
}

function has_statement(name, at,    names) {
	for (; at <= lines && line[at] !~ /^}/; at++) {
		if (line[at] !~ /^[ \t]*boundary /)
			continue
		names = line[at]
		sub(/^[ \t]*boundary /, "", names)
		sub(/:.*/, "", names)
		gsub(/ /, "", names)
		if (("," names ",") ~ ("," name ","))
			return 1
	}
	return 0
}

BEGIN {
	n_mix = split("clamp mirror reflect constant(1) keep clamp", mix, " ")
	mixes = kind == "mixed" || kind == "turned" || kind == "upright"
}

{
	line[++lines] = $0
	read_axes($0)
}

END {
	if (mixes && !axes)
		exit 3
	for (i = 1; i <= lines; i++) {
		if (kind == "own") {
			print line[i]
			continue
		}
		if (line[i] ~ /^[ \t]*boundary /) {
			text = line[i]
			while (text !~ /;/)
				text = text " " line[++i]
			rest = names = text
			sub(/^[^;]*;/, "", rest)
			sub(/^[ \t]*boundary /, "", names)
			sub(/:.*/, "", names)
			print "    " statement(names) rest
			continue
		}
		print line[i]
		if (line[i] ~ /^stencil /)
			head = ""
		if (line[i] ~ /^stencil / || in_head) {
			text = line[i]
			sub(/\/\/.*/, "", text)
			head = head " " text
			in_head = head !~ /\{/
			if (!in_head && (names = unbounded(head, i + 1)) != "")
				print "    " statement(names)
		}
	}
}
