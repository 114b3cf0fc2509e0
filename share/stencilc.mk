# stencilc.mk: rules of GNU make for stencil programs.
#
#   include $(shell pkg-config --variable=makerules stencilc)
#
# From FILE.st come
#   FILE.cu, FILE.h    CUDA C and its header
#   FILE.cu.o          compiled by nvcc: the function NAME
#   FILE.host.c        C with OpenMP
#   FILE.host.o        compiled by the C compiler: the function NAME_host
#
# One program may link both objects.  Programs that a FILE.st imports are
# dependencies of what is made from it.  Compile what includes FILE.h with
# $(STENCIL_CPPFLAGS), link with $(STENCIL_LIBS), and say that it needs FILE.h.

STENCILC ?= stencilc
NVCC     ?= nvcc

# Options of the user's own.
STENCILFLAGS      ?=
STENCIL_ARCH      ?= native
STENCIL_CFLAGS    ?= -O2
STENCIL_NVCCFLAGS ?=

STENCIL_CPPFLAGS := -I. $(shell $(STENCILC) --print-runtime-cflags)
STENCIL_LIBS     := $(shell $(STENCILC) --print-runtime-libs)

# Fused multiply-adds are in the text already: the compilers must not add any.
STENCIL_STRICT_C  = -std=gnu11 -ffp-contract=off -fopenmp
STENCIL_STRICT_CU = -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=$(STENCIL_ARCH)

%.cu %.h: %.st
	$(STENCILC) $(STENCILFLAGS) -MD -MP -MF $*.cu.d -MT $*.cu -o $*.cu --header=$*.h $<

%.host.c: %.st
	$(STENCILC) $(STENCILFLAGS) --target=host -MD -MP -MF $*.host.d -MT $@ -o $@ --no-header $<

%.cu.o: %.cu %.h
	$(NVCC) $(STENCIL_STRICT_CU) $(STENCIL_CPPFLAGS) $(STENCIL_NVCCFLAGS) -c $< -o $@

%.host.o: %.host.c %.h
	$(CC) $(STENCIL_STRICT_C) $(STENCIL_CPPFLAGS) $(STENCIL_CFLAGS) -c $< -o $@

# A program that cannot be compiled leaves nothing behind; nor may its object.
.DELETE_ON_ERROR:

# What is made on the way stays: it is worth reading, and make would make it
# again, since the dependency files name it.
.PRECIOUS: %.cu %.h %.host.c

# The dependency files must not decide what is made by default.
stencil_goal := $(.DEFAULT_GOAL)
-include $(wildcard *.cu.d *.host.d)
.DEFAULT_GOAL := $(stencil_goal)
