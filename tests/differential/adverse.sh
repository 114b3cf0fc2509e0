# adverse.sh: sourced by tests that emulate; a GPU at its worst, where the environment says nothing
# else.  Threads take turns in a shuffled order, asynchronous copies come as late as they
# may, and in every third launch no two blocks may store different values in one place: to watch all
# of them would take as long as all else.

: "${STENCIL_EMU_ORDER:=shuffle:1}" "${STENCIL_EMU_COPY:=late}" "${STENCIL_EMU_CLASHES:=3}"
export STENCIL_EMU_ORDER STENCIL_EMU_COPY STENCIL_EMU_CLASHES
