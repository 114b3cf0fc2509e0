# tables.awk: a program with tables of constants, and beside it what they are as
# fractions: lines "t[i] = numerator/denominator" in comments.

function draw(n) {
	seed = (seed * 16807) % 2147483647
	return seed % n
}

function abs(v) { return v < 0 ? -v : v }

BEGIN {
	seed = 20
	n = 120
	print "// tables.st: made by tables.awk"
	print "grid (x);"
	for (i = 0; i < n; i++) {
		# One division: rounded to double, then to the table's type.
		p = draw(200001) - 100000
		q = 1 + draw(9999)
		texts = texts (i ? ", " : "") p ".0/" q
		# Sums and products of dyadic numbers: exact, in double and in float.
		a = draw(2001) - 1000; b = 2 ^ draw(6); c = draw(63) - 31; d = 2 ^ draw(5)
		e = draw(31) - 15
		exact = exact (i ? ", " : "") \
			sprintf("(%d.0/%d - %d.0/%d)*%d + (%d - %d.5)", a, b, c, d, e, c, abs(e))
		# (a/b - c/d)*e + c - |e| - 1/2, over 2*b*d
		top = 2*(a*d - c*b)*e + 2*b*d*(c - abs(e)) - b*d
		# Integers truncate.
		whole = whole (i ? ", " : "") sprintf("(%d/%d)*%d - %d%%%d", p, q, c, p, q)
		trunc = p < 0 ? -int(-p / q) : int(p / q)
		printf "// %d: %d/%d %d/%d %d\n", i, p, q, top, 2*b*d, trunc*c - (p - trunc*q)
	}
	print "const float single[" n "] = {" texts "};"
	print "const double precise[" n "] = {" texts "};"
	print "const float dyadic[" n "] = {" exact "};"
	print "const int whole[" n "] = {" whole "};"
	print "stencil tables(out float s[" n "], out double d[" n "], out float e[" n "], " \
		"out int w[" n "]) {"
	print "    for (i in 0.." n - 1 ") {"
	print "        s[i] = single[i]; d[i] = precise[i]; e[i] = dyadic[i]; w[i] = whole[i];"
	print "    }"
	print "}"
}
