# verdict.sh: TAP, for scripts that ask what a command says; sourced.

n=0

# verdict NAME CODE: one case; the file said explains it.
verdict() {
	n=$((n + 1))
	if test "$2" = 0; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		head -n 40 said | sed 's/^/# /'
	fi
}

# expect NAME CODE WORDS COMMAND...: it ends with CODE and says WORDS.
expect() {
	name=$1 code=$2 words=$3
	shift 3
	"$@" >said 2>&1
	test $? = "$code" && { test -z "$words" || grep -q -e "$words" said; }
	verdict "$name" $?
}
