# lib.sh: TAP, and the sweeps, for the scripts of this folder; sourced.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
n=0

# plan N: so many cases follow.
plan() {
	echo "1..$1"
}

# answer STATUS NAME: one case; what is in $dir/log explains it.
answer() {
	n=$((n + 1))
	if test "$1" = 0; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
	fi
	grep -v '^$' "$dir/log" | sed 's/^#* */# /'
}

# skip_all REASON
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# Builds what sweep needs.
prepare_sweep() {
	test -z "${SANITIZE_FLAGS-}" || skip_all "a preloaded library and sanitizers do not mix"
	{
		${CC:-cc} -shared -fPIC -O1 -o "$dir/shim.so" "$top/tests/faults/shim.c" -ldl &&
		${CC:-cc} -O1 -o "$dir/sweep" "$top/tests/faults/sweep.c" &&
		LD_PRELOAD="$dir/shim.so" true
	} >"$dir/log" 2>&1 || skip_all "no library can be preloaded here"
}

# sweep NAME FOLDER KIND MOST COMMAND...: see sweep.c.
sweep() {
	name=$1
	shift
	"$dir/sweep" "$dir/shim.so" "$@" >"$dir/log" 2>&1
	answer $? "$name"
}
