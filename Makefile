# SPDX-License-Identifier: MIT
#
# Requires GNU make. `make help` lists the targets. Their variables:
#   V=1 shows commands      WERROR=1 makes warnings errors     SANITIZE=1 is address,undefined
#   CC=, CFLAGS=, LDFLAGS=  as usual; CFLAGS come last         SANITIZE=thread and others work too
#   HAVE_LIBIBERTY=0        builds without an optional library
#   T='suite/test'          the unit tests to run              CORPUS=DIR  more captures to read
#   FUZZ_SECONDS=60         per fuzz target                    COUNT=20  truncations and changes of a capture
#   FUZZ_SEED=1             repeat the same fuzzing            DESTDIR=, PREFIX=  for install

NAME       := kiln
VERSION    := 0.1.0
# Lower layers first, as in layers.txt.
LIB_DIRS   := base sandbox compress libparse \
	$(addprefix libparse/,perf tracepoint tracedat script bpftrace bcc ftrace folded svg pprof speedscope callgrind dump tree merged stat calls log perf_report) \
	object unwind dwarf process profile profile/selection profile/tree \
	symbolise $(addprefix symbolise/,elf kernel jit demangle) offcpu syscalls eventlog histogram diff diff/align timeline annotate merging \
	render render/svg render/diff render/export render/table render/text render/report render/timeline render/page session cli compat
PREFIX     ?= /usr/local
PKG_CONFIG ?= pkg-config
CLANG      ?= clang
CFLAGS     ?= -O2 -g
FUZZ_SECONDS ?= 60

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
all:

# One object tree per configuration, so that switching compiler or sanitizer never mixes objects.
comma    := ,
SAN_1    := address,undefined
SAN      := $(filter-out 0,$(or $(SAN_$(SANITIZE)),$(SANITIZE)))
COMPILER := $(filter-out cc gcc,$(notdir $(firstword $(CC))))
B        ?= build/$(if $(SAN),$(subst $(comma),-,$(SAN)),release)$(COMPILER:%=-%)

# Criterion starts the whole program anew for each test. That takes minutes with sanitizers, so CRITERION=0 is then the
# default: tests/stand_in runs the same tests.
CRITERION ?= $(if $(SAN),0,1)

LIBRARIES := libelf libxxhash
MISSING   := $(shell for l in $(LIBRARIES); do $(PKG_CONFIG) --exists $$l || echo $$l; done)
LIB_CFLAGS := $(if $(MISSING),,$(shell $(PKG_CONFIG) --cflags $(LIBRARIES)))
# xxHash is used inline: only its header is needed.
LDLIBS    += -lm -ldl $(if $(MISSING),,$(shell $(PKG_CONFIG) --libs $(filter-out libxxhash,$(LIBRARIES))))

# Large libraries are loaded at first use (base/library.h). In a static program this is 0: it links the
# libraries that it has.
HAVE_DLOPEN ?= 1
ifeq ($(HAVE_DLOPEN),1)
LIB_CFLAGS += -DHAVE_DLOPEN
endif
unless_loaded = $(if $(filter 1,$(HAVE_DLOPEN)),,$(shell $(PKG_CONFIG) --libs $(1)))
# The name by which a library is loaded: the SONAME of the library that the linker finds, or else
# the given name.
soname = $(or $(shell readelf -d "`$(CC) -print-file-name=$(1).so`" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'),$(2))

# Optional libraries: probed, and overridable. libiberty has no .pc file.
HAVE_ZSTD ?= $(if $(shell $(PKG_CONFIG) --exists 'libzstd >= 1.4' && echo 1),1,0)
ifeq ($(HAVE_ZSTD),1)
LIB_CFLAGS += -DHAVE_ZSTD $(shell $(PKG_CONFIG) --cflags libzstd)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libzstd)
endif
HAVE_LZMA ?= $(if $(shell $(PKG_CONFIG) --exists liblzma && echo 1),1,0)
ifeq ($(HAVE_LZMA),1)
LIB_CFLAGS += -DHAVE_LZMA $(shell $(PKG_CONFIG) --cflags liblzma)
LDLIBS     += $(shell $(PKG_CONFIG) --libs liblzma)
endif
compiles   = $(shell printf '%s\n' '$(1)' | $(CC) $(CPPFLAGS) -x c -o /dev/null - $(LDFLAGS) $(2) \
	       2>/dev/null && echo 1 || echo 0)
ifndef HAVE_LIBIBERTY
HAVE_LIBIBERTY := $(call compiles,char *cplus_demangle(const char *$(comma) int); \
		    int main(void) { return !cplus_demangle("_Z1fv"$(comma) 1); },-liberty)
endif
ifeq ($(HAVE_LIBIBERTY),1)
LIB_CFLAGS += -DHAVE_LIBIBERTY
LDLIBS     += -liberty
endif

HAVE_ZLIB ?= $(if $(shell $(PKG_CONFIG) --exists zlib && echo 1),1,0)
ifeq ($(HAVE_ZLIB),1)
LIB_CFLAGS += -DHAVE_ZLIB $(shell $(PKG_CONFIG) --cflags zlib)
LDLIBS     += $(shell $(PKG_CONFIG) --libs zlib)
endif
HAVE_LIBARCHIVE ?= $(if $(shell $(PKG_CONFIG) --exists 'libarchive >= 3.3' && echo 1),1,0)
ifeq ($(HAVE_LIBARCHIVE),1)
LIB_CFLAGS += -DHAVE_LIBARCHIVE $(shell $(PKG_CONFIG) --cflags libarchive)
LIB_CFLAGS += -DLIBARCHIVE_SONAME='"$(call soname,libarchive,libarchive.so.13)"'
LDLIBS     += $(call unless_loaded,libarchive)
endif

HAVE_LIBXML2 ?= $(if $(shell $(PKG_CONFIG) --exists libxml-2.0 && echo 1),1,0)
ifeq ($(HAVE_LIBXML2),1)
LIB_CFLAGS += -DHAVE_LIBXML2 $(shell $(PKG_CONFIG) --cflags libxml-2.0)
LIB_CFLAGS += -DLIBXML2_SONAME='"$(call soname,libxml2,libxml2.so.2)"'
LDLIBS     += $(call unless_loaded,libxml-2.0)
endif

HAVE_LIBDW ?= $(if $(shell $(PKG_CONFIG) --exists 'libdw >= 0.188' && echo 1),1,0)
ifeq ($(HAVE_LIBDW),1)
LIB_CFLAGS += -DHAVE_LIBDW $(shell $(PKG_CONFIG) --cflags libdw)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libdw)
endif
HAVE_LIBSECCOMP ?= $(if $(shell $(PKG_CONFIG) --exists 'libseccomp >= 2.5' && echo 1),1,0)
ifeq ($(HAVE_LIBSECCOMP),1)
LIB_CFLAGS += -DHAVE_LIBSECCOMP $(shell $(PKG_CONFIG) --cflags libseccomp)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libseccomp)
endif
HAVE_CAPSTONE ?= $(if $(shell $(PKG_CONFIG) --exists 'capstone >= 4.0' && echo 1),1,0)
ifeq ($(HAVE_CAPSTONE),1)
LIB_CFLAGS += -DHAVE_CAPSTONE $(patsubst -I%/capstone,-I%,$(shell $(PKG_CONFIG) --cflags capstone))
LDLIBS     += $(call unless_loaded,capstone)
endif
HAVE_LIBDEFLATE ?= $(if $(shell $(PKG_CONFIG) --exists libdeflate && echo 1),1,0)
ifeq ($(HAVE_LIBDEFLATE),1)
LIB_CFLAGS += -DHAVE_LIBDEFLATE $(shell $(PKG_CONFIG) --cflags libdeflate)
LDLIBS     += $(shell $(PKG_CONFIG) --libs libdeflate)
endif

# What kiln --version --verbose prints. Each optional library: its switch above, and its name for pkg-config.
OPTIONAL := ZSTD=libzstd LZMA=liblzma ZLIB=zlib LIBARCHIVE=libarchive LIBXML2=libxml-2.0 LIBDW=libdw \
	    LIBSECCOMP=libseccomp CAPSTONE=capstone LIBDEFLATE=libdeflate LIBIBERTY=libiberty
optional_in   = $(strip $(foreach o,$(OPTIONAL),$(if $(filter $(1),$(HAVE_$(word 1,$(subst =, ,$(o))))),$(word 2,$(subst =, ,$(o))))))
versioned     = $(1)$(addprefix =,$(shell $(PKG_CONFIG) --modversion $(1) 2>/dev/null))
BUILT_WITH    = $(foreach l,$(LIBRARIES) $(call optional_in,1),$(call versioned,$(l)))
BUILT_WITHOUT = $(or $(call optional_in,0),none)

# 32-bit machines also have files beyond 2 GB, and 64-bit inode numbers. Results must be the same on all machines, so a
# multiplication and an addition are never fused into one operation.
FORTIFY := $(if $(SAN),,$(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
ALL_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -I. -DVERSION='"$(VERSION)"' $(FORTIFY) $(LIB_CFLAGS) $(CPPFLAGS)
# The x87 unit of 32-bit x86 computes with more precision than a double, so results would round differently.
SAME_DOUBLES := $(if $(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-msse2 -mfpmath=sse)
ALL_CFLAGS   := -std=gnu11 -Wall -Wextra -Wshadow -Wvla -Wmissing-prototypes -Wstrict-prototypes \
		-Wpointer-arith -Wimplicit-fallthrough $(if $(filter 1,$(WERROR)),-Werror) \
		-pthread -fPIE -fstack-protector-strong -fno-omit-frame-pointer -ffp-contract=off $(SAME_DOUBLES) \
		$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all) $(CFLAGS)
READERS := $(filter libparse% compress object unwind dwarf symbolise%,$(LIB_DIRS))
ALL_LDFLAGS  := -pthread -pie -Wl,-z,relro,-z,now $(if $(SAN),-fsanitize=$(SAN)) $(LDFLAGS)

objects  = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard $(1))))
LIB_OBJ     := $(call objects,$(LIB_DIRS:%=%/*.c))
TOOL_OBJ    := $(call objects,tools/*.c tools/about/*.c tools/diff/*.c tools/report/*.c)
UNIT_OBJ    := $(call objects,tests/unit/*.c)
SUPPORT_OBJ := $(filter-out $(B)/tests/support/main_%,$(call objects,tests/support/*.c))
FUZZ_OBJ    := $(call objects,tests/fuzz/fuzz_*.c)
FUZZERS     := $(FUZZ_OBJ:$(B)/tests/fuzz/%.o=%)
# Comparisons show libFuzzer which values a reader expects. In other code, tracing them only takes time.
UNTRACED    := $(call objects,$(patsubst %,%/*.c,$(filter-out $(READERS) compat,$(LIB_DIRS)) tests/support))
ifneq ($(findstring fuzzer,$(SAN)),)
$(filter-out $(B)/base/json_reader.o $(B)/base/scan.o,$(UNTRACED)): ALL_CFLAGS += -fno-sanitize-coverage=trace-cmp
endif
LIB         := $(B)/lib$(NAME).a
MAN         := $(sort $(wildcard man/*.[1-8]))

Q    := $(if $(V),,@)
say   = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(2)')
link  = $(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@

## all: build ./kiln (the default)
all: $(NAME)
# ./kiln is a copy of the last configuration built, even if another one is newer.
$(NAME): $(B)/$(NAME) FORCE
	@cmp -s $< $@ || cp -f $< $@

$(B)/$(NAME): $(TOOL_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
## static: build/static/kiln, one file without shared libraries; lacks annotate's disassembly, SVGs as input, and debuginfod
# libxml2 would add ICU (28 MB), capstone 5 MB.
STATIC := build/static
STATIC_CFLAGS := -Os -ffunction-sections -fdata-sections
static:
	$(Q)$(MAKE) B=$(STATIC) PKG_CONFIG='$(PKG_CONFIG) --static' HAVE_LIBXML2=0 HAVE_CAPSTONE=0 HAVE_DLOPEN=0 \
		CFLAGS='$(STATIC_CFLAGS)' \
		LDFLAGS='-static-pie -Wl,--gc-sections -s' $(STATIC)/kiln
## static-arm64: build/static-arm64/kiln, the same for aarch64 (requires gcc-aarch64-linux-gnu and a Debian mirror)
ARM64_ROOT := $(CURDIR)/build/cross/arm64.root
static-arm64:
	$(Q)[ $(ARM64_ROOT) -nt tests/cross/sysroot ] || tests/cross/sysroot arm64 $(ARM64_ROOT)
	$(Q)$(MAKE) STATIC=build/static-arm64 CC='aarch64-linux-gnu-gcc --sysroot=$(ARM64_ROOT)' AR=aarch64-linux-gnu-ar \
		PKG_CONFIG='env PKG_CONFIG_SYSROOT_DIR=$(ARM64_ROOT) PKG_CONFIG_LIBDIR=$(ARM64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig pkg-config' static
## check-static: test the static programs in an empty chroot (requires Debian's static libraries)
check-static: $(NAME)
	@KILN='$(CURDIR)/$(B)/$(NAME)' tests/static/run
$(LIB): $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(OWN_CFLAGS) -MMD -MP -c -o $@ $<
# Every SVG embeds the viewer: one script made of these files, and one style. Comments and indentation are removed, but the
# script stays readable. Shorter names would save 13 kB of a 60 kB SVG (1.7 kB gzipped), but need a JavaScript minifier.
# The files are in the order of what they do when loaded: find the elements of the SVG, create those of the viewer, add
# listeners. Functions may call functions of any file.
# Only flame charts with lanes embed lanes.js, too.
VIEWER := shapes elements labels model rows comparison colours nodes rects details search view paths draw cursor head fit phone keyboard main
VIEWER := $(VIEWER:%=render/svg/viewer/%.js)
VIEWER_LANES := $(VIEWER:%/rects.js=%/rects.js render/svg/viewer/lanes.js)
$(if $(filter-out $(VIEWER_LANES),$(wildcard render/svg/viewer/*.js)),$(error VIEWER lacks some of render/svg/viewer/*.js))
ASSETS := $(B)/render/svg/viewer/viewer.js $(B)/render/svg/viewer/viewer_lanes.js $(B)/render/svg/viewer/viewer.css
HEAT_MAP := $(B)/render/timeline/heat_map.js $(B)/render/timeline/heat_map.css
LANES := $(B)/render/timeline/lanes.js $(B)/render/timeline/lanes.css
$(B)/render/svg/viewer/viewer.js: $(VIEWER)
$(B)/render/svg/viewer/viewer_lanes.js: $(VIEWER_LANES)
$(B)/render/timeline/heat_map.js $(B)/render/timeline/lanes.js: $(B)/%.js: render/timeline/window.js %.js
$(B)/render/svg/viewer/viewer.js $(B)/render/svg/viewer/viewer_lanes.js $(B)/render/timeline/heat_map.js \
$(B)/render/timeline/lanes.js \
$(B)/render/page/viewer/page.js:
	@mkdir -p $(@D)
	$(Q){ echo '/* SPDX-License-Identifier: MIT */' && echo '(function () {' && echo '"use strict";' && \
		sed -e 's|/\*.*\*/$$||' -e '\|^[[:space:]]*/\*|,\|\*/$$|d' -e 's/^[[:space:]]*//' -e '/^$$/d' $^ && \
		echo '})();'; } > $@.tmp && mv $@.tmp $@
$(B)/render/svg/viewer/viewer.css $(B)/render/timeline/heat_map.css $(B)/render/timeline/lanes.css \
$(B)/render/page/viewer/page.css: $(B)/%.css: %.css
	@mkdir -p $(@D)
	$(Q)sed -e '1n' -e 's|^/\*.*\*/$$||' -e 's/^[[:space:]]*//' -e 's/\([{};:,]\) /\1/g' -e 's/ \([{}]\)/\1/g' \
		-e 's/;}/}/g' -e '/^$$/d' $< > $@
$(B)/tools/cmd_info.o: OWN_CFLAGS = -DBUILT_WITH='"$(BUILT_WITH)"' -DBUILT_WITHOUT='"$(BUILT_WITHOUT)"'
$(B)/render/svg/svg_style.o: OWN_CFLAGS = -DASSETS='"$(B)/render/svg/viewer/"'
$(B)/render/svg/svg_style.o: $(ASSETS)
$(B)/render/timeline/heat_map_svg.o $(B)/render/timeline/lanes_svg.o: OWN_CFLAGS = -DASSETS='"$(B)/render/timeline/"'
$(B)/render/timeline/lanes_svg.o: $(LANES)
$(B)/render/timeline/heat_map_svg.o: $(HEAT_MAP)

# The script and the style of pages, made in the same way. Layout, colours and labels are those of the SVG's viewer.
PAGE_SHARED := labels rows nodes rects details comparison colours paths draw cursor
PAGE := dom stage columns capture compared tree time_window lanes idle transforms notes statistics window_changes judging model query search strip offsets strip_rows side_strips compare_bar panes chart export table menu chips tooltip address page_copy notes_panel keys main
PAGE := $(PAGE:%=render/page/viewer/%.js)
$(if $(filter-out $(PAGE),$(wildcard render/page/viewer/*.js)),$(error PAGE lacks some of render/page/viewer/*.js))
PAGE_FIRST := render/page/viewer/dom.js render/page/viewer/stage.js
PAGE_FILES := render/svg/viewer/shapes.js $(PAGE_FIRST) $(PAGE_SHARED:%=render/svg/viewer/%.js) $(filter-out $(PAGE_FIRST),$(PAGE))
$(B)/render/page/viewer/page.js: $(PAGE_FILES)
page-files:
	@echo $(PAGE_FILES)
$(B)/render/page/page.o: OWN_CFLAGS = -DASSETS='"$(B)/render/page/viewer/"'
$(B)/render/page/page.o: $(B)/render/page/viewer/page.js $(B)/render/page/viewer/page.css

# kiln help prints guides.
$(B)/tools/about/help.o: OWN_CFLAGS = -DASSETS='"docs/"'
$(B)/tools/about/help.o: $(wildcard docs/*.md)

# Changed flags rebuild everything, unchanged flags nothing.
FLAGS := $(subst ','\'',$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(CRITERION))
$(B)/flags: FORCE
	$(if $(MISSING),$(error missing: $(MISSING) (Debian: libelf-dev libxxhash-dev pkg-config; or run ./bootstrap)))
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS)' | cmp -s - $@ || printf '%s\n' '$(FLAGS)' > $@

## demo: draw demo.svg from a recorded capture, and print a summary
demo: $(NAME)
	@./$(NAME) flame --summary --symbols tests/fixtures/demo/symbols \
		tests/fixtures/demo/perf.data -o demo.svg
	@echo "flame graph: $(CURDIR)/demo.svg (open it in a browser)"

## images: draw the images in README.md again
images: $(NAME)
	@tests/support/draw-images '$(abspath $<)'

## check: run all tests and lint; the last line is "N passed, N failed"
CHECKS := lint check-unit check-replay check-cli $(if $(CORPUS),check-corpus)
check:
	+@tests/support/sum-checks "$(MAKE)" $(CHECKS)

## check-unit: run the unit tests; T='suite/test' selects some
check-unit: $(B)/unit
	@tests/support/run-unit $< $(if $(T),--filter '$(T)')
UNIT_PACKAGES = $(if $(filter 0,$(CRITERION)),,criterion) libxml-2.0 jansson
UNIT_LIBS   := $(shell $(PKG_CONFIG) --libs $(UNIT_PACKAGES) $(if $(filter 1,$(HAVE_LIBARCHIVE)),libarchive) 2>/dev/null)
UNIT_CFLAGS := $(if $(filter 0,$(CRITERION)),-Itests/stand_in )$(shell $(PKG_CONFIG) --cflags $(UNIT_PACKAGES) 2>/dev/null)
UNIT_MAIN   := $(if $(filter 0,$(CRITERION)),$(B)/tests/stand_in/run_tests.o)
NEED_UNIT = $(if $(UNIT_LIBS),,$(error \
	the unit tests need Criterion, libxml2 and jansson (Debian: libcriterion-dev libxml2-dev libjansson-dev)))
# Tests are compiled once and run once, so optimising them takes longer than it saves.
$(UNIT_OBJ): OWN_CFLAGS = $(NEED_UNIT)$(UNIT_CFLAGS) -O0 -U_FORTIFY_SOURCE
$(B)/unit: $(UNIT_OBJ) $(UNIT_MAIN) $(SUPPORT_OBJ) $(filter-out %/main.o,$(TOOL_OBJ)) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS) $(NEED_UNIT)$(UNIT_LIBS)

## check-cli: test whole commands (tests/cli); T=COMMAND/CASE selects some
check-cli: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/cli/run $(T)

## check-replay: run the fuzz targets on their seeds, with any compiler
check-replay: $(FUZZERS:fuzz_%=$(B)/replay_%)
	@tests/support/run-replay $^
$(B)/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/support/main_replay.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)

## check-browser: test the SVGs and pages in headless Chromium and Firefox; ./bootstrap check-browser installs them
check-browser: $(B)/$(NAME)
	+@KILN='$(abspath $<)' tests/browser/run

## check-corpus: test more captures, with expected results, in CORPUS=DIR
check-corpus: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/corpus/run '$(CORPUS)'

## check-damage: truncate every capture at COUNT offsets, and corrupt it in COUNT ways; includes CORPUS
COUNT ?= 20
# If a capture is a directory, each file in it is corrupted.
DIRECTORIES  = $(patsubst %/data,%,$(wildcard tests/fixtures/*/perf.data/data))
CAPTURES = $(sort $(filter-out $(DIRECTORIES),$(wildcard tests/fixtures/*/perf.data*)) \
	$(wildcard $(DIRECTORIES:%=%/data*) $(if $(CORPUS),$(CORPUS)/perf/*.data)))
check-damage: $(B)/$(NAME) $(B)/damage
	@$(B)/damage '$(abspath $<)' $(COUNT) $(B)/damaged $(CAPTURES)
$(B)/damage: $(B)/tests/support/main_damage.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)

## check-databases: run the queries of docs/databases.md in DuckDB and PostgreSQL; ./bootstrap check-databases installs them
check-databases: $(B)/$(NAME)
	@KILN='$(CURDIR)/$<' tests/databases/run
## check-peers: kiln and its peers on the same corrupt captures; FLAMEGRAPH=DIR has the FlameGraph scripts
check-peers: $(B)/$(NAME) $(B)/damage
	@KILN='$(abspath $<)' FLAMEGRAPH='$(FLAMEGRAPH)' tests/peers/run $(abspath $(B)/damage) $(CAPTURES)

## check-linear: time and memory for hostile inputs grow at most linearly with their size
check-linear: $(B)/$(NAME)
	@KILN='$(abspath $<)' tests/linear/run

## check-cross: test on emulated machines, big-endian and 32-bit; ./bootstrap check-cross installs the tools
check-cross: $(B)/$(NAME)
	+@tests/cross/run '$(MAKE)' '$(abspath $<)' $(if $(CORPUS),'$(CORPUS)')

## fuzz: run each fuzz target for FUZZ_SECONDS (requires clang)
fuzz:
	+@$(MAKE) --no-print-directory CC='$(CLANG)' SANITIZE=fuzzer-no-link,address,undefined \
		B=build/fuzz run-fuzz
# tests/fuzz/oss-fuzz/build.sh sets another one.
FUZZ_ENGINE ?= -fsanitize=fuzzer
run-fuzz: $(FUZZERS:%=$(B)/%)
	@tests/fuzz/run $(FUZZ_SECONDS) $^
$(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $(FUZZ_ENGINE) $^ $(LDLIBS)

## coverage: the lines that the tests run, by directory, readers first (requires gcc and gcov)
coverage:
	@[ ! -d build/coverage ] || find build/coverage -name '*.gcda' -delete
	+@$(MAKE) --no-print-directory -k CFLAGS='-O0 -g1 --coverage' CPPFLAGS='$(CPPFLAGS) -DCOUNTS_LINES' B=build/coverage \
		check-unit check-replay check-cli || echo 'coverage: some tests failed'
	@tests/support/coverage build/coverage $(READERS)

## bench: compare kiln with the FlameGraph scripts, on a new capture (requires perf and root)
bench: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/run
## bench-stacks: compare unwinding of stack dumps with perf and hotspot (requires perf and g++)
bench-stacks: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/run-stacks
## bench-pairs: measure the error rates of kiln diff, on simulated and recorded pairs (requires gcc, perf and root)
bench-pairs: $(NAME) $(B)/verdict-rates
	@$(B)/verdict-rates
	@KILN='$(CURDIR)/$(NAME)' tests/bench/pairs
$(B)/verdict-rates: $(B)/tests/bench/verdict-rates.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
## bench-page: write, load and select in the page of a large simulated capture (requires node and chromium)
bench-page: $(NAME) $(B)/make-capture
	@KILN='$(CURDIR)/$(NAME)' MAKE_CAPTURE='$(abspath $(B)/make-capture)' tests/bench/page
$(B)/make-capture: $(B)/tests/bench/make-capture.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
## bench-all: measure kiln beside every peer that is installed; one Markdown table (recordings require perf and root)
bench-all: $(NAME) $(B)/make-capture $(B)/walk-records
	@KILN='$(CURDIR)/$(NAME)' MAKE_CAPTURE='$(abspath $(B)/make-capture)' \
		WALK_RECORDS='$(abspath $(B)/walk-records)' tests/bench/all
$(B)/walk-records: $(B)/tests/bench/walk-records.o $(SUPPORT_OBJ) $(LIB)
	$(call say,LD,$@)
	$(link) $^ $(LDLIBS)
## bench-libraries: time the symbolisation of 200 libraries (requires gcc and perf)
bench-libraries: $(NAME)
	@KILN='$(CURDIR)/$(NAME)' tests/bench/libraries

## lint: check layers, licence lines, man pages, forbidden calls and file lengths
lint:
	@tests/support/lint

# cppcheck 2.10 uses only one CPU, even with -j.
## analyse: look for errors in the sources with cppcheck, which takes a minute
analyse:
	@printf '%s\n' $(filter %.c,$(filter-out tests/%,$(SOURCES))) | xargs -n 16 -P "$$(nproc)" \
		cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
		--suppressions-list=tests/support/cppcheck-suppressions -I. -D_GNU_SOURCE -DVERSION='""' \
		$(patsubst %,-DHAVE_%,DLOPEN $(foreach o,$(OPTIONAL),$(word 1,$(subst =, ,$(o)))))

## format: run clang-format on every source file; format-check only lists the files that differ
SOURCES = $(wildcard $(foreach d,$(LIB_DIRS) tools tools/about tools/diff tools/report tests/unit tests/support tests/fuzz \
	tests/stand_in tests/stand_in/criterion,$(d)/*.[ch]))
format:
	clang-format -i $(SOURCES)
format-check:
	clang-format --dry-run -Werror $(SOURCES)

# bash looks for a file with the name of the command.
COMPLETIONS := bash-completion/completions/kiln.bash zsh/site-functions/_kiln fish/vendor_completions.d/kiln.fish
## install: install kiln, its man pages and completions in $(DESTDIR)$(PREFIX); uninstall removes them
install: $(B)/$(NAME)
	install -D -m 755 $< '$(DESTDIR)$(PREFIX)/bin/$(NAME)'
	$(foreach m,$(MAN),install -D -m 644 $(m) \
		'$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m))' &&) :
	$(foreach c,$(COMPLETIONS),install -D -m 644 completions/$(notdir $(c)) \
		'$(DESTDIR)$(PREFIX)/share/$(patsubst %/kiln.bash,%/kiln,$(c))' &&) :
## install-compat: install links with the names of other tools in $(COMPAT_DIR); add that directory to PATH
COMPAT_DIR ?= $(PREFIX)/lib/$(NAME)/compat
COMPAT     := stackcollapse-perf.pl stackcollapse-bpftrace.pl stackcollapse-perf-sched.awk \
	flamegraph.pl difffolded.pl inferno-collapse-perf inferno-flamegraph inferno-diff-folded
install-compat: install
	mkdir -p '$(DESTDIR)$(COMPAT_DIR)'
	$(foreach c,$(COMPAT),ln -srf '$(DESTDIR)$(PREFIX)/bin/$(NAME)' '$(DESTDIR)$(COMPAT_DIR)/$(c)' &&) :
uninstall:
	$(foreach c,$(COMPAT),rm -f '$(DESTDIR)$(COMPAT_DIR)/$(c)' &&) :
	rm -f '$(DESTDIR)$(PREFIX)/bin/$(NAME)'
	$(foreach m,$(MAN),rm -f \
		'$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m))' &&) :
	$(foreach c,$(COMPLETIONS),rm -f '$(DESTDIR)$(PREFIX)/share/$(patsubst %/kiln.bash,%/kiln,$(c))' &&) :

## sbom: write a software bill of materials (SPDX 2.3) of the program to build/kiln.spdx.json
sbom: $(NAME)
	@packaging/sbom '$(abspath $<)' >build/kiln.spdx.json

## html: make the documentation a site in build/html (requires cmark-gfm and mandoc)
html: $(NAME)
	@packaging/site build/html '$(abspath $<)'

## deb: build Debian packages of the committed tree in build/deb
deb:
	@tests/packages/deb '$(CURDIR)/build/deb'

## check-deb: build Debian packages twice, compare them, and test them
check-deb:
	@tests/packages/run

## rpm: build RPM packages of the committed tree in build/rpm; check-rpm also tests them
rpm:
	@tests/packages/rpm '$(CURDIR)/build/rpm'
check-rpm:
	@tests/packages/run-rpm

## dist: make kiln-VERSION.tar.gz from the committed tree
dist:
	git archive --prefix=$(NAME)-$(VERSION)/ -o $(NAME)-$(VERSION).tar.gz HEAD

## clean: remove all build output
clean:
	rm -rf build $(NAME) $(NAME)-*.tar.gz demo.svg

## help: print this list
help:
	@sed -n 's/^## //p' Makefile | awk -F': ' '{ printf "  %-14s %s\n", $$1, substr($$0, length($$1) + 3) }'

FORCE:
.SECONDARY:
.PHONY: FORCE all static static-arm64 check-static demo page-files check check-unit check-cli check-replay check-corpus check-cross check-browser \
	check-damage check-linear check-peers check-databases fuzz run-fuzz coverage bench bench-all bench-libraries bench-pairs bench-stacks \
	lint analyse images format format-check install install-compat uninstall sbom html deb check-deb rpm check-rpm dist clean help
-include $(patsubst %.o,%.d,$(LIB_OBJ) $(TOOL_OBJ) $(UNIT_OBJ) $(UNIT_MAIN) $(FUZZ_OBJ) \
	$(call objects,tests/support/*.c tests/bench/*.c))
