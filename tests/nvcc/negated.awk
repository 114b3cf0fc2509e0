# negated.awk: reads PTX; prints each largest or least of which an operand is a negative, of which
# ptxas of CUDA 13.0 forgets the minus where it takes one instruction for three (see
# runtime/device/stencil_keep.cuh), and ends with 1 if there is one.
/\.entry|\.func/ { split("", minus); name = $0 }
$1 == "neg.s32" { register = $2; sub(/,/, "", register); minus[register] = 1 }
$1 ~ /^(max|min)\.s32$/ {
	for (i = 3; i <= NF; i++) {
		register = $i
		gsub(/[,;]/, "", register)
		if (register in minus) {
			print name ": " $0
			found = 1
		}
	}
}
END { exit found }
