# stencilc.m4: stencil programs in projects with a configure script.
#
#   STENCILC_CHECK([found], [not found])
#
# Sets and substitutes STENCILC, the compiler; STENCILC_CFLAGS and STENCILC_LIBS,
# for what includes and calls its output; STENCILC_RULES, the rules for make:
#
#   include $(STENCILC_RULES)
#
# which is all that a Makefile.am needs.  A Makefile.in that no automake makes says before
#
#   STENCILC = @STENCILC@
#   STENCILC_RULES = @STENCILC_RULES@
AC_DEFUN([STENCILC_CHECK], [
	AC_ARG_VAR([STENCILC], [the compiler of stencil programs])
	AC_PATH_PROG([STENCILC], [stencilc])
	AS_IF([test -n "$STENCILC"], [
		STENCILC_CFLAGS=`"$STENCILC" --print-runtime-cflags`
		STENCILC_LIBS=`"$STENCILC" --print-runtime-libs`
		STENCILC_RULES=`"$STENCILC" --print-datadir`/stencilc.mk
		$1
	], [
		m4_default([$2], [AC_MSG_ERROR([there is no stencilc])])
	])
	AC_SUBST([STENCILC_CFLAGS])
	AC_SUBST([STENCILC_LIBS])
	AC_SUBST([STENCILC_RULES])
])
