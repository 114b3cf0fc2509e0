# account.awk REFUSALS VERDICTS: TAP for the seeds FIRST to LAST, and what they
# came to.  At most one program in fifty may compute no cell; with -v texts=N and -v drawn=N
# so many emitted texts at least have to be compared, and so many of them of plans that were
# drawn by chance.

FNR == 1 { file++ }
/^#/ { next }

file == 1 {
	split($0, part, "|")
	allowed[part[1]] = 1
	next
}

{
	name = $1
	verdict = $3
	reason = $0
	sub(/^[^ ]* [^ ]* [^ ]* ?/, "", reason)
	n[$2 " " verdict]++
	if (verdict == "pass" || verdict == "wrong") {
		compared++
		by_chance += $2 ~ /^planned/
	}
	said[name] = said[name] (said[name] == "" ? "" : ", ") $2 " " verdict
	if (verdict == "idle")
		idle[name] = 1
	if (verdict == "refused" && $2 == "language") {
		bad = 1
		for (pattern in allowed)
			if (reason ~ pattern)
				bad = 0
		if (bad)
			why[name] = why[name] "# refused for no reason of the language page: " \
				reason "\n"
		else
			said[name] = said[name] ": " reason
	} else if (verdict == "refused") {
		gsub(/'[^']*'/, "it", reason)
		reasons[$2 ": " reason]++
	} else if (verdict == "wrong" || verdict == "crash" || verdict == "fault")
		why[name] = why[name] "# " $2 ": " reason "\n"
}

function enough(point, n, least, what) {
	print (n + 0 >= least + 0 ? "ok " : "not ok ") point " - " n + 0 " " what ", " \
		least + 0 " at least"
}

END {
	print "1.." last - first + 4
	for (seed = first; seed <= last; seed++) {
		name = "rnd" seed
		if (said[name] == "")
			why[name] = "# nothing is known of it\n"
		number++
		if (why[name] == "") {
			print "ok " number " - " name ": " said[name]
			continue
		}
		print "not ok " number " - " name ": " said[name]
		printf "%s", why[name]
		while ((getline line < (src "/" name ".st")) > 0)
			print "#   " line
	}
	for (name in idle)
		idles++
	print (idles * 50 <= number ? "ok " : "not ok ") number + 1 " - " idles + 0 " of " \
		number " programs compute no cell"
	enough(number + 2, compared, texts, "emitted texts are compared")
	enough(number + 3, by_chance, drawn, "of them are of drawn plans")
	for (name in why)
		if (name !~ /^rnd/)
			printf "# %s\n%s", name, why[name]
	for (pair in n)
		print "# " pair ": " n[pair] | "sort"
	for (reason in reasons)
		print "# refused by " reason ": " reasons[reason] | "sort"
}
