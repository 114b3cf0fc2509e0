# fuzz.mk: the fuzzers: the whole compiler, with small limits (base/limits.def), under
# the sanitizers.  In a folder for them:
#
#	make -f fuzz.mk TOP=SOURCES BUILD=BUILD-FOLDER FILES='compiler/base/arena.c ...'
#
# OPTIMIZE=-O0: for short runs, which take less time than to build (-O1).
# REPLAY=gcc: not by clang with libFuzzer but by that compiler, to replay files.

FUZZ_CC = $(or $(REPLAY),clang)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
COVERAGE = $(if $(REPLAY),,-fsanitize=fuzzer-no-link)
DRIVER = $(if $(REPLAY),tests/fuzz/replay.o,-fsanitize=fuzzer)
FUZZ_CFLAGS = -std=gnu11 -g1 $(or $(OPTIMIZE),-O1) -fno-omit-frame-pointer

# Names are interned by tests/fuzz/check.c.
CPPFLAGS = -DSTENCILC_FUZZ -D_GNU_SOURCE -DHAVE_CONFIG_H -DPACKAGE_VERSION='"fuzz"' \
	-DSTENCIL_PKGDATADIR='""' -DSTENCIL_LIBDIR='""' -DSTENCIL_INCLUDEDIR='""' \
	-Dg_intern_string=fuzz_intern -Dg_intern_static_string=fuzz_intern_static \
	-I$(BUILD) -I$(TOP) -I$(TOP)/compiler $(shell pkg-config --cflags glib-2.0 json-glib-1.0)
LIBS = $(shell pkg-config --libs glib-2.0 json-glib-1.0) -lm -lpthread

vpath %.c $(BUILD) $(TOP)
targets = fuzz-command fuzz-compile fuzz-read
objects = $(patsubst %.c,%.o,$(filter %.c,$(FILES)) tests/fuzz/check.c \
	tests/fuzz/make.c)

# The command line without a disk.
WRAPPED = source_read output_add output_commit g_file_test realpath
fuzz-command: WRAP = $(WRAPPED:%=-Wl,--wrap=%)

all: $(targets)

$(targets): %: tests/fuzz/%.o $(objects) $(filter %.o,$(DRIVER))
	$(FUZZ_CC) $(SANITIZE) $(filter-out %.o,$(DRIVER)) $(WRAP) -o $@ $^ $(LIBS)

$(objects) $(targets:%=tests/fuzz/%.o) tests/fuzz/replay.o: %.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_CFLAGS) $(SANITIZE) $(COVERAGE) -MMD -c -o $@ $<

-include $(shell find . -name '*.d')
