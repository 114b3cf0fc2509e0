# compiler.awk: programs that grow with N in one way, called KIND; for compiler.sh.
BEGIN {
	head = "grid (y, x);\n"
	if (kind == "chain") {
		print head "stencil s(in float a, out float b)\n{\n\tboundary a: clamp;"
		p = "a"
		for (i = 1; i < n; i++) {
			printf "\ttemp float v%d = 0.25*(%s[x-1] + %s[x+1] + %s[y-1] + %s[y+1]);\n\tboundary v%d: clamp;\n", i, p, p, p, p, i
			p = "v" i
		}
		print "\tb = " p ";\n}"
	} else if (kind == "keep") {
		print head "stencil s(in float a, out float b)\n{"
		p = "a"
		for (i = 1; i < n; i++) {
			printf "\ttemp float v%d = 0.25*(%s[x-1] + %s[x+1]);\n", i, p, p
			p = "v" i
		}
		print "\tb = " p ";\n}"
	} else if (kind == "alive") {
		print head "stencil s(in float a, out float b)\n{\n\tboundary a: clamp;"
		for (i = 1; i < n; i++) { printf "\ttemp float v%d = %d.5*a[x-1];\n", i, i; }
		printf "\tb = 0.0"; for (i = 1; i < n; i++) printf "%s + v%d", i % 8 ? "" : "\n\t\t", i
		print ";\n}"
	} else if (kind == "fields") {
		printf "%sstencil s(", head
		for (i = 0; i < n; i++) printf "in float a%d, out float b%d%s", i, i, i < n - 1 ? ",\n\t" : ")\n{\n"
		for (i = 0; i < n; i++) printf "\tboundary a%d: clamp;\n\tb%d = a%d[x-1] + a%d[y+1];\n", i, i, i, i
		print "}"
	} else if (kind == "taps") {
		print head "stencil s(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = 0.0"
		for (i = 0; i < n; i++) printf "\t\t+ %d.25*a[y%+d, x%+d]\n", i, i % 61 - 30, int(i / 61) - 30
		print ";\n}"
	} else if (kind == "window") {
		printf "%sstencil s(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = sum[i in 1..%d](i*a[x+i]);\n}\n", head, n
	} else if (kind == "deep") {
		print head "stencil s(in float a, out float b)\n{\n\tfloat l0 = a;"
		for (i = 1; i < n; i++) printf "\tfloat l%d = sqrt(l%d + %d.5)*a;\n", i, i - 1, i
		printf "\tb = l%d;\n}\n", n - 1
	} else if (kind == "loop") {
		printf "%sstencil s(in float a, out float b)\n{\n\ttemp float v[%d];\n\tboundary a, v: clamp;\n\tv[0] = a;\n\tfor (i in 1..%d) {\n\t\tv[i] = v[i-1, x-1] + v[i-1, x+1];\n\t}\n\tb = v[%d];\n}\n", head, n, n - 1, n - 1
	} else if (kind == "calls") {
		print head "stencil g(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = a[x-1] + a[x+1];\n}\nstencil s(in float a, out float b)\n{"
		p = "a"
		for (i = 1; i < n; i++) {
			printf "\ttemp float v%d;\n\tg(%s, v%d);\n", i, p, i
			p = "v" i
		}
		print "\tb = " p ";\n}"
	} else if (kind == "defs") {
		print head; for (i = 0; i < n; i++) printf "def fn%d(v) = v[x-1]*%d.5 + v[x+1];\n", i, i
		print "stencil s(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = 0.0"
		for (i = 0; i < n; i++) printf "\t\t+ fn%d(a)\n", i
		print ";\n}"
	} else if (kind == "stencils") {
		print head; for (i = 0; i < n; i++) printf "stencil s%d(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = %d.5*(a[x-1] + a[x+1]);\n}\n", i, i
	} else if (kind == "masked") {
		print head "stencil s(in float a, out float b)\n{"
		p = "a"
		for (i = 1; i < n; i++) {
			printf "\ttemp float v%d = 0.25*(%s[x-1] + %s[x+1]);\n\tboundary v%d: wrap;\n", i, p, p, i
			p = "v" i
		}
		print "\tb = " p ";\n}"
	} else if (kind == "steps") {
		print head "stencil s(inout float u)\n{\n\tboundary u: clamp;"; p = "u"
		for (i = 1; i < n; i++) {
			printf "\ttemp float v%d = 0.25*(%s[x-1] + %s[x+1]);\n\tboundary v%d: clamp;\n", i, p, p, i
			p = "v" i
		}
		print "\tu[t+1] = " p ";\n}"
	} else if (kind == "scalars") {
		printf "%sstencil s(in float a, out float b", head; for (i = 0; i < n; i++) printf ",\n\tfloat w%d", i
		print ")\n{\n\tb = 0.0"; for (i = 0; i < n; i++) printf "\t\t+ w%d*a\n", i; print ";\n}"
	} else if (kind == "results") {
		printf "%sstencil s(in float a", head; for (i = 0; i < n; i++) printf ",\n\tresult float r%d", i
		print ")\n{"; for (i = 0; i < n; i++) printf "\tr%d = max[grid](%d.5*a);\n", i, i; print "}"
	} else if (kind == "consts") {
		printf "%s", head; for (i = 0; i < n; i++) printf "const float c%d = %s;\n", i, i ? "c" (i - 1) " + 1" : "1"
		printf "stencil s(in float a, out float b)\n{\n\tb = a*c%d;\n}\n", n - 1
	} else if (kind == "table") {
		printf "%sconst float w[0..%d] = {", head, n - 1; for (i = 0; i < n; i++) printf "%s%d.5", i ? ", " : "", i
		printf "};\nstencil s(in float a, out float b)\n{\n\tboundary a: clamp;\n\tb = sum[i in 0..%d](w[i]*a[x+i]);\n}\n", n - 1
	}
}
