# STENCIL_CUDA: looks for the CUDA toolkit.
#
# Wants with_cuda: a folder, "no", or "check" for the usual places.  Sets NVCC
# (empty: none), CUDA_CPPFLAGS and CUDA_LIBS (empty: no run-time library), the
# shell variables have_cuda and cuda_dir, and the conditionals HAVE_CUDA and
# HAVE_NVCC.  The static run-time library is taken, so that nothing but the
# driver is needed where programs run.
AC_DEFUN([STENCIL_CUDA], [
have_cuda=no
cuda_dir=
AS_CASE([$with_cuda],
	[no], [NVCC=],
	[check|yes], [
		AS_IF([test -z "$NVCC"],
			[AC_PATH_PROG([NVCC], [nvcc], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin])])
		AS_IF([test -n "$NVCC"],
			[cuda_dir=$(dirname "$(dirname "$(readlink -f "$NVCC")")")])],
	[
		AS_IF([test -x "$with_cuda/bin/nvcc"], [: ${NVCC="$with_cuda/bin/nvcc"}])
		cuda_dir=$with_cuda])

AS_IF([test -n "$cuda_dir"], [
	cuda_save_CPPFLAGS=$CPPFLAGS
	cuda_save_LIBS=$LIBS
	CUDA_CPPFLAGS="-I$cuda_dir/include -DSTENCIL_HAVE_CUDA"
	CPPFLAGS="$CPPFLAGS -I$cuda_dir/include"
	AC_CHECK_HEADER([cuda_runtime_api.h], [cuda_header=yes], [cuda_header=no])
	for cuda_lib in "$cuda_dir/lib64" "$cuda_dir/targets/$host_cpu-linux/lib" "$cuda_dir/lib"; do
		test -e "$cuda_lib/libcudart_static.a" && break
	done
	CUDA_LIBS="-L$cuda_lib -lcudart_static -lpthread -ldl -lrt"
	LIBS="$CUDA_LIBS $LIBS"
	AC_MSG_CHECKING([for the CUDA run-time library])
	AC_LINK_IFELSE([AC_LANG_CALL([], [cudaGetDeviceCount])],
		[cuda_library=yes], [cuda_library=no])
	AC_MSG_RESULT([$cuda_library])
	CPPFLAGS=$cuda_save_CPPFLAGS
	LIBS=$cuda_save_LIBS
	AS_IF([test $cuda_header = yes && test $cuda_library = yes], [have_cuda=yes])
])
AS_IF([test $have_cuda = no], [
	CUDA_CPPFLAGS=
	CUDA_LIBS=
	AS_CASE([$with_cuda], [no|check], [], [AC_MSG_ERROR([no CUDA toolkit in $with_cuda])])
])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test $have_cuda = yes])
AM_CONDITIONAL([HAVE_NVCC], [test -n "$NVCC"])
])
