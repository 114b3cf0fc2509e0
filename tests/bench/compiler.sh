#!/usr/bin/env bash
# compiler.sh: how long the compiler takes, and how much memory, for programs that grow
# in one way each, and for every example: seconds and MB. STENCILC names the compiler.
set -eu
: "${STENCILC:?the compiler}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # file: "seconds MB", the best of three
	for _ in 1 2 3; do
		/usr/bin/time -f '%U %S %M' -o "$work/time" \
			"$STENCILC" -w --no-header -I "$here/../../examples" -o /dev/null "$1" 2>"$work/said" ||
			{ echo "refused refused"; return; }
		tail -n 1 "$work/time"
	done | awk '$1 == "refused" { print "refused -"; exit }
		NR == 1 || $1 + $2 < best { best = $1 + $2; mb = $3/1024 }
		END { if (NR > 0 && $1 != "refused") printf "%.2f %.0f\n", best, mb }'
}

echo "| program | n | seconds | MB |"
echo "|---|---|---|---|"
for kind in chain keep alive fields window deep loop calls defs stencils masked steps results; do
	for n in 125 250 500 1000 2000 4000; do
		awk -v kind=$kind -v n=$n -f "$here/compiler.awk" >"$work/$kind.st"
		echo "| $kind | $n | $(measure "$work/$kind.st" | sed 's/ / | /') |"
	done
done
for file in "$here"/../../examples/*.st; do
	echo "$(measure "$file") ${file##*/}"
done | sort -rn | head -n 3 | awk '{ print "| " $3 " | | " $1 " | " $2 " |" }'
